"""Intervals: figures of the literature, and what every interval must do."""

from __future__ import annotations

import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.metrics.intervals import clustered_bootstrap, wald, wilson

shares = st.floats(0, 1)
differences = st.floats(-1, 1)


def _groups(values: st.SearchStrategy[float]) -> st.SearchStrategy[dict[str, list[float]]]:
    some = st.lists(values, min_size=1, max_size=5)
    return st.dictionaries(st.text(max_size=3), some, min_size=2, max_size=20)


@pytest.mark.parametrize(
    ("passed", "of", "low", "high"),
    # method 3 in table I of Newcombe (1998)
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_figures_of_newcombe(
    passed: int, of: int, low: float, high: float
) -> None:
    assert wilson(passed, of) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("passed", "of", "low", "high"),
    # method 1 of the same table, cut off at 0
    [(81, 263, 0.2522, 0.3638), (15, 148, 0.0527, 0.1500), (1, 29, 0, 0.1009)],
)
def test_wald_gives_the_figures_of_newcombe(passed: int, of: int, low: float, high: float) -> None:
    assert wald(passed / of, of) == pytest.approx((low, high), abs=5e-5)


def test_no_items_have_no_interval() -> None:
    assert (wilson(0, 0), wald(0.0, 0)) == (None, None)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_and_wald_hold_the_share_and_stay_between_0_and_1(counts: tuple[int, int]) -> None:
    passed, of = counts
    for found in (wilson(passed, of), wald(passed / of, of)):
        assert found
        assert 0 <= found[0] <= passed / of <= found[1] <= 1


@given(st.integers(0, 50), st.integers(1, 50))
def test_wilson_narrows_with_more_trials_of_the_same_share(passed: int, more: int) -> None:
    few, many = wilson(passed, 50), wilson(passed * (1 + more), 50 * (1 + more))
    assert few
    assert many
    assert many[1] - many[0] < few[1] - few[0]


@pytest.mark.parametrize("groups", [{}, {"a": [0.0, 1.0]}, {"a": [1.0], "b": []}])
def test_fewer_than_two_groups_have_no_bootstrap(groups: dict[str, list[float]]) -> None:
    assert clustered_bootstrap(groups) is None


@pytest.mark.parametrize("value", [0.0, 0.25, 1.0])
def test_equal_groups_have_the_interval_of_wilson_for_as_many_trials(value: float) -> None:
    groups = {name: [value] * size for size, name in enumerate("abcdefgh", 1)}
    assert clustered_bootstrap(groups) == pytest.approx(wilson(8 * value, 8))


def test_equal_differences_have_the_interval_of_wilson_on_their_scale() -> None:
    scaled = wilson(5, 10)
    assert scaled
    found = clustered_bootstrap({name: [0.0] for name in "abcdefghij"}, low=-1.0)
    assert found == pytest.approx([2 * each - 1 for each in scaled])


@given(_groups(shares))
def test_a_bootstrap_of_shares_stays_between_0_and_1(groups: dict[str, list[float]]) -> None:
    found = clustered_bootstrap(groups)
    assert found
    assert 0 <= found[0] <= found[1] <= 1


@given(_groups(differences))
def test_a_bootstrap_of_differences_stays_between_minus_1_and_1(
    groups: dict[str, list[float]],
) -> None:
    found = clustered_bootstrap(groups, low=-1.0)
    assert found
    assert -1 <= found[0] <= found[1] <= 1


@given(_groups(shares))
def test_a_bootstrap_depends_on_no_order_of_groups(groups: dict[str, list[float]]) -> None:
    other = dict(reversed(groups.items()))
    assert clustered_bootstrap(groups) == clustered_bootstrap(other)


def test_a_bootstrap_holds_the_mean_of_all_values() -> None:
    groups = {str(number): [number % 3 / 2, number % 5 / 4] for number in range(30)}
    found = clustered_bootstrap(groups)
    mean = fmean(value for values in groups.values() for value in values)
    assert found
    assert found[0] < mean < found[1]


@pytest.mark.parametrize("others", [0.0, 1.0])
def test_a_bootstrap_reaches_beyond_the_mean_where_one_item_differs(others: float) -> None:
    groups = {"one": [1 - others], **{str(number): [others] for number in range(49)}}
    found = clustered_bootstrap(groups)
    mean = fmean(value for values in groups.values() for value in values)
    assert found
    assert found[0] < mean < found[1]


def test_groups_that_are_alike_inside_have_a_wider_interval_than_their_items() -> None:
    clusters = {str(number): [float(number % 2)] * 10 for number in range(20)}
    items = {
        f"{name} {i}": [value]
        for name, values in clusters.items()
        for i, value in enumerate(values)
    }
    wide, narrow = clustered_bootstrap(clusters), clustered_bootstrap(items)
    assert wide
    assert narrow
    assert wide[1] - wide[0] > 2 * (narrow[1] - narrow[0])


def test_a_bootstrap_of_many_equal_draws_is_near_the_normal_interval() -> None:
    found = clustered_bootstrap({str(number): [float(number % 2)] for number in range(400)})
    assert found == pytest.approx(
        (0.5 - 1.96 / math.sqrt(1600), 0.5 + 1.96 / math.sqrt(1600)), abs=0.005
    )


def test_a_bootstrap_of_few_groups_is_that_of_student() -> None:
    # mean 0.5, standard error 1 / sqrt(12), and 3.182 for three degrees of freedom, which is cut
    assert clustered_bootstrap({"a": [0.0], "b": [0.0], "c": [1.0], "d": [1.0]}) == (0.0, 1.0)
    found = clustered_bootstrap({"a": [0.4], "b": [0.4], "c": [0.6], "d": [0.6]})
    half = 3.182 * 0.1 / math.sqrt(3)
    assert found == pytest.approx((0.5 - half, 0.5 + half), abs=0.02)
