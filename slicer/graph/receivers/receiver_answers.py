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
    """How long a run may take."""

    seconds: float = 60.0
    """All calls together, and what has to be read for them."""
    seconds_each: float = 2.0
    """One call. Held on the main thread of systems that have interval timers, else not at all."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A definition that a call may mean."""

    path: str | None
    """File inside the repository; `None` for what lies elsewhere."""
    line: int
    """Line of its `def` or `class`, or of a lambda's beginning."""
    name: str
    what: str
    """`function`, `class`, or `instance`: given by its class, of which `__call__` is meant."""


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """One call, and what came of asking."""

    call: OpenCall
    tool: Tool
    outcome: Outcome
    answers: tuple[Answer, ...]
    callees: tuple[str, ...]
    """Nodes of the graph that these are."""
    seconds: float


class InferenceTool(Protocol):
    """A library that says what calls mean."""

    def prepare(self) -> None:
        """Read what has to be read before anything is asked, unless that has been done."""
        ...

    def definitions_of_call(self, call: OpenCall) -> tuple[Answer, ...]:
        """The definitions that the call may mean, sorted; none where the library does not know."""
        ...

    def forget(self) -> None:
        """Drop what a question that was broken off may have left half done."""
        ...

    def close(self) -> None:
        """Leave nothing behind."""
        ...


def in_order(answers: Iterable[Answer | None]) -> tuple[Answer, ...]:
    """The answers sorted, each once."""
    found = {answer for answer in answers if answer is not None}
    return tuple(sorted(found, key=lambda a: (a.path or "", a.line, a.name, a.what)))
