"""Kappas and intervals, against published examples and what must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.metrics.intervals import wilson
from slicefunc.driver.reports.audit.agreement import cohen_kappa, fleiss_kappa

ANSWERS = st.sampled_from(["yes", "no", "unsure"])
PAIRS = st.lists(st.tuples(ANSWERS, ANSWERS), min_size=1, max_size=40)
ORDER = ("easy", "medium", "hard")
ORDERED_PAIRS = st.lists(
    st.tuples(st.sampled_from(ORDER), st.sampled_from(ORDER)), min_size=1, max_size=40
)
DIAGNOSES = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip
"""Fourteen raters put ten subjects into five classes."""


def _pairs(table: list[list[int]]) -> tuple[list[int], list[int]]:
    """The answers of two raters, from how often each pair of answers was given."""
    every = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return [i for i, _ in every], [j for _, j in every]


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        ([[20, 5], [10, 15]], 0.4),
        ([[45, 15], [25, 15]], 0.1304),
        ([[25, 35], [5, 35]], 0.2593),
        ([[88, 14, 18], [10, 40, 10], [2, 6, 12]], 0.492),
    ],
    ids=["grants", "few", "many", "Cohen 1960"],
)
def test_cohen_kappa_of_published_tables(table: list[list[int]], kappa: float) -> None:
    assert cohen_kappa(*_pairs(table)) == pytest.approx(kappa, abs=5e-4)


def test_fleiss_kappa_of_a_published_table() -> None:
    answers = [[a for a, n in enumerate(row) for _ in range(n)] for row in DIAGNOSES]
    assert fleiss_kappa(answers) == pytest.approx(0.210, abs=5e-4)


@pytest.mark.parametrize(
    ("successes", "trials", "interval"),
    [
        (81, 263, (0.2553, 0.3662)),
        (15, 148, (0.0624, 0.1605)),
        (0, 20, (0.0, 0.1611)),
        (1, 29, (0.0061, 0.1718)),
    ],
)
def test_wilson_intervals_of_newcombe_1998(
    successes: int, trials: int, interval: tuple[float, float]
) -> None:
    assert wilson(successes, trials) == pytest.approx(interval, abs=5e-5)


@given(PAIRS)
def test_cohen_kappa_is_symmetric_and_at_most_one(pairs: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    kappa = cohen_kappa(first, second)
    assert kappa == pytest.approx(cohen_kappa(second, first))
    assert kappa is None or -1 - 1e-9 <= kappa <= 1 + 1e-9


@given(PAIRS, st.permutations(["yes", "no", "unsure"]))
def test_cohen_kappa_does_not_depend_on_names(
    pairs: list[tuple[str, str]], others: list[str]
) -> None:
    renamed = dict(zip(["yes", "no", "unsure"], others, strict=True))
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    again = cohen_kappa([renamed[a] for a in first], [renamed[b] for b in second])
    assert again == pytest.approx(cohen_kappa(first, second))


@given(st.lists(ANSWERS, min_size=2, max_size=40).filter(lambda each: len(set(each)) > 1))
def test_full_agreement_is_one(answers: list[str]) -> None:
    assert cohen_kappa(answers, answers) == 1
    assert fleiss_kappa([(each, each, each) for each in answers]) == pytest.approx(1)


@given(ORDERED_PAIRS)
def test_weights_of_two_classes_change_nothing(pairs: list[tuple[str, str]]) -> None:
    two = [(a, b) for a, b in pairs if "medium" not in {a, b}]
    first, second = [a for a, _ in two], [b for _, b in two]
    assert cohen_kappa(first, second, ("easy", "hard")) == pytest.approx(cohen_kappa(first, second))


def test_a_near_answer_counts_more_than_a_far_one() -> None:
    first = ["easy", "medium", "hard", "easy"]
    near = cohen_kappa(first, ["medium", "medium", "hard", "easy"], ORDER)
    far = cohen_kappa(first, ["hard", "medium", "hard", "easy"], ORDER)
    assert near is not None
    assert far is not None
    assert near > far


@given(PAIRS)
def test_fleiss_kappa_of_two_raters_is_that_of_pooled_shares(pairs: list[tuple[str, str]]) -> None:
    """Scott's pi, which Fleiss' kappa generalises."""
    number = len(pairs)
    pooled = [each for pair in pairs for each in pair]
    expected = sum((pooled.count(each) / len(pooled)) ** 2 for each in set(pooled))
    observed = sum(a == b for a, b in pairs) / number
    kappa = fleiss_kappa(pairs)
    if kappa is None:
        assert expected == 1
    else:
        assert kappa == pytest.approx((observed - expected) / (1 - expected))


@given(st.integers(0, 300), st.integers(1, 300))
def test_an_interval_holds_its_share_and_narrows_with_more_trials(good: int, bad: int) -> None:
    low, high = wilson(good, good + bad) or (0, 0)
    assert 0 <= low <= good / (good + bad) <= high <= 1
    more_low, more_high = wilson(10 * good, 10 * (good + bad)) or (0, 0)
    assert more_high - more_low < high - low


@pytest.mark.parametrize("same", [["yes"] * 3, []])
def test_what_is_undefined_is_none(same: list[str]) -> None:
    assert cohen_kappa(same, same) is None
    assert fleiss_kappa([(each, each) for each in same]) is None
    assert fleiss_kappa([("yes",), ("no",)]) is None
    assert wilson(0, 0) is None


def test_items_with_other_numbers_of_answers_are_refused() -> None:
    with pytest.raises(ValueError, match="different numbers"):
        fleiss_kappa([("yes", "no"), ("yes",)])
