"""How long calls may take: as long as is said, and less once it is plain that some never end."""

from __future__ import annotations

import time
from itertools import count, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.sandbox.trials import time_limit
from slicefunc.verifier.sandbox.trials.time_limit import TimeBudget, limited

TAKEN = st.lists(st.tuples(st.floats(0, 10), st.booleans()))


def after(*calls: tuple[float, bool], seconds: float = 2.0) -> float:
    patience = TimeBudget(seconds)
    for taken, is_late in calls:
        patience.record_duration(taken, is_late=is_late)
    return patience.seconds


def test_two_calls_that_do_not_end_change_nothing() -> None:
    assert after((0.001, False), (2.0, True), (2.0, True)) == 2.0


def test_after_three_quick_calls_have_less() -> None:
    assert after((0.001, False), *[(2.0, True)] * 3) == 0.25


def test_where_others_are_slow_they_have_much_longer_than_those() -> None:
    assert after((0.05, False), *[(2.0, True)] * 3) == 1.0


def test_as_long_as_none_ends_nothing_is_known_to_be_quick() -> None:
    assert after(*[(2.0, True)] * 3) == 2.0


@given(TAKEN)
def test_it_only_ever_gets_shorter(calls: list[tuple[float, bool]]) -> None:
    known = [after(*calls[:count]) for count in range(len(calls) + 1)]
    assert known == sorted(known, reverse=True)
    assert known[-1] >= 0.25


def test_a_call_that_only_waits_ends_soon() -> None:
    start = time.monotonic()
    assert not limited(_slept, 0.2)
    assert time.monotonic() - start < 0.6


@pytest.mark.parametrize("gives_back", [True, False])
def test_a_call_that_gets_no_processor_does_not_wait(
    monkeypatch: pytest.MonkeyPatch, *, gives_back: bool
) -> None:
    monkeypatch.setattr(time_limit, "_cpu", lambda: 1.0)
    sleeps = count() if gives_back else repeat(3)
    monkeypatch.setattr(time_limit, "_sleeps", lambda: next(sleeps))
    assert limited(_slept, 0.2) == ("" if gives_back else "done")


def _slept() -> str:
    time.sleep(0.6)
    return "done"
