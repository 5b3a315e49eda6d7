"""Shares of a build, with intervals over repositories."""

from __future__ import annotations

from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.datasets.storage.columns import FunctionRow, RepositoryRow

from benchmarks.datasets.yields import bootstrap, chosen

_GROUPS = st.lists(
    st.integers(1, 20).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole))),
    min_size=2,
    max_size=12,
)


def _function(repo: str, path: str, qualname: str) -> FunctionRow:
    values = dict.fromkeys((each.name for each in fields(FunctionRow)), None)
    return FunctionRow(**{**values, "repo": repo, "path": path, "qualname": qualname})


def _repository(repo: str) -> RepositoryRow:
    values = dict.fromkeys((each.name for each in fields(RepositoryRow)), None)
    return RepositoryRow(**{**values, "repo": repo})


@given(_GROUPS)
def test_an_interval_lies_between_the_least_and_the_greatest_share(
    groups: list[tuple[int, int]],
) -> None:
    shares = [part / whole for part, whole in groups]
    interval = bootstrap(groups, draws=200)
    assert interval is not None
    low, high = interval
    assert min(shares) - 1e-9 <= low <= high <= max(shares) + 1e-9


def test_groups_that_differ_widen_the_interval_and_one_group_has_none() -> None:
    alike, unlike = bootstrap([(5, 10)] * 20), bootstrap([(0, 10), (10, 10)] * 10)
    assert alike == (0.5, 0.5)
    assert unlike is not None
    assert unlike[1] - unlike[0] > 0.3, "20 repositories say less than 200 functions"
    assert bootstrap([(5, 10)]) is None


def test_a_listed_function_without_a_row_counts_where_its_repository_was_tried() -> None:
    tried = chosen(
        [_function("a/b", "x.py", "f"), _function("a/b", "x.py", "other")],
        [_repository("a/b")],
        ["a/b x.py::f", "a/b y.py::lost", "c/d z.py::elsewhere"],
    )
    assert [(each.repo, each.row is None) for each in tried] == [("a/b", False), ("a/b", True)]
    assert not tried[1].is_made()
