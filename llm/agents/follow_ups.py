"""The texts with which agents go on: feedback, retrieved code, requests for the next try."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..client.chat import ChatAnswer
from ..client.questions import Message
from ..prompts.prompts import plain_text
from .contract import Feedback, Passage, Workbench

_MOST_CALLS = 8
"""Calls of one turn that are answered."""


def repair_question(found: Feedback) -> str:
    """Return the request to write the code again, with what was wrong."""
    return plain_text("repair", {"feedback": feedback_text(found)})


def feedback_text(found: Feedback) -> str:
    """Return how many shown cases pass, and the first that does not."""
    if found.is_solved:
        return f"Your code passes {found.passed} of {found.cases} tests."
    parts = {"passed": str(found.passed), "cases": str(found.cases), "difference": found.text}
    return plain_text("feedback", parts)


def retrieved_question(question: str, passages: Sequence[Passage]) -> str:
    """Return a question below retrieved passages."""
    return with_snippets(question, passages_text(passages)) if passages else question


def with_snippets(question: str, snippets: str) -> str:
    """Return a question below code of the repository."""
    return plain_text("retrieved", {"passages": snippets, "question": question})


def passages_text(passages: Sequence[Passage]) -> str:
    """Return retrieved code, each passage below the comment that says where it is."""
    return "\n\n".join(
        f"# {each.path}:{each.first}-{each.last}\n{each.text.rstrip()}" for each in passages
    )


def answered_calls(bench: Workbench, answer: ChatAnswer) -> Iterator[Message]:
    """Yield what tools answer to the calls of a turn; every call needs an answer."""
    for number, call in enumerate(answer.calls):
        said = "too many calls at once"
        if number < _MOST_CALLS:
            said = bench.call_tool(call.name, call.arguments)
        yield Message("tool", said, call=call.id)
