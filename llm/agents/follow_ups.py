"""The texts with which agents go on: feedback, retrieved code, requests for the next try."""

from __future__ import annotations

from collections.abc import Sequence

from ..prompts.prompts import plain_text
from .contract import Feedback, Passage


def repair_question(found: Feedback) -> str:
    """Return the request to write the code again, with what was wrong."""
    return plain_text(
        "repair",
        {"passed": str(found.passed), "cases": str(found.cases), "difference": found.text},
    )


def passages_text(passages: Sequence[Passage]) -> str:
    """Return retrieved code, each passage below the comment that says where it is."""
    return "\n\n".join(
        f"# {each.path}:{each.first}-{each.last}\n{each.text.rstrip()}" for each in passages
    )
