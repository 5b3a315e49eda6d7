"""How alike an answer and the original are as texts, by three measures."""

from __future__ import annotations

from dataclasses import dataclass

from .code_bleu import code_bleu
from .text_similarity import edit_similarity, is_exact_match

_LONGEST = 200_000
"""Characters of an answer above which it counts as unlike: no definition is so long."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Measures that say little of behaviour."""

    exact_match: bool = False
    edit_similarity: float = 0.0
    codebleu: float = 0.0


def likeness(code: str, original: str) -> Likeness:
    """Return the measures; all are 0 without an original, and for an answer that is too long."""
    if not original or len(code) > _LONGEST:
        return Likeness()
    return Likeness(
        is_exact_match(code, original),
        round(edit_similarity(code, original), 6),
        round(code_bleu(code, original), 6),
    )
