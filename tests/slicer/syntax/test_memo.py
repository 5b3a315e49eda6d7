"""Answers that are worked out once."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest
from slicefunc.slicer.syntax.memo import memo


class _Holder:
    """What answers are kept on."""


def test_an_answer_is_worked_out_once_for_each_question() -> None:
    asked: list[tuple[object, ...]] = []

    @memo
    def count(holder: _Holder, word: str, times: int = 1) -> list[str]:
        asked.append((holder, word, times))
        return [word] * times

    one, other = _Holder(), _Holder()
    assert count(one, "a", times=2) is count(one, "a", times=2) == ["a", "a"]
    assert count(one, "a") == count(other, "a") == ["a"]
    assert asked == [(one, "a", 2), (one, "a", 1), (other, "a", 1)]


def test_functions_of_one_name_do_not_share_answers() -> None:
    def made(number: int) -> Callable[[_Holder], int]:
        @memo
        def answer(_: _Holder) -> int:
            return number

        return answer

    holder = _Holder()
    assert [made(1)(holder), made(2)(holder)] == [1, 2]


def test_an_exception_is_no_answer() -> None:
    left = [ValueError("not yet")]

    @memo
    def answer(_: _Holder) -> str:
        if left:
            raise left.pop()
        return "now"

    holder = _Holder()
    with pytest.raises(ValueError, match="not yet"):
        answer(holder)
    assert answer(holder) == "now"


def test_answers_go_with_what_they_are_about() -> None:
    @memo
    def answer(_: _Holder) -> _Holder:
        return _Holder()

    holder = _Holder()
    kept = weakref.ref(answer(holder))
    assert kept() is not None
    del holder
    gc.collect()
    assert kept() is None
