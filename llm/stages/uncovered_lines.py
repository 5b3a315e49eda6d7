"""The question about uncovered lines: calls that reach what no input has reached."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel

from ..checks.allowed_code import Call
from ..client.model_settings import Settings
from ..client.questions import Request
from ..prompts.prompts import bounded, messages, question

MOST_CALLS = 6
"""Maximum number of calls in one answer that are tried."""
_MOST_CONTEXT = 24_000
"""Maximum number of characters of the script; the prompt says that the rest is left out."""


class Calls(BaseModel):
    """What a model answers."""

    calls: list[Call]


@dataclass(frozen=True, slots=True)
class InputGap:
    """The prompt's data on a function that is not fully covered."""

    function: str
    """The function's lines with numbers."""
    context: str
    """The script that contains the function."""
    calls: str
    """How the function is called."""
    missing: str
    """What was not reached."""
    tried: str
    """Outcomes of calls that came close."""
    purpose: str


def inputs_request(gap: InputGap, settings: Settings) -> Request[Calls]:
    """Return the question for calls that reach what is missing.

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
    request: Request[Calls], answer: str, came: str, missing: str, settings: Settings
) -> Request[Calls]:
    """Return the same question, with the outcome of an answer.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {"came": came or "Nothing.", "missing": missing}
    known = "".join(message.text for message in request.messages) + answer
    return request.after(answer, question("again", parts, settings.prompts, context=known))
