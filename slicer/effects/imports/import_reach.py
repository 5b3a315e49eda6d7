"""Loaded modules that may change an object while they are imported."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass

from ...analysis.points_to.root_objects import is_memoised
from ...analysis.scopes.assignments import binds_container
from ...analysis.scopes.definitions import ClassInfo
from ...repo.repository import Module, Repository
from ...syntax.import_time_code import surface_of_code
from ...syntax.memo import memo
from ..mutation.statement_effects import Object
from .import_side_effects import ANY, CALLS, DERIVES, OWNS, SETS, USES, ActGraph, Texts

Changes = Callable[[Module, str, str], bool]
"""Whether a definition of the module (first name) may change its object (second name)."""


@dataclass(frozen=True, slots=True)
class ReachQuery:
    """A slice's query to the loaded modules."""

    objects: tuple[Object, ...]
    watched: tuple[ClassInfo, ...]
    """Classes whose subclasses are needed."""


class ImportReach:
    """The objects that loaded modules act on."""

    def __init__(self, repository: Repository, texts: Texts) -> None:
        self._texts = texts
        self._graph = ActGraph(repository, texts)

    def changing(self, wanted: ReachQuery, kept: Container[str], changes: Changes) -> list[str]:
        """Return modules outside `kept` that may change an object, or define a subclass."""
        found: set[str] = set()
        by_module: dict[Module, list[str]] = {}
        for cls in wanted.watched:
            found.update(self._graph.acting((cls.module.name, cls.node.name), DERIVES))
        for module, name in wanted.objects:
            by_module.setdefault(module, []).append(name)
            acts = _changing_acts(module, name)
            found.update(self._graph.acting((module.name, name), acts))
            found.update(self._graph.acting((module.name, ANY), SETS))
        for module, names in by_module.items():
            self._add_changers(found, module, names, kept, changes)
        return [name for name in self._texts if name in found and name not in kept]

    def _add_changers(
        self,
        found: set[str],
        module: Module,
        names: Iterable[str],
        kept: Container[str],
        changes: Changes,
    ) -> None:
        """Add modules that use a definition which changes one of the module's objects."""
        wanted = frozenset(names)
        for made in self._graph.used(module.name):
            if all(u.kind not in ("function", "class") for u in module.bindings.get(made, ())):
                continue
            actors = [
                each for each in self._graph.acting((module.name, made), USES) if each not in kept
            ]
            if found.issuperset(actors):
                continue  # they are examined anyway
            met = sorted(wanted & _mentioned(module).get(made, frozenset()))
            if any(changes(module, made, name) for name in met):
                found.update(actors)


@memo
def _mentioned(module: Module) -> dict[str, frozenset[str]]:
    """Return definitions → names that they, or their callees, seem to change or return."""
    changed: dict[str, frozenset[str]] = {}
    used: dict[str, frozenset[str]] = {}
    for unit in module.units:
        if unit.kind in ("function", "class"):
            surface = surface_of_code(module.text_of(unit))
            used[unit.binds[0]] = surface.words
            itself = {unit.binds[0]} if unit.kind == "class" else set[str]()
            seen = surface.owners | surface.given_back | surface.rebound | itself
            every = frozenset(module.bindings) if surface.fills else seen
            changed[unit.binds[0]] = every & module.bindings.keys()
    while True:
        grown = {
            made: names.union(*(changed[other] for other in used[made] & changed.keys()))
            for made, names in changed.items()
        }
        if grown == changed:
            return changed
        changed = grown


def _changing_acts(module: Module, name: str) -> int:
    """Return the acts that change the object of that name, according to its binding."""
    wanted = SETS
    for unit in module.bindings.get(name, ()):
        match unit.sole:
            case ast.Assign(value=ast.Constant()) | ast.AnnAssign(value=ast.Constant() | None):
                continue
            case ast.FunctionDef() | ast.AsyncFunctionDef() as node:
                wanted |= OWNS | (CALLS if is_memoised(node) else 0)
            case ast.ClassDef() as node:
                wanted |= OWNS | (CALLS if _may_keep_instances(node) else 0)
            case _:
                wanted |= OWNS | CALLS
    return wanted


def _may_keep_instances(node: ast.ClassDef) -> bool:
    """Whether calling the class may change it, or return an earlier instance."""
    return bool(node.keywords) or any(
        binds_container(each) or (isinstance(each, ast.FunctionDef) and each.name == "__new__")
        for each in node.body
    )
