"""Preferences: pairs of a right and a wrong answer to the same question, the hardest first.

A wrong answer is hard where it is nearly right. The hardest are those that pass all shown cases and
fail hidden ones, as nobody who sees the shown cases could tell them from right answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

from .answers import rank
from .candidates import Candidate
from .examples import Preference
from .functions import TrainingFunction, answer_of

REFUTED = "refuted"
REFUTED_MUTANT = "refuted mutant"
HIDDEN = "hidden failure"
HIDDEN_MUTANT = "hidden mutant"
FAILED = "failure"
MUTANT = "mutant"
KINDS = {
    REFUTED: "samples that pass all cases, and that fresh inputs refute",
    REFUTED_MUTANT: "mutants of the original that pass all cases, and that fresh inputs refute",
    HIDDEN: "samples that pass all shown cases and fail hidden ones",
    HIDDEN_MUTANT: "mutants of the original that pass all shown cases and fail hidden ones",
    FAILED: "other samples that fail",
    MUTANT: "mutants of the original that cases kill",
}
"""Kinds of wrong answers, the hardest first, with what they are."""
_MUTANTS = frozenset({REFUTED_MUTANT, HIDDEN_MUTANT, MUTANT})


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A definition that is known to be wrong."""

    code: str
    kind: str
    """One of `KINDS`."""


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """A definition that is known to be right."""

    code: str
    source: str


def failures(candidates: Iterable[Candidate]) -> Iterator[WrongAnswer]:
    """Yield failing samples as wrong answers, by kind."""
    for each in candidates:
        yield WrongAnswer(each.code, HIDDEN if each.passes_shown else FAILED)


def preferences(
    function: TrainingFunction,
    right: Sequence[RightAnswer],
    wrong: Iterable[WrongAnswer],
    digests: Mapping[str, str],
    most: int,
    seed: int,
) -> list[Preference]:
    """Return at most so many pairs: each wrong answer once.

    A sample stands against the right answers in turn, a mutant against the original, which it
    differs from in nothing but the mistake.

    Args:
        function: the function.
        right: right answers; the last one is the original.
        wrong: wrong answers; one whose tree is that of another, or of a right one, is left out.
        digests: digest of the tree of each text.
        most: maximum number of pairs.
        seed: decides which of the equally hard answers come first.
    """
    order = list(KINDS)
    known = {digests[each.code] for each in right}
    chosen = cycle(right)
    found: list[Preference] = []
    for each in sorted(
        wrong, key=lambda one: (order.index(one.kind), rank(function.id, one.code, seed))
    ):
        tree = digests[each.code]
        if tree in known or len(found) >= most or not each.code.strip():
            continue
        known.add(tree)
        good = right[-1] if each.kind in _MUTANTS else next(chosen)
        found.append(
            Preference(function, answer_of(good.code), answer_of(each.code), good.source, each.kind)
        )
    return found
