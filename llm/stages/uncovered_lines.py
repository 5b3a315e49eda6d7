"""The question about uncovered lines: calls that reach lines of a function which no input has
reached.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel

from ..checks.allowed_code import Call
from ..client.model_settings import Settings
from ..client.questions import Request
from ..prompts.prompts import bounded, messages, question

MOST_CALLS = 6
"""Of one answer that are tried."""
_MOST_CONTEXT = 24_000
"""Characters of the script that are shown; the rest is left out, and that is said."""


class Calls(BaseModel):
    """What a model answers."""

    calls: list[Call]


@dataclass(frozen=True, slots=True)
class InputGap:
    """What a model is told of a function that is not reached in full."""

    function: str
    """Its lines, with their numbers."""
    context: str
    """The script that it stands in."""
    calls: str
    """How it is called."""
    missing: str
    """What was not reached."""
    tried: str
    """What calls that came close have done."""
    purpose: str


def inputs_request(gap: InputGap, settings: Settings) -> Request[Calls]:
    """The question for calls that reach what is missing.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {
        "function": gap.function,
        "context": bounded(gap.context, _MOST_CONTEXT),
        "calls": gap.calls,
        "missing": gap.missing,
        "tried": gap.tried or "Nothing has come close.",
        "most": str(MOST_CALLS),
    }
    return Request(messages("inputs", parts, settings.prompts), Calls, gap.purpose)


def again_request(
    request: Request[Calls], said: str, came: str, missing: str, settings: Settings
) -> Request[Calls]:
    """The same question, with what came of an answer.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {"came": came or "Nothing.", "missing": missing}
    known = "".join(message.text for message in request.messages) + said
    return request.after(said, question("again", parts, settings.prompts, beside=known))
