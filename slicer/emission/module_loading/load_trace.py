"""A trace of the order in which Python loads modules and runs statements, without running them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Place = tuple[str, int]
"""A top-level statement: module, index."""
Take = tuple[str, str]
"""A name that an import takes: module, name."""


@dataclass(frozen=True, slots=True)
class Step:
    """A top-level statement that loads modules, takes names from them, and then runs."""

    index: int
    loads: tuple[str, ...]
    """Modules that it starts unless they have started, each after its parent packages."""
    takes: tuple[Take, ...] = ()


@dataclass(frozen=True, slots=True)
class ExternalLoads:
    """Modules that are loaded from outside, in order."""

    names: tuple[str, ...]
    body: str | None = None
    """A module that counts as started from the beginning, and runs last: the script's own body."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A loading order, as it was followed."""

    started: Mapping[str, Place | None]
    """Module → the statement that started it, in order."""
    begun: Mapping[str, int]
    """Module → number of statements that had run when it started."""
    ran: Mapping[Place, int]
    """Statement → its position in the order of execution."""
    early: frozenset[tuple[Place, Take]]
    """Imports of names that a module, still loading, had not bound yet."""

    def load_stack(self, name: str) -> Iterator[str]:
        """Yield the modules that were loading when a module started, innermost first."""
        place = self.started.get(name)
        while place is not None:
            yield place[0]
            place = self.started[place[0]]


@dataclass(slots=True)
class _Frame:
    name: str
    steps: Sequence[Step]
    step: int = 0
    load: int = 0


@dataclass(slots=True)
class _Run:
    binders: Callable[[Take], Sequence[int]]
    started: dict[str, Place | None]
    begun: dict[str, int] = field(default_factory=dict[str, int])
    ran: dict[Place, int] = field(default_factory=dict[Place, int])
    early: set[tuple[Place, Take]] = field(default_factory=set[tuple[Place, Take]])
    finished: set[str] = field(default_factory=set[str])


def follow(
    starts: ExternalLoads,
    steps: Callable[[str], Sequence[Step]],
    binders: Callable[[Take], Sequence[int]],
) -> Trace:
    """Load the modules as Python would: each once, inside the first module that imports it.

    Args:
        starts: modules that are loaded from outside.
        steps: returns the statements of a module.
        binders: returns the statements of a module that bind a name; empty if unknown.
    """
    run = _Run(binders, {starts.body: None} if starts.body else {})
    for name in starts.names:
        if name not in run.started:
            run.started[name] = None
            _load(run, name, steps)
    if starts.body:
        _load(run, starts.body, steps)
    return Trace(run.started, run.begun, run.ran, frozenset(run.early))


def _load(run: _Run, name: str, steps: Callable[[str], Sequence[Step]]) -> None:
    # an explicit stack: imports of large packages nest deeper than Python's
    stack = [_Frame(name, steps(name))]
    run.begun[name] = len(run.ran)
    while stack:
        frame = stack[-1]
        if frame.step == len(frame.steps):
            run.finished.add(frame.name)
            stack.pop()
            continue
        step = frame.steps[frame.step]
        place = (frame.name, step.index)
        wanted = _next_load(frame, step.loads, run.started)
        if wanted is not None:
            run.started[wanted] = place
            run.begun[wanted] = len(run.ran)
            stack.append(_Frame(wanted, steps(wanted)))
            continue
        for take in step.takes:
            if _is_early(run, take):
                run.early.add((place, take))
        run.ran[place] = len(run.ran)
        frame.step += 1
        frame.load = 0


def _next_load(frame: _Frame, loads: Sequence[str], started: Container[str]) -> str | None:
    """Return the first remaining load of a step whose module has not started yet."""
    while frame.load < len(loads):
        wanted = loads[frame.load]
        frame.load += 1
        if wanted not in started:
            return wanted
    return None


def _is_early(run: _Run, take: Take) -> bool:
    module, _ = take
    if module not in run.started or module in run.finished:
        return False
    found = run.binders(take)
    return bool(found) and not any((module, index) in run.ran for index in found)
