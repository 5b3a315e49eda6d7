"""The shape of a call, and whether a signature accepts it.

A call that does not match raises `TypeError` before the function's body runs, so it reaches
nothing.
"""

from __future__ import annotations

import ast
from typing import NamedTuple


class CallShape(NamedTuple):
    """What a call hands over, without the values."""

    positional: int
    """How many arguments are given by position, those of `*args` not counted."""
    keywords: tuple[str, ...] = ()
    has_rest: bool = False
    """Whether `*args` may give further ones by position."""
    has_keywords: bool = False
    """Whether `**kwargs` may give further ones by name."""


ANY_CALL = CallShape(0, (), True, True)
"""Of a call that code outside makes."""


def shape_of(node: ast.Call) -> CallShape:
    """The shape of a call as it is written."""
    starred = sum(isinstance(argument, ast.Starred) for argument in node.args)
    names = tuple(sorted(keyword.arg for keyword in node.keywords if keyword.arg is not None))
    return CallShape(
        len(node.args) - starred, names, starred > 0, len(names) < len(node.keywords)
    )  # fmt: skip


def accepts(args: ast.arguments, shape: CallShape, *, bound: int = 0) -> bool:
    """Whether a call of the shape runs the body of a function with these parameters.

    Args:
        args: the function's parameters.
        shape: of the call.
        bound: how many arguments the lookup of a method puts before those of the call.
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
