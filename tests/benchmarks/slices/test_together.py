"""Targets that share a slice: each is in one group, and no name in a group has two meanings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.slices.together import grouped

TARGETS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["f", "g", "C.m", "C.n", "D.m"])), unique=True
)


@given(TARGETS, st.integers(1, 4))
def test_each_target_is_in_one_group(targets: list[tuple[str, str]], size: int) -> None:
    groups = grouped(targets, size)
    assert sorted(target for group in groups for target in group) == sorted(targets)
    assert all(1 <= len(group) <= size for group in groups)


@given(TARGETS, st.integers(1, 4))
def test_a_name_means_one_thing_in_a_group(targets: list[tuple[str, str]], size: int) -> None:
    for group in grouped(targets, size):
        meanings = {(qualname.partition(".")[0], path) for path, qualname in group}
        assert len({name for name, _ in meanings}) == len(meanings)
