"""Import chains: the statements through which importing some modules loads another one."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...errors import SourceError
from ...repo.repository import Module, Repository
from ...repo.units import Unit
from .import_closure import ImportClosure


def import_chain(
    repository: Repository, closure: ImportClosure, start: Sequence[Module], name: str
) -> list[tuple[Module, Unit, str]]:
    """Return the steps from the start to the module: (importer, statement, name that it binds).

    A step is an import, or a statement that imports by strings and binds nothing.
    """
    previous = _importers(closure, start, name, inside=False)
    if name not in previous:  # imports that begin a line run in any case
        previous = _importers(closure, start, name, inside=True)
    steps: list[tuple[Module, Unit, str]] = []
    current = name
    starts = {module.name for module in start}
    while current in previous and current not in starts:
        try:
            importer = repository.module(closure.texts[previous[current]][0], previous[current])
        except SourceError:
            return []  # it loads nothing
        step = _import_of(closure, importer, current)
        if step is not None:
            steps.append((importer, *step))
        current = previous[current]
    return steps[::-1]


def _importers(
    closure: ImportClosure, start: Sequence[Module], name: str, *, inside: bool
) -> dict[str, str]:
    """Return loaded modules up to the named one, each with its first importer."""
    previous: dict[str, str] = {}
    queue = [module.name for module in start]
    while queue and name not in previous:
        current = queue.pop(0)
        found = list(closure.imported(current))
        if inside and current in closure.followed:
            found += closure.inside.loaded_by(current, closure.texts[current][0])
        for item, _ in found:
            if item in closure.texts and item not in previous:
                previous[item] = current
                queue.append(item)
    return previous


def _import_of(closure: ImportClosure, importer: Module, name: str) -> tuple[Unit, str] | None:
    for unit in importer.units:
        for node in unit.nodes if unit.kind == "import" else ():
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            for alias in node.names:
                bound = alias.asname or alias.name
                if isinstance(node, ast.Import):
                    if alias.name == name or alias.name.startswith(name + "."):
                        return unit, bound
                    continue
                base = importer.resolve_relative(node.level, node.module) or ""
                if name in (f"{base}.{alias.name}", base) or base.startswith(name + "."):
                    return unit, bound
    if importer.name not in closure.followed:
        return None
    inside = closure.inside.of(importer.name, importer.path)
    for item in inside:
        if item.name == name or (item.has_all and name.startswith(f"{item.name}.")):
            return item.unit, ""
    for item in inside:
        if item.name.startswith(f"{name}."):
            return item.unit, ""
    return None
