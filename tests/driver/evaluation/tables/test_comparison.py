"""Runs side by side: paired differences, McNemar's test, and labels."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.runs import Run
from slicefunc.driver.evaluation.tables.compare_tables import compare_tables
from slicefunc.driver.evaluation.tables.comparison import (
    comparison,
    difference,
    labels_of,
    mcnemar,
)

from tests.driver.evaluation.sample_rows import run_of, sample

P, F = "passed", "failed"


@pytest.mark.parametrize("count", range(11))
def test_mcnemar_is_the_share_of_equally_likely_splits_that_are_as_uneven(count: int) -> None:
    splits = [sum(each) for each in product((0, 1), repeat=count)]
    for gained in range(count + 1):
        uneven = abs(2 * gained - count)
        share = sum(abs(2 * each - count) >= uneven for each in splits) / len(splits)
        assert mcnemar(gained, count - gained) == pytest.approx(share)


@given(st.integers(0, 500), st.integers(0, 500))
def test_mcnemar_has_no_direction_and_is_a_probability(gained: int, lost: int) -> None:
    assert 0 < mcnemar(gained, lost) == mcnemar(lost, gained) <= 1


def test_the_difference_is_the_second_run_less_the_first() -> None:
    first = run_of({"a1": F, "a2": F, "b1": P, "b2": F})
    second = run_of({"a1": P, "a2": P, "b1": F, "b2": P})
    found = difference(first, second, 1)
    assert (found["difference"], found["gained"], found["lost"]) == (0.5, 3, 1)
    assert found["mcnemar_p"] == pytest.approx(0.625)


@given(
    st.dictionaries(
        st.sampled_from(["a1", "a2", "b1", "b2", "c1"]), st.sampled_from([P, F]), min_size=1
    ),
    st.data(),
)
def test_runs_in_the_other_order_have_the_opposite_difference(
    verdicts: dict[str, str], data: st.DataObject
) -> None:
    other = {name: data.draw(st.sampled_from([P, F])) for name in verdicts}
    one, two = run_of(verdicts), run_of(other)
    there, back = difference(one, two, 1), difference(two, one, 1)
    assert there["difference"] == -back["difference"]
    assert (there["gained"], there["lost"]) == (back["lost"], back["gained"])


def test_only_environments_of_both_runs_are_compared_and_the_others_counted() -> None:
    found = difference(run_of({"a1": F, "a2": P}), run_of({"a1": P, "b1": P, "b2": F}), 1)
    assert (found["environments"], found["left_out"], found["difference"]) == (1, 3, 1.0)


def test_runs_without_a_common_environment_have_no_difference() -> None:
    found = difference(run_of({"a1": P}), run_of({"b1": F}), 1)
    assert (found["environments"], found["left_out"]) == (0, 2)
    assert found["difference"] is found["interval"] is found["mcnemar_p"] is None


def test_one_repository_has_no_interval_of_repositories() -> None:
    runs = run_of({"a1": P, "a2": F}), run_of({"a1": F, "a2": F})
    assert difference(*runs, 1)["interval"] is None


def test_a_run_does_not_differ_from_itself() -> None:
    run = run_of({"a1": P, "b1": F})
    found = difference(run, run, 1)
    assert (found["difference"], found["gained"], found["lost"]) == (0.0, 0, 0)
    low, high = found["interval"]
    assert low < 0 < high


def test_all_pairs_of_runs_are_compared() -> None:
    runs = [run_of({"a1": P}, model=name) for name in ("x", "y", "z")]
    pairs = comparison(runs, [1])["pairs"]
    assert [(each["first"], each["second"]) for each in pairs] == [
        ("x", "y"), ("x", "z"), ("y", "z"),
    ]  # fmt: skip


def test_a_k_that_one_run_has_not_the_samples_for_is_not_compared() -> None:
    two = Run("there", {"model": "n"}, (sample("a1"), sample("a1", sample=1)))
    assert [each["k"] for each in comparison([run_of({"a1": P}), two], [1, 2])["pairs"]] == [1]


# labels


def test_runs_are_called_by_what_differs_in_their_settings() -> None:
    runs = [
        run_of({}, context="slice", rounds=0),
        run_of({}, context="none", rounds=0),
        run_of({}, context="slice", rounds=2),
    ]
    assert labels_of(runs) == ["slice, rounds 0", "none, rounds 0", "slice, rounds 2"]


def test_runs_with_the_same_settings_are_called_by_their_places() -> None:
    runs = [run_of({}, location="one"), run_of({}, location="two")]
    assert labels_of(runs) == ["m (one)", "m (two)"]


def test_one_run_is_called_by_its_model() -> None:
    assert labels_of([run_of({})]) == ["m"]


@pytest.mark.parametrize("name", ["task", "docstring", "description"])
def test_every_setting_of_a_study_is_in_the_labels(name: str) -> None:
    labels = labels_of([run_of({}, **{name: "first"}), run_of({}, **{name: "second"})])
    assert "first" in labels[0]
    assert "second" in labels[1]


# the tables of it


def _tables(*runs: Run, by: tuple[str, ...] = ()) -> dict[str, list[tuple[str, ...]]]:
    tables = compare_tables(comparison(list(runs), [1]), by)
    return {each.title.partition(",")[0]: [each.heads, *each.rows] for each in tables}


def test_one_run_has_no_table_of_differences() -> None:
    assert list(_tables(run_of({"a1": P}))) == ["Runs"]


def test_the_table_says_that_runs_share_nothing() -> None:
    found = _tables(run_of({"a1": P}, model="x"), run_of({"b1": F}, model="y"))
    assert found["Paired differences"][1:] == [
        ("y vs x", "Pass@1", "0", "nothing shared", "", "-", "-")
    ]


def test_a_stratum_that_one_run_lacks_is_a_dash() -> None:
    found = _tables(run_of({"a1": P}, model="x"), run_of({"b1": F}, model="y"), by=("repository",))
    assert found["Pass@1 by repository"][1:] == [
        ("shop/a", "1", "100.0", "-"),
        ("shop/b", "1", "-", "0.0"),
    ]


def test_every_row_has_a_cell_for_each_head() -> None:
    runs = [run_of({"a1": P, "b1": F}, model=name) for name in ("x", "y")]
    for table in compare_tables(comparison(runs, [1]), ["family", "length", "scope"]):
        assert {len(row) for row in table.rows} == {len(table.heads)}


def test_empty_runs_have_tables_too() -> None:
    found = _tables(run_of({}, model="x"), run_of({}, model="y"), by=("length",))
    assert [row[0] for row in found["Runs"]] == ["run", "x", "y"]
