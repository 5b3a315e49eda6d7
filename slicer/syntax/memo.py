"""Memoised results, stored on the object that they describe: a repository or a module."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

_Holder = TypeVar("_Holder")
_Rest = ParamSpec("_Rest")
_Answer = TypeVar("_Answer")


def memo(
    answer: Callable[Concatenate[_Holder, _Rest], _Answer],
) -> Callable[Concatenate[_Holder, _Rest], _Answer]:
    """Memoise a function for the lifetime of its first argument, in that object's `__dict__`.

    The other arguments must be hashable. Exceptions are not memoised.
    """

    @wraps(answer)
    def memoised(holder: _Holder, *rest: _Rest.args, **named: _Rest.kwargs) -> _Answer:
        known: dict[tuple[object, ...], _Answer]
        known = holder.__dict__.setdefault("_answers", {}).setdefault(answer, {})
        key = (*rest, *named.items())
        if key not in known:
            known[key] = answer(holder, *rest, **named)
        return known[key]

    return memoised
