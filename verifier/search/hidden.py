"""Hidden cases: many and diverse calls that decide a verdict, and that nobody is shown.

Few cases that together kill all mutants let a plausible wrong candidate pass: what protects is the
number of cases, and how they differ.
"""

from __future__ import annotations

from collections.abc import Sequence

from .diversity import diverse
from .drafts import Draft
from .explored import Explored
from .plausible import Plausible
from .proposals import proposals
from .selection import Selection
from .words import Words

MOST_HIDDEN = 128


def hidden_calls(
    selection: Selection,
    kept: Sequence[Explored],
    explored: Sequence[Explored],
    recorded: Sequence[Draft],
    words: Words,
    known: Plausible,
) -> tuple[list[Explored], list[Explored]]:
    """Diverse calls beside those that are kept, and all others that may be cases.

    Args:
        selection: where they are tried.
        kept: the cases that people are shown.
        explored: what else was tried and may be a case, the best first.
        recorded: calls that somebody makes of the target.
        words: literals of the code.
        known: which arguments are plausible.
    """
    seeds = dict.fromkeys((*recorded, *(each.draft for each in (*kept, *explored))))
    made = proposals(list(seeds), selection.inputs, words, known)
    tried = selection.explored([each.draft for each in made], selection.trial)
    shown = {e.draft for e in kept}
    found = [
        (proposal, each)
        for proposal, each in zip(made, tried, strict=False)
        if each.draft not in shown and selection.may_be_case(each)
    ]
    chosen = diverse(found, MOST_HIDDEN)
    known_ones = set(chosen)
    return chosen, [each for _, each in found if each not in known_ones]


def simplest(hidden: Sequence[Explored], kept: Sequence[Explored], count: int) -> list[Explored]:
    """The shortest hidden calls that show something that none of the kept ones shows."""
    seen = {each.tried.observation for each in kept}
    found: list[Explored] = []
    for each in sorted(hidden, key=lambda e: (e.cost, repr(e.draft))):
        if len(found) < count and each.tried.observation not in seen:
            seen.add(each.tried.observation)
            found.append(each)
    return found
