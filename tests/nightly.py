"""Which tests of a long row of one kind run with every change, and which only in `.ci/nightly`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def all_but(later: Collection[str], given: Iterable[Any]) -> list[Any]:
    """Parameters of which those wait for the night whose name, or first value, is in `later`."""
    params = [_param(each) for each in given]
    missing = set(later) - {_name(each) for each in params}
    assert not missing, f"no such test: {sorted(missing)}"
    return [_later(each) if _name(each) in later else each for each in params]


def one_in(count: int, given: Iterable[Any]) -> list[Any]:
    """Parameters of which every so many-th runs with every change."""
    params = [_param(each) for each in given]
    return [_later(each) if at % count else each for at, each in enumerate(params)]


def _param(given: Any) -> Any:
    if hasattr(given, "marks"):
        return given
    return pytest.param(*given) if isinstance(given, tuple) else pytest.param(given)


def _name(param: Any) -> str:
    return str(param.id or param.values[0])


def _later(param: Any) -> Any:
    return pytest.param(*param.values, marks=(*param.marks, pytest.mark.nightly), id=param.id)
