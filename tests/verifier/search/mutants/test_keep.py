"""A greedy cover keeps all that is reached, with nothing that is not needed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.search.mutants.choose_cases import CaseValue, chosen

WORTHS = st.lists(
    st.builds(
        CaseValue,
        st.frozensets(st.integers(0, 12), max_size=6),
        st.tuples(st.integers(0, 2), st.integers(1, 50)),
    ),
    max_size=10,
)


def _reached(worths: list[CaseValue], kept: list[int]) -> set[object]:
    return {place for i in kept for place in worths[i].reaches}


@given(WORTHS)
def test_everything_is_reached_and_nothing_is_idle(worths: list[CaseValue]) -> None:
    kept = chosen(worths)
    assert _reached(worths, kept) == _reached(worths, list(range(len(worths))))
    for each in kept:
        others = [i for i in kept if i != each]
        assert len(kept) == 1 or _reached(worths, others) != _reached(worths, kept)


def test_of_two_that_do_the_same_the_one_that_reads_easily_stays() -> None:
    both = frozenset({1, 2})
    assert chosen(
        [CaseValue(both, (2, 1)), CaseValue(both, (0, 90)), CaseValue(both, (0, 30))]
    ) == [2]
