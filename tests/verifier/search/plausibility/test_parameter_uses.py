"""What code says of parameters without annotation: counts are numbers, streams may be iterators."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.search.plausibility.parameter_uses import (
    compared_with_counts,
    returned_or_stored,
    streamed,
)


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("return len(a) == b", {"b"}),
        ("return 0 < a <= len(b)", {"a"}),
        ("return a != -1 or b > 2.5", {"a", "b"}),
        ("return a == b", set()),
        ("return a == 'x' or b is None or a == True", set()),
    ],
)
def test_what_is_compared_with_a_length_or_number_is_a_number(body: str, names: set[str]) -> None:
    assert compared_with_counts(_function(body)) == names


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("for x in a: yield x", {"a"}),
        ("yield from (x for x in b)", {"b"}),
        ("for n, x in enumerate(a): yield n", {"a"}),
        ("rest = iter(a)\n    yield next(rest)", {"a"}),
        ("return [x for x in a]", set()),
        ("yield a", set()),
    ],
)
def test_a_generator_goes_through_what_may_be_a_stream(body: str, names: set[str]) -> None:
    assert streamed(_function(body)) == names


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("return b", {"b"}),
        ("a.inner = b", {"b"}),
        ("return a.inner", {"{it}.inner"}),
        ("yield b or a.inner", set()),
        ("return a", set()),
        ("return b.inner", set()),
    ],
)
def test_what_is_given_back_or_stored_as_it_is_is_handed_on(body: str, names: set[str]) -> None:
    assert returned_or_stored(_function(body)) == names


def _function(body: str) -> ast.FunctionDef:
    (node,) = ast.parse(f"def f(a, b):\n    {body}\n").body
    assert isinstance(node, ast.FunctionDef)
    return node
