"""Queries over the whole repository, with answers kept for later slices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....analysis.inference import Inference
from ....analysis.names.name_resolution import Bound, ImportedName
from ....analysis.scopes.definitions import ClassInfo, Scope
from ....analysis.values.abstract_values import Values
from ....errors import SourceError
from ....repo.repository import Module
from ....repo.units import Unit


class Search:
    """The search in one repository, memoised for all slices."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.names = inference.names
        self.repository = inference.repository
        self.mentions = inference.mapped.mentions
        # queries at call sites use a separate inference from that of the closure
        self.elsewhere = Inference(self.names)
        self.subclasses: dict[ClassInfo, tuple[ClassInfo, ...]] = {}
        self.annotated: dict[str, dict[str, list[tuple[ast.expr, Scope]]]] = {}
        self.folders: dict[str, dict[str, list[str]]] = {}

    def evaluate(self, node: ast.expr, scope: Scope) -> Values:
        """Return the values of an expression anywhere in the repository."""
        try:
            return self.elsewhere.evaluate(node, scope)
        except (SourceError, RecursionError):
            self.elsewhere = Inference(self.names)  # it may hold partial answers
            return None

    def has(self, cls: ClassInfo, name: str) -> bool:
        """Whether the class or one of its bases has the member."""
        try:
            return any(
                name in owner.table or name in owner.self_assignments
                for owner in self.elsewhere.mro(cls)
            )
        except SourceError:
            self.elsewhere = Inference(self.names)
            return False

    def definitions(self, module: Module, name: str) -> Iterator[tuple[Module, Unit]]:
        """Yield the statements that bind a global name, with imports followed."""
        for _ in range(8):
            found = self.names.lookup(module, name)
            if not isinstance(found, Bound):
                return
            unit = found.units[-1]
            node = unit.node
            alias = None
            if unit.kind == "import" and isinstance(node, ast.ImportFrom):
                alias = next((a for a in node.names if (a.asname or a.name) == name), None)
                target = alias and self.names.imported(module, node, alias)
                if not isinstance(target, ImportedName):
                    return
                module, name = target.module, target.name
                continue
            yield from ((module, unit) for unit in found.units)
            return
