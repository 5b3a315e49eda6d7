"""The measures of a run, from samples whose figures are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.evaluation.metrics.summary import pass_by_round, summary

from tests.driver.evaluation.sample_rows import sample, tried

_VERDICTS = st.sampled_from(["passed", "failed", "error"])


def test_a_run_without_samples_has_measures_of_nothing() -> None:
    found = summary([], [1])
    assert (found["environments"], found["pass_at"], found["test_rate"]) == (0, {}, 0.0)


def test_pass_at_k_is_the_mean_over_environments() -> None:
    verdicts = {"a": ["passed", "failed"], "b": ["failed", "failed"]}
    samples = [sample(name, each) for name, them in verdicts.items() for each in them]
    found = summary(samples, [1, 2])["pass_at"]
    assert {k: each["value"] for k, each in found.items()} == {"1": 0.25, "2": 0.5}


def test_a_k_above_the_least_number_of_samples_is_left_out() -> None:
    samples = [sample("a"), sample("a", sample=1), sample("b")]
    assert list(summary(samples, [1, 2])["pass_at"]) == ["1"]


@given(st.lists(_VERDICTS, max_size=20))
def test_every_sample_has_its_verdict_counted(verdicts: list[str]) -> None:
    found = summary([sample(f"e{i}", each) for i, each in enumerate(verdicts)], [1])
    counts = {each: verdicts.count(each) for each in set(verdicts)}
    assert found["verdicts"] == counts


def test_the_test_rate_counts_shown_and_hidden_cases() -> None:
    half = sample(verdict="failed", cases_passed=1, cases=2, hidden_passed=3, hidden=6)
    assert summary([half], [1])["test_rate"] == 0.5


def test_sums_are_of_all_samples_and_the_median_is_no_mean() -> None:
    samples = [sample(f"e{n}", seconds=each) for n, each in enumerate((1.0, 1.0, 7.0))]
    found = summary(samples, [1])
    assert (found["requests"], found["input_tokens"], found["cost"]) == (3, 30, 0.03)
    assert found["seconds"] == {"mean": 3.0, "median": 1.0}


def test_a_stratum_of_repositories_has_the_samples_of_each() -> None:
    samples = [sample("a", repo="shop/a"), sample("b", "failed", repo="shop/b")]
    found = summary(samples, [1])["strata"]["repository"]
    assert {name: each["pass_at"]["1"]["value"] for name, each in found.items()} == {
        "shop/a": 1.0,
        "shop/b": 0.0,
    }


@pytest.mark.parametrize(
    ("lines", "label"),
    [(10, "to 10 lines"), (11, "11 to 25 lines"), (25, "11 to 25 lines"), (26, "over 25 lines")],
)
def test_the_stratum_of_a_length_is_that_of_its_bound(lines: int, label: str) -> None:
    assert list(summary([sample(lines=lines)], [1])["strata"]["length"]) == [label]


@pytest.mark.parametrize(
    ("count", "label"),
    [
        (0, "no dependency"),
        (1, "1 to 3 dependencies"),
        (3, "1 to 3 dependencies"),
        (4, "over 3 dependencies"),
    ],
)
def test_the_stratum_of_dependencies_is_that_of_its_bound(count: int, label: str) -> None:
    found = summary([sample(dependencies=count)], [1])["strata"]["dependencies"]
    assert list(found) == [label]


@pytest.mark.parametrize(("files", "label"), [(1, "single-file"), (2, "cross-file")])
def test_the_scope_is_by_the_number_of_files(files: int, label: str) -> None:
    assert list(summary([sample(files=files)], [1])["strata"]["scope"]) == [label]


def test_a_sample_of_two_families_counts_in_each() -> None:
    found = summary([sample(families=("clock", "http")), sample("e1")], [1])["strata"]["family"]
    assert {name: each["environments"] for name, each in found.items()} == {
        "clock": 1,
        "http": 1,
        "none": 1,
    }


@given(st.lists(st.tuples(_VERDICTS, st.sampled_from(["r/a", "r/b", "r/c"])), min_size=1))
def test_the_parts_of_a_stratum_hold_all_environments(given: list[tuple[str, str]]) -> None:
    samples = [sample(f"e{i}", verdict, repo=repo) for i, (verdict, repo) in enumerate(given)]
    parts = summary(samples, [1])["strata"]["repository"]
    assert sum(each["environments"] for each in parts.values()) == len(given)


def test_only_several_repositories_have_an_interval_of_repositories() -> None:
    one = [sample("a", repo="r/a"), sample("b", "failed", repo="r/a")]
    two = [sample("a", repo="r/a"), sample("b", "failed", repo="r/b")]
    assert summary(one, [1])["pass_at"]["1"]["repositories"] is None
    assert summary(two, [1])["pass_at"]["1"]["repositories"] is not None


# rounds


def test_a_sample_that_ended_early_counts_with_its_last_try() -> None:
    early = sample("a", rounds=(tried("passed", 5), tried("passed", 5, is_final=True)))
    late = sample(
        "b", rounds=(tried("failed"), tried("failed", 1), tried("passed", 5, is_final=True))
    )
    assert pass_by_round([early, late]) == [0.5, 0.5, 1.0]


def test_a_repair_that_changes_no_count_is_a_round() -> None:
    twice = sample(verdict="failed", rounds=(tried("failed"), tried("failed", is_final=True)))
    assert pass_by_round([twice]) == [0.0, 0.0]


def test_a_run_without_samples_has_no_rounds() -> None:
    assert pass_by_round([]) == []
