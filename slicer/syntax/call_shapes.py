"""The shape of a call, and whether a signature accepts it.

A call that does not match raises `TypeError` before the function's body runs, so it reaches
nothing.
"""

from __future__ import annotations

import ast
from typing import NamedTuple


class CallShape(NamedTuple):
    """Shape of a call: its arguments without their values."""

    positional: int
    """Number of positional arguments, not counting those of `*args`."""
    keywords: tuple[str, ...] = ()
    has_rest: bool = False
    """Whether `*args` may add positional arguments."""
    has_keywords: bool = False
    """Whether `**kwargs` may add keyword arguments."""


ANY_CALL = CallShape(0, (), True, True)
"""The shape of a call by external code, which may pass any arguments."""


def shape_of(node: ast.Call) -> CallShape:
    """Return the shape of a call as it is written."""
    starred = sum(isinstance(argument, ast.Starred) for argument in node.args)
    names = tuple(sorted(keyword.arg for keyword in node.keywords if keyword.arg is not None))
    return CallShape(
        len(node.args) - starred, names, starred > 0, len(names) < len(node.keywords)
    )  # fmt: skip


def accepts(args: ast.arguments, shape: CallShape, *, bound: int = 0) -> bool:
    """Whether a call of this shape runs the body of a function with these parameters.

    Args:
        args: the function's parameters.
        shape: the shape of the call.
        bound: number of arguments that method lookup inserts before those of the call.
    """
    order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    given = shape.positional + bound
    if given > len(order) and args.vararg is None:
        return False
    by_name = {arg.arg for arg in (*args.args, *args.kwonlyargs)}
    if args.kwarg is None and not by_name.issuperset(shape.keywords):
        return False
    if any(name in order[len(args.posonlyargs) : given] for name in shape.keywords):
        return False  # given twice
    required = order[given : len(order) - len(args.defaults)]
    named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    only_named = [arg.arg for arg, default in named if default is None]
    missing = {name for name in (*required, *only_named) if name not in by_name & {*shape.keywords}}
    if shape.has_rest:
        missing.difference_update(required)
    if shape.has_keywords:
        missing &= {arg.arg for arg in args.posonlyargs}
    return not missing
