"""The order of the parts of a flat script, which is Python's own order of loading the modules.

In one script a part runs as a whole, while an import runs a module in the middle of another one. So
no code that runs may stand above an import that also runs code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...closure.worklist import Closure
from ...repo.repository import Module
from ...repo.units import Unit
from ..module_loading.inert_statements import is_inert
from .script_parts import RepositoryImport, ScriptPart


class PartOrder:
    """The loading order, followed from the target's module."""

    def __init__(self, closure: Closure, parts: Mapping[str, ScriptPart], order: list[str]) -> None:
        self.closure = closure
        self.parts = parts
        self.order = order
        self.done: set[str] = set()
        self.running: set[str] = set()

    def run(self, targets: Sequence[Module]) -> Iterator[str]:
        """Fill the order; yield the obstacles on the way."""
        for target in targets:
            yield from self._load(target.name)

    def _load(self, name: str) -> Iterator[str]:
        kept = self.closure.modules.get(name)
        if kept is None or name in self.done or name in self.running:
            return
        for ancestor in self.closure.names.ancestors(kept.module):
            yield from self._load(ancestor.name)
        if name in self.done or name in self.running:
            return
        self.running.add(name)
        part = self.parts.get(name)
        if part is not None:
            yield from self._run(part)
            self.order.append(name)
        self.running.discard(name)
        self.done.add(name)

    def _run(self, part: ScriptPart) -> Iterator[str]:
        taken: dict[int, list[RepositoryImport]] = {}
        for item in part.repository_imports:
            taken.setdefault(item.unit.index, []).append(item)
        active: Unit | None = None
        for unit in part.units:
            for item in taken.get(unit.index, ()):
                if item.source.name in self.running:
                    yield f"{part.at(unit)}: imports in a circle with {item.source.path}"
                before = len(self.order)
                yield from self._load(item.source.name)
                loaded = self.order[before:]
                if active is not None and any(map(self._is_active, loaded)):
                    yield f"{part.at(unit)}: imports after code that runs (line {active.first})"
            if active is None and not self._is_inert(part, unit):
                active = unit

    def _is_active(self, name: str) -> bool:
        part = self.parts[name]
        return not all(self._is_inert(part, unit) for unit in part.units)

    def _is_inert(self, part: ScriptPart, unit: Unit) -> bool:
        return is_inert(part.module, unit, self.closure.inference)
