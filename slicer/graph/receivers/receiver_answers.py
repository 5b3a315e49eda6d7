"""Queries about open calls, and the answers to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..open_calls import OpenCall

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
    outcome: Outcome
    answers: tuple[Answer, ...]
    callees: tuple[str, ...]
    """Nodes of the graph for the answers."""
    seconds: float
