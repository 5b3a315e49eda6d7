"""What simulated models do, by the beginning of their names.

Each is a function of what is asked, the right answer, wrong answers, and a number drawn between 0
and 1. A model's name may end with a parameter: `gold-0.3` is right in three of ten samples.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...datasets.exports.task_files import fenced
from .subjects import Subject

_FEEDBACK = re.compile(r"Your code passes \d+ of \d+ tests")
_ROUNDS = 2
_LOOK_UP = "get_related_snippets"
_NOTE = "One more try has failed."
_ASKS_FOR_NOTE = re.compile(r"Do not write the code yet")


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a simulated model is asked, and what it knows."""

    subject: Subject
    """The task of the question."""
    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[str]
    """Names of the tools that it may call."""
    parameter: float
    """The number in the model's name."""
    draw: float
    """A number between 0 and 1, anew for each sample."""

    @property
    def gold(self) -> str:
        """The right answer."""
        return self.subject.gold

    @property
    def rival(self) -> str:
        """A wrong answer."""
        return self.subject.wrong[int(self.draw * 1e6) % len(self.subject.wrong)]

    @property
    def seen(self) -> str:
        """All text that it was given."""
        return "\n".join(str(each.get("content") or "") for each in self.messages)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool."""

    name: str
    arguments: dict[str, Any]


Said = str | Call
Behaviour = Callable[[Exchange], Said]


def gold(exchange: Exchange) -> Said:
    """Be right with the probability in the name."""
    return exchange.gold if exchange.draw < exchange.parameter else exchange.rival


def varied(exchange: Exchange) -> Said:
    """Be right with the probability in the name, in other words than the original where it can."""
    if exchange.draw >= exchange.parameter:
        return exchange.rival
    right = exchange.subject.equivalent or [exchange.gold]
    return right[int(exchange.draw * 1e6) % len(right)]


def needs_definitions(exchange: Exchange) -> Said:
    """Be right where the head of every definition that the slice holds has been seen.

    Where tools are offered, look up each that has not.
    """
    seen = exchange.seen
    missing = [head for head in exchange.subject.heads if head not in seen]
    asked = {
        call["function"]["arguments"]
        for message in exchange.messages
        for call in message.get("tool_calls") or ()
    }
    for head in missing if _LOOK_UP in exchange.tools else ():
        arguments = {"search_string": head}
        if json.dumps(arguments) not in asked:
            return Call(_LOOK_UP, arguments)
    return exchange.rival if missing else exchange.gold


def needs_feedback(exchange: Exchange) -> Said:
    """Be right when two tries have failed; in a note, remember them."""
    seen = exchange.seen
    tries = len(_FEEDBACK.findall(seen)) + seen.count(_NOTE)
    if _ASKS_FOR_NOTE.search(str(exchange.messages[-1].get("content"))):
        return _NOTE
    return exchange.gold if tries >= _ROUNDS else exchange.rival


def cheats(exchange: Exchange) -> Said:
    """Try to end the process before anything is compared."""
    name = exchange.subject.name.rpartition(".")[2]
    return fenced(f"import os\n\n\ndef {name}(*args, **kwargs):\n    os._exit(0)\n")


BEHAVIOURS: dict[str, Behaviour] = {
    "gold": gold,
    "varied": varied,
    "needs-definitions": needs_definitions,
    "needs-feedback": needs_feedback,
    "cheats": cheats,
}
