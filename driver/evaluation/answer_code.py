"""The fenced blocks of a model's answer, and the one that is scored."""

from __future__ import annotations

import warnings

from ...slicer.syntax.dedent import dedented
from ...verifier.scoring.candidates.candidate_text import FENCE, scored_block
from ...verifier.scoring.candidates.definition_blocks import split_name


def fenced_blocks(answer: str) -> list[str]:
    """Return the texts of the fenced blocks of an answer; the last one may lack its end."""
    return [found["text"] for found in FENCE.finditer(answer)]


def code_of(answer: str, qualname: str = "") -> str:
    """Return the code in an answer: of several blocks the one that is scored.

    Where none of them defines the target, or there is no target, it is the longest; without a
    block, the whole answer.

    Args:
        answer: the answer, in Markdown.
        qualname: qualified name of the function that was asked for.
    """
    chosen = _scored(answer, qualname) if qualname else None
    if chosen is None:
        chosen = max(fenced_blocks(answer), key=len, default=answer)
    return dedented(chosen.lstrip("\n")).strip("\n") + "\n"


def _scored(answer: str, qualname: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escape sequences
            return scored_block(answer, split_name(qualname))
    except (RecursionError, MemoryError):
        return None
