"""Load order inside import cycles: pruning must not let code run before the code that it depends
on.

In a package with an import cycle, what works depends on which module Python loads first, and a
pruned import may have decided that. If a name would be unbound in the slice, or code would run
before statements that preceded it in the original, bare imports replace the pruned ones: as few as
possible.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...closure.worklist import Closure
from ...model import Edit
from ...repo.repository import Module
from ..kept_text import ModuleText, Piece, line_ends
from .import_cycles import import_cycles
from .load_steps import LoadSteps, reads_when_run
from .load_trace import ExternalLoads, Place, Take, Trace, follow

_ATTEMPTS = 100
"""Maximum number of attempts to find fewer loads; it matters only in huge cycles."""

_KNOWN = 8
"""Number of slices whose loads are memoised."""

_AFTER_LINE_END = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")
_Fault = Place | tuple[Place, Take]
Load = tuple[Place, str]
"""A bare load: the statement above which it is inserted, and the module."""


def with_load_order(
    closure: Closure, targets: Sequence[Module], texts: Mapping[str, ModuleText],
    first: Sequence[str], *, visible: bool,
) -> dict[str, ModuleText]:  # fmt: skip
    """Return the texts, with the bare loads that the import cycles among them need.

    Args:
        closure: what is kept.
        targets: modules that the script loads.
        texts: kept text of each module.
        first: modules that it loads before the targets.
        visible: whether the script is the body of the only target.
    """
    order = _Order(closure, targets, first, is_visible=visible)
    found: dict[Place, list[str]] = {}
    for place, name in order.known_loads():
        found.setdefault(place, []).append(name)
    result = dict(texts)
    for (name, index), loads in found.items():
        result[name] = _with_loads(result[name], index, loads)
    return result


def first_of_program(
    closure: Closure, targets: Sequence[Module], first: Sequence[str]
) -> tuple[str, ...]:
    """Return the modules that the script loads first, if its target's module is run and not
    imported.

    A module that is run is `__main__`, and code that imports it by its name loads it a second time,
    after everything that has begun by then. If importing the module fails for lack of a name, it is
    reached in this way too.
    """
    order = _Order(closure, targets, first, is_visible=False)
    if len(targets) != 1 or not order.cycles:
        return tuple(first)
    target = targets[0]
    together = next((c for c in order.cycles if target.name in c), frozenset[str]())
    is_program = any(unit.kind == "main" for unit in target.units)
    if not (together and is_program and order.original.early and order.slice(()).early):
        return tuple(first)
    loads = (name for name in order.steps.edges(target.name) if name in together)
    other = (*first, *loads)
    is_better = not _Order(closure, targets, other, is_visible=False).slice(()).early
    return other if is_better else tuple(first)


def loads_before_body(closure: Closure, target: Module, first: Sequence[str]) -> bool:
    """Whether code that runs before a body may load the target's module inside a function.

    The body of a script begins after its parent packages have been imported. In the repository, the
    modules that those load are complete by then.

    Args:
        closure: what is kept.
        target: module that would be the script's own body.
        first: modules that the script loads before it.
    """
    loaders = {importer for importer, name in closure.load_edges if name == target.name}
    if loaders <= {target.name}:
        return False
    order = _Order(closure, (target,), first, is_visible=True)
    ahead = [*_from_top(target.name)[:-1], *first]
    for name in ahead:
        ahead += [each for each in order.steps.edges(name) if each not in ahead]
    return not loaders.isdisjoint(ahead) and any(
        order.reads(place) for name in ahead for place in order.kept_places(name)
    )


@dataclass(frozen=True)
class _Order:
    """The search for the bare loads that a slice needs."""

    closure: Closure
    targets: Sequence[Module]
    first: Sequence[str]
    is_visible: bool

    def known_loads(self) -> tuple[Load, ...]:
        """Return the loads, memoised for slices that agree in everything that affects them."""
        if not self.wide_cycles:
            return ()
        recent = self.closure.names.repository.recent
        return recent.get("load orders", self._search_key(), self.loads, _KNOWN)

    def _search_key(self) -> Hashable:
        """Return all inputs of the search for loads, without facts about the repository alone."""
        steps = self.steps
        names = sorted(self.closure.modules)
        every = tuple((name, steps.kept_statements(name)) for name in names)
        takes = dict.fromkeys(t for _, kept in every for step in kept for t in step.takes)
        return (
            tuple(module.name for module in self.targets), tuple(self.first), self.is_visible,
            every, frozenset(self.wide_cycles), frozenset(self.cycles),
            tuple(tuple(steps.binders(take)) for take in takes),
            tuple(self.reads(place) for name in names for place in self.kept_places(name)),
        )  # fmt: skip

    def loads(self) -> tuple[Load, ...]:
        """Return the loads that the slice needs."""
        bare = self.faults(())
        if not bare:
            return ()
        every = self._candidates()
        accepted = self.faults(every)
        return () if bare <= accepted else self._minimise(every, accepted)

    @cached_property
    def steps(self) -> LoadSteps:
        return LoadSteps(self.closure)

    @cached_property
    def cycles(self) -> list[frozenset[str]]:
        return import_cycles({name: self.steps.edges(name) for name in self.closure.modules})

    @cached_property
    def wide_cycles(self) -> list[frozenset[str]]:
        """Import cycles, counting imports inside functions as well."""
        modules = self.closure.modules
        edges = {name: set(self.steps.edges(name)) for name in modules}
        for importer, name in self.closure.load_edges:
            if importer in modules and name in modules and importer != name:
                edges[importer].add(name)
        return import_cycles({name: sorted(found) for name, found in edges.items()})

    @cached_property
    def original(self) -> Trace:
        starts = (step for module in self.targets for step in _from_top(module.name))
        return follow(ExternalLoads(tuple(starts)), self.steps.original, self.steps.binders)

    def slice(self, loads: Sequence[Load]) -> Trace:
        """Return the trace of the slice with these loads."""
        found: dict[str, dict[int, list[str]]] = {}
        for (module, index), name in loads:
            found.setdefault(module, {}).setdefault(index, []).append(name)
        names = [step for name in self.first for step in _from_top(name)]
        own = [step for module in self.targets for step in _from_top(module.name)]
        starts = ExternalLoads((*names, *own))
        if self.is_visible:
            starts = ExternalLoads((*own[:-1], *names), own[-1])
        return follow(
            starts, lambda name: self.steps.kept_statements_with_loads(name, found.get(name, {})),
            self.steps.binders,
        )  # fmt: skip

    def faults(self, loads: Sequence[Load]) -> frozenset[_Fault]:
        """Return the statements that run too early."""
        return frozenset(self._faults(loads))

    def _faults(self, loads: Sequence[Load]) -> Iterator[_Fault]:
        trace = self.slice(loads)
        yield from trace.early - self.original.early
        for group in self._in_cycles:
            yield from _reordered_reads(group, trace)
        for group in self._in_wide_cycles:
            yield from _interrupting_reads(group, trace, self.original)

    @cached_property
    def _in_cycles(self) -> list[list[tuple[Place, bool]]]:
        return list(map(self._in_order, self.cycles))

    @cached_property
    def _in_wide_cycles(self) -> list[list[tuple[Place, bool]]]:
        return list(map(self._in_order, self.wide_cycles))

    def _in_order(self, cycle: frozenset[str]) -> list[tuple[Place, bool]]:
        """Return the kept statements of a cycle in their original order, and whether each reads.

        A statement reads if running it runs code that may use names bound earlier.
        """
        ran = self.original.ran
        places = [place for name in cycle for place in self.kept_places(name) if place in ran]
        places.sort(key=ran.__getitem__)
        return [(place, self.reads(place)) for place in places]

    def kept_places(self, name: str) -> list[Place]:
        return [(name, step.index) for step in self.steps.kept_statements(name)]

    def reads(self, place: Place) -> bool:
        module = self.closure.modules[place[0]].module
        return any(
            reads_when_run(module, module.units[at], self.closure.names, self.closure.inference)
            for at in self.steps.statements(*place)
        )

    def _candidates(self) -> tuple[Load, ...]:
        """Return loads at each place where the original first loads a carried module."""
        started = self.original.started
        found: list[Load] = []
        for name in started:
            place = started[name]
            while place is not None and place[0] not in self.closure.modules:
                place = started[place[0]]
            if name in self.closure.modules and place is not None and self._has_room(place):
                found.append((place, name))
        return tuple(found)

    def _has_room(self, place: Place) -> bool:
        """Whether a bare load can share the statement's line."""
        nodes = self.closure.modules[place[0]].module.units[place[1]].nodes
        return all(isinstance(node, (ast.Import, ast.ImportFrom, ast.Expr)) for node in nodes)

    def _minimise(self, loads: tuple[Load, ...], accepted: frozenset[_Fault]) -> tuple[Load, ...]:
        """Remove loads in ever smaller groups, as long as no further statement runs too early."""
        attempts = 0
        size = (len(loads) + 1) // 2
        while size:
            start = 0
            while start < len(loads) and attempts < _ATTEMPTS:
                attempts += 1
                fewer = loads[:start] + loads[start + size :]
                if all(fault in accepted for fault in self._faults(fewer)):
                    loads = fewer
                else:
                    start += size
            size = size // 2 if attempts < _ATTEMPTS else 0
        return loads


def _reordered_reads(group: Sequence[tuple[Place, bool]], trace: Trace) -> Iterator[Place]:
    """Yield reading statements that run before a statement which preceded them in the original."""
    last = -1
    for place, is_reading in group:
        now = trace.ran.get(place, -1)
        if is_reading and -1 < now < last:
            yield place
        last = max(last, now)


def _interrupting_reads(
    group: Sequence[tuple[Place, bool]], trace: Trace, original: Trace
) -> Iterator[Place]:
    """Yield reading statements that run while a module is less complete than in the original.

    A function that they call may import that module, and receives it unfinished. In the original
    the module was complete, or further on, or not started, so that the function loaded it.
    """
    ran: dict[str, list[Place]] = {}
    for place, _ in group:
        ran.setdefault(place[0], []).append(place)
    around = {name: [outer for outer in trace.load_stack(name) if outer in ran] for name in ran}
    for place, is_reading in group:
        now, before = trace.ran.get(place, -1), original.ran[place]
        for outer in around[place[0]] if is_reading and now >= 0 else ():
            count = bisect_left(ran[outer], before, key=original.ran.__getitem__)
            if original.begun[outer] > before or (
                count and trace.ran.get(ran[outer][count - 1], -1) > now
            ):
                yield place
                break


def _from_top(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


# ------------------------------------------------------------------------ text


def _with_loads(text: ModuleText, index: int, loads: Sequence[str]) -> ModuleText:
    """Return the text with bare loads at the position of an import, kept or pruned."""
    line = text.module.units[index].first
    bare = "; ".join(f"__import__({name!r})" for name in loads)
    around = [p for p in text.pieces if p.line <= line < p.line + line_ends(p.text)]
    if around:
        lines = _AFTER_LINE_END.split(around[-1].text)
        lines[line - around[-1].line] = f"{bare}; {lines[line - around[-1].line]}"
        piece = replace(around[-1], text="".join(lines), is_verbatim=False)
    else:
        piece = Piece(line, bare + "\n", 0, is_verbatim=False)
    pieces = (*(p for p in text.pieces if p not in around[-1:]), piece)
    edit = Edit(
        text.module.path, line, f"loads {', '.join(loads)}", "keeps the order of an import cycle"
    )
    return replace(
        text, pieces=tuple(sorted(pieces, key=lambda p: p.line)), edits=(*text.edits, edit)
    )
