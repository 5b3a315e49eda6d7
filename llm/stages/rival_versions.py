"""The question for rivals of a function: other versions by a model, some wrong, some right."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel

from ..checks.allowed_code import Call
from ..client.model_settings import Settings
from ..client.questions import Request
from ..prompts.prompts import bounded, messages

MOST_RIVALS = 12
"""Maximum number of rivals in one answer that are tried."""
MOST_CALLS = 4
"""Maximum number of calls for one rival."""
_MOST_CONTEXT = 24_000
"""Maximum number of characters of the script; the prompt says that the rest is left out."""


class WrittenRival(BaseModel):
    """One other version."""

    what: str
    right: bool
    code: str
    calls: list[Call] = []


class WrittenRivals(BaseModel):
    """What a model answers."""

    rivals: list[WrittenRival]


@dataclass(frozen=True, slots=True)
class TargetDescription:
    """The parts of the prompt that describe the function."""

    function: str
    """The function's lines with numbers."""
    context: str
    """The text of the slice."""
    calls: str
    """How the function is called."""
    purpose: str


def rivals_request(rivalled: TargetDescription, settings: Settings) -> Request[WrittenRivals]:
    """Return the question for other versions.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {
        "function": rivalled.function,
        "context": bounded(rivalled.context, _MOST_CONTEXT),
        "calls": rivalled.calls,
        "most": str(MOST_RIVALS),
    }
    prompt = messages("rivals", parts, settings.prompts)
    return Request(prompt, WrittenRivals, rivalled.purpose, most_tokens=8000)
