"""Import closure: the modules that importing some modules loads, found by text; ambiguous files are
parsed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from ...analysis.inference import Inference
from ...errors import SourceError
from ...repo.module_files import identity_of, located, roots_of
from ...repo.repository import Module, Repository
from ...repo.units import Unit
from ...syntax.import_names import spells_imports, top_imports
from ...syntax.memo import memo
from .nested_imports import NestedImports


class ImportClosure:
    """The modules that importing some modules loads."""

    def __init__(self, inference: Inference, start: Sequence[Module]) -> None:
        self._repository = inference.repository
        self.inside = NestedImports(inference)
        self.texts: dict[str, tuple[str, str]] = {}
        """Module → its path and text, in the order of discovery."""
        self.followed: set[str] = set()
        """Modules whose nested imports have been followed."""
        self._met: set[tuple[str, int]] = set()
        self._load([(module.name, module.path) for module in start])
        for name in (left := list(self.texts)):  # it grows in the loop
            path, _ = self.texts[name]
            if self.inside.may_load_more(name, path, self.texts):
                self.followed.add(name)
                before = len(self.texts)
                self._load(self.inside.loaded_by(name, path))
                left += list(self.texts)[before:]

    def _load(self, modules: Iterable[tuple[str, str]]) -> None:
        """Add modules, and what they load by lines that begin with imports."""
        queue = list(modules)
        while queue:
            name, path = queue.pop(0)
            if name in self.texts:
                continue
            identity = identity_of(self._repository, name, path)
            if identity in self._met:
                continue
            self._met.add(identity)
            try:
                text = self._repository.text(path)
            except SourceError:
                continue
            self.texts[name] = path, text
            queue.extend(item for item in self.imported(name) if item[0] not in self.texts)

    def imported(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return names and paths of the modules that lines of a loaded module import, in order."""
        return _imported(self._repository, name, self.texts[name][0])


@memo
def _imported(repository: Repository, name: str, path: str) -> tuple[tuple[str, str], ...]:
    roots = roots_of(repository, name, path)
    parent = name.rpartition(".")[0]
    text = repository.text(path)
    if spells_imports(text):
        text = _imports_alone(repository, name, path)
    every = (*([parent] if parent else ()), *top_imports(name, path, text))
    found = {item: located(repository, item, roots) for item in every}
    return tuple((item, where) for item, where in found.items() if where is not None)


def _imports_alone(repository: Repository, name: str, path: str) -> str:
    """Return the lines of the module's imports; its whole text if it does not parse."""
    try:
        module = repository.module(path, name)
    except SourceError:
        return repository.text(path)
    return "".join(
        module.text_of(unit)
        for unit in module.units
        if unit.kind in ("import", "prelude") or _is_bare_load(unit)
    )


def _is_bare_load(unit: Unit) -> bool:
    """Whether the statement is `__import__("a.b")`, as pruned trees contain it."""
    return any(
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "__import__"
        for node in unit.nodes
    )
