"""The question about stubbed values: what a missing settings module holds, and what a service
answers.

Where a module is stubbed, the slice knows at which places it takes data from it. Values there are
inferred from uses. A model may propose others, which must be plain literals.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from ..client.model_settings import Settings
from ..client.questions import Request
from ..prompts.prompts import bounded, messages

_MOST_CONTEXT = 24_000
"""Maximum number of characters of the script."""
_LONGEST = 4_000
"""Maximum number of characters of one value."""


class StandIn(BaseModel):
    """What stands at one place."""

    place: str
    value: str


class StandIns(BaseModel):
    """What a model answers."""

    answers: list[StandIn]


@dataclass(frozen=True, slots=True)
class AnswerGap:
    """The prompt's data on a function whose stand-ins may be in its way."""

    function: str
    """The function's lines with numbers."""
    context: str
    """The script that contains the function."""
    places: Mapping[str, str]
    """Place → its present value; empty if unknown."""
    missing: str
    """What was not reached, and how calls ended."""
    purpose: str


def answers_request(gap: AnswerGap, settings: Settings) -> Request[StandIns]:
    """Return the question for values at the places of stand-ins.

    Raises:
        OptionError: a prompt of the user's cannot be used.
    """
    parts = {
        "function": gap.function,
        "context": bounded(gap.context, _MOST_CONTEXT),
        "places": "\n".join(f"{place}: {now or 'unknown'}" for place, now in gap.places.items()),
        "missing": gap.missing,
    }
    return Request(messages("answers", parts, settings.prompts), StandIns, gap.purpose)


def checked_answers(
    answer: StandIns, places: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return place → normalised literal for the usable entries, and the faults of the others."""
    found: dict[str, str] = {}
    faults: list[str] = []
    for each in answer.answers:
        fault = ""
        if each.place not in places:
            fault = "there is no such place"
        elif len(each.value) > _LONGEST:
            fault = f"it has more than {_LONGEST} characters"
        else:
            try:
                node = ast.parse(each.value.strip(), mode="eval")
                ast.literal_eval(node)
                found[each.place] = ast.unparse(node)  # `repr` of a set varies
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                fault = "it is no literal"
        if fault:
            faults.append(f"{each.place}: {fault}")
    return found, tuple(faults)
