"""Calls in which a whole number meets an equal float are no cases: either may be given."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.search.plausibility.number_ties import number_ties

CLAMP = "def f(x, low=0, high=9): return max(low, min(x, high))"
FLOOR = "def f(x): return x if x > 1 else 1"


@pytest.mark.parametrize(
    ("text", "arguments", "meets"),
    [
        (CLAMP, {"x": "0.0"}, True),
        (CLAMP, {"x": "2.0", "high": "2"}, True),
        (CLAMP, {"x": "0.0", "low": "-1"}, False),
        (CLAMP, {"x": "0"}, False),
        (CLAMP, {"x": "0.5"}, False),
        (FLOOR, {"x": "1.0"}, True),
        ("def f(x): return 0 if x else 0.0", {"x": "2"}, False),
        ("def f(x, weight=0.0): return max(0, x * weight)", {"x": "2"}, False),
        ("def f(x): return x / 2", {"x": "2.0"}, False),
        ("def f(x, *, by=1): return x // by", {"x": "1.0"}, True),
    ],
)
def test_equal_numbers_of_two_kinds_meet(
    text: str, arguments: dict[str, str], *, meets: bool
) -> None:
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    assert number_ties(node).has_tie(arguments) is meets
