"""What docstrings say of arguments: which calls are promised, and which nobody meant."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.evidence.recordings.documented_domain import documented_domain

BEYOND = [
    ("def f(items, x): 'Position of x in a sorted list.'", {"items": "[2, 1]"}),
    ("def f(a, b): 'Merge two sorted sequences into one.'", {"a": "[1]", "b": "(3, 2)"}),
    ("def f(rows): 'Group rows, which must be sorted.'", {"rows": "['b', 'a']"}),
    ("def f(rows): 'Intervals of rows sorted in ascending order.'", {"rows": "[2, 1]"}),
    ("def f(items): 'Permutations of a list without repetitions.'", {"items": "[1, 2, 1]"}),
    ("def f(items): 'Ranks.\\n\\nThe items are distinct.'", {"items": "[3, 3]"}),
    ("def f(low, high): 'A number (low < high).'", {"low": "3", "high": "3"}),
    ("def f(x, low=0, high=9): 'x within low <= high.'", {"x": "1", "low": "12"}),
    ("def f(p): 'Chance of a hit, 0 <= p <= 1.'", {"p": "1.5"}),
    ("def f(items, k): 'The k-th item; k < len(items).'", {"items": "[1]", "k": "1"}),
    ("def f(n): 'n must be positive.'", {"n": "0"}),
    ("def f(n):\n '''Root.\n\n Args:\n  n: non-negative number.\n '''", {"n": "-1"}),
    ("def f(values): 'Mean of values, a non-empty list.'", {"values": "[]"}),
]
WITHIN = [
    ("def f(items): 'Return a sorted copy of items.'", {"items": "[2, 1]"}),
    ("def f(items): 'Return the items sorted by length.'", {"items": "['bb', 'a']"}),
    ("def f(items): 'A list of the items, sorted.'", {"items": "[2, 1]"}),
    ("def f(items): 'Remove duplicates.'", {"items": "[1, 1]"}),
    ("def f(items): 'Keep the items without duplicates.'", {"items": "[1, 1]"}),
    ("def f(a, b): 'Whether a < b.'", {"a": "2", "b": "1"}),
    ("def f(a, b): 'Swap them if a > b.'", {"a": "1", "b": "2"}),
    ("def f(x): 'Whether x is positive.'", {"x": "-1"}),
    ("def f(values): 'The first non-empty one of the values.'", {"values": "[]"}),
    ("def f(items, x): 'Position of x in a sorted list.'", {"items": "[1, 2]", "x": "7"}),
    ("def f(items): 'In a sorted list.'", {"items": "load()"}),
    ("def f(a, b):\n 'a < b'\n if a >= b: raise ValueError", {"a": "2", "b": "1"}),
    ("def f(low, high): pass", {"low": "2", "high": "1"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "arguments"), BEYOND)
def test_nobody_promised_anything_of(text: str, arguments: dict[str, str]) -> None:
    assert not documented_domain(_function(text)).allows(arguments)


@pytest.mark.parametrize(("text", "arguments"), WITHIN)
def test_promised_is(text: str, arguments: dict[str, str]) -> None:
    assert documented_domain(_function(text)).allows(arguments)


def _function(text: str) -> ast.FunctionDef:
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    return node
