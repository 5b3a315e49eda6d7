"""A signature accepts the calls that Python binds, and no other."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable

import pytest
from slicefunc.slicer.syntax.call_shapes import CallShape, accepts, shape_of

SIGNATURES = (
    "", "a", "a, b", "a, b=1", "a, /", "a, /, b", "a, b=1, /", "a, *, k", "a, *, k=1", "*, k",
    "*rest", "a, *rest", "a, *rest, k", "**options", "a, **options", "a, /, **options",
    "*rest, **options", "a=1, /, b=2, *, k, **options",
)  # fmt: skip
CALLS = tuple(
    CallShape(positional, keywords)
    for positional in range(4)
    for size in range(3)
    for keywords in itertools.combinations(("a", "b", "k"), size)
)


def _binds(function: Callable[..., int], shape: CallShape) -> bool:
    try:
        function(*range(shape.positional), **dict.fromkeys(shape.keywords))
    except TypeError:
        return False
    return True


def _function(text: str) -> tuple[ast.arguments, Callable[..., int]]:
    node = ast.parse(f"lambda {text}: 0", mode="eval").body
    assert isinstance(node, ast.Lambda)
    return node.args, eval(f"lambda {text}: 0")


@pytest.mark.parametrize("text", SIGNATURES)
def test_accepts_what_python_binds(text: str) -> None:
    """Without `*args` and `**kwargs` in the call, the answer is Python's."""
    args, function = _function(text)
    wrong = [shape for shape in CALLS if accepts(args, shape) is not _binds(function, shape)]
    assert not wrong


@pytest.mark.parametrize("text", SIGNATURES)
def test_open_calls_are_accepted_where_python_may_bind_them(text: str) -> None:
    """`*args` and `**kwargs` of the call may hold anything; what is then possible is accepted."""
    args, function = _function(text)
    wrong: list[CallShape] = []
    for call, rest, keywords in itertools.product(CALLS, (False, True), (False, True)):
        shape = call._replace(has_rest=rest, has_keywords=keywords)
        more = itertools.product(
            range(call.positional, call.positional + 3 if rest else call.positional + 1),
            [*CALLS] if keywords else [call],
        )
        possible = any(
            _binds(function, CallShape(count, tuple({*call.keywords, *other.keywords})))
            for count, other in more
        )
        if possible and not accepts(args, shape):
            wrong.append(shape)
    assert not wrong


def test_receiver_comes_before_the_arguments() -> None:
    """A method gets its receiver by position."""
    args, _ = _function("self, a")
    assert accepts(args, CallShape(1), bound=1)
    assert not accepts(args, CallShape(2), bound=1)
    assert not accepts(args, CallShape(1, ("self",)), bound=1)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("f(1, 2)", CallShape(2)),
        ("f(1, *x, k=2)", CallShape(1, ("k",), has_rest=True)),
        ("f(z=1, a=2, **x)", CallShape(0, ("a", "z"), has_keywords=True)),
    ],
)
def test_shape_of_a_call(text: str, shape: CallShape) -> None:
    """Arguments are counted and named."""
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Call)
    assert shape_of(node) == shape
