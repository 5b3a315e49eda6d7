"""Agreement beyond chance, and intervals of shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def cohen_kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    order: Sequence[Hashable] = (),
) -> float | None:
    """Return Cohen's kappa of two raters (Cohen, 1960), with linear weights for ordered answers.

    Args:
        first: answers of one rater.
        second: answers of the other to the same items.
        order: the answers in their order, if they have one (Cohen, 1968).

    Returns:
        A number up to 1, or `None` if it is undefined: without items, or where both always gave
        one and the same answer.
    """
    number = len(first)
    if not number:
        return None
    place = {answer: at for at, answer in enumerate(order)}

    def distance(one: Hashable, other: Hashable) -> float:
        if not order:
            return float(one != other)
        return abs(place[one] - place[other]) / max(len(order) - 1, 1)

    observed = sum(map(distance, first, second)) / number
    counts, others = Counter(first), Counter(second)
    expected = sum(
        counts[one] * others[other] * distance(one, other) for one in counts for other in others
    ) / (number * number)
    return 1 - observed / expected if expected else None


def fleiss_kappa(answers: Sequence[Sequence[Hashable]]) -> float | None:
    """Return Fleiss' kappa (Fleiss, 1971) of the answers to each item by the same number of raters.

    Returns:
        A number up to 1, or `None` if it is undefined: with fewer than two raters, without items,
        or where all answers are the same.

    Raises:
        ValueError: the items have different numbers of answers.
    """
    sizes = {len(each) for each in answers}
    if len(sizes) > 1:
        raise ValueError("the items have different numbers of answers")
    raters = sizes.pop() if sizes else 0
    if raters < 2:
        return None
    counts = [Counter(each) for each in answers]
    pairs = raters * (raters - 1)
    observed = sum(n * (n - 1) for each in counts for n in each.values()) / (pairs * len(answers))
    totals = sum(counts, Counter[Hashable]())
    whole = raters * len(answers)
    expected = sum((each / whole) ** 2 for each in totals.values())
    return (observed - expected) / (1 - expected) if len(totals) > 1 else None
