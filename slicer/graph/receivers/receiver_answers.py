"""Queries to an inference library, and its answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from ..open_calls import OpenCall

Tool = Literal["jedi", "astroid"]
TOOLS: tuple[Tool, ...] = ("jedi", "astroid")
Outcome = Literal["answered", "unknown", "failed", "given up"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Time limits of a run, in seconds."""

    seconds: float = 60.0
    """Limit for all calls together, including the files read for them."""
    seconds_each: float = 2.0
    """Limit for one call, enforced only on the main thread and with interval timers."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A definition that a call may run."""

    path: str | None
    """File inside the repository; `None` for a place outside."""
    line: int
    """Line of its `def` or `class`, or of the start of a lambda."""
    name: str
    what: str
    """`function`, `class`, or `instance`: the answer is then the class whose `__call__` runs."""


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """One call with the answers for it."""

    call: OpenCall
    tool: Tool
    outcome: Outcome
    answers: tuple[Answer, ...]
    callees: tuple[str, ...]
    """Nodes of the graph for the answers."""
    seconds: float


class InferenceTool(Protocol):
    """A library that infers what calls run."""

    def prepare(self) -> None:
        """Read the files that all queries need, unless that has been done."""
        ...

    def definitions_of_call(self, call: OpenCall) -> tuple[Answer, ...]:
        """Return the definitions that the call may run, sorted; empty if unknown."""
        ...

    def forget(self) -> None:
        """Drop the partial state of an interrupted query."""
        ...

    def close(self) -> None:
        """Remove everything that the library keeps."""
        ...


def in_order(answers: Iterable[Answer | None]) -> tuple[Answer, ...]:
    """Return the answers sorted, without repeats."""
    found = {answer for answer in answers if answer is not None}
    return tuple(sorted(found, key=lambda a: (a.path or "", a.line, a.name, a.what)))
