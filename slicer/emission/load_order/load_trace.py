"""A trace of the order in which Python loads modules and runs statements, computed without running
them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Place = tuple[str, int]
"""A top-level statement: module, index."""
Take = tuple[str, str]
"""A name that an import takes: module, name."""


@dataclass(frozen=True, slots=True)
class Step:
    """A top-level statement that loads modules, takes names from them, and then has run."""

    index: int
    loads: tuple[str, ...]
    """Modules that it starts unless they have started, each below its parent packages."""
    takes: tuple[Take, ...] = ()


@dataclass(frozen=True, slots=True)
class ExternalLoads:
    """What is loaded from outside, in order."""

    names: tuple[str, ...]
    body: str | None = None
    """A module that counts as started from the beginning, and runs last: a script's own."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What happened."""

    started: Mapping[str, Place | None]
    """Module → the statement that started it, in order."""
    begun: Mapping[str, int]
    """Module → how many statements had run when it started."""
    ran: Mapping[Place, int]
    """Statement → its position among those that have run."""
    early: frozenset[tuple[Place, Take]]
    """Imports of names that their modules, still loading, had not bound yet."""

    def load_stack(self, name: str) -> Iterator[str]:
        """Modules in the midst of which a module loads, from the inside."""
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
    """Load the modules as Python would: each once, in the midst of the first one that asks for it.

    Args:
        starts: What is loaded from outside.
        steps: The statements of a module.
        binders: The statements of a module that bind a name; empty where that is not known.
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
    # a stack of its own: imports of large packages nest deeper than Python's
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
    """The first of the loads that are left of a step that has not started yet."""
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
