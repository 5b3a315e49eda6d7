"""Calls of a function by way of the object that a decorator has put in its place.

`greet.callback("you")` calls the function of a command, `page.data.__wrapped__(page)` that of a
fixture in a class.
"""

from __future__ import annotations

import ast

HOLDERS = ("__wrapped__", "callback", "func", "fn", "function", "py_func", "run")
"""Attributes: of `functools.wraps` and pytest's fixtures, of commands of click and discord, of
partial functions, of tools and tasks, of functions that numba has compiled."""


def held_place(call: ast.Call, target: str) -> ast.Name | ast.Attribute | None:
    """The node that names the target in such a call; `None` of other calls.

    Args:
        call: any call.
        target: qualified name.
    """
    *_, owner, name = ["", *target.split(".")]
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=called) as place, attr=holder)):
            return place if holder in HOLDERS and called == name and not owner else None
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute(value=it, attr=called) as place, attr=holder),
            args=[first, *_],
        ) if holder in HOLDERS and called == name and owner:
            return place if ast.dump(first) == ast.dump(it) else None
        case _:
            return None
