"""Calls of a function by another name, or by way of what a decorator has put in its place.

`greet.callback("you")` calls the function of a command, `page.data.__wrapped__(page)` that of a
fixture in a class.
"""

from __future__ import annotations

import ast

HOLDERS = (
    "__wrapped__", "callback", "func", "fn", "function", "py_func", "run", "callback.__wrapped__",
)  # fmt: skip
"""Attributes: of `functools.wraps` and pytest's fixtures, of commands of click and discord, of
partial functions, of tools and tasks, of functions that numba has compiled; of commands whose
function is given the context by another one around it."""


def held_place(call: ast.Call, target: str) -> ast.Name | ast.Attribute | None:
    """The node that names the target in such a call; `None` of other calls.

    Args:
        call: any call.
        target: qualified name.
    """
    *_, owner, name = ["", *target.split(".")]
    function = call.func
    if not isinstance(function, ast.Attribute):
        return None
    place = function.value
    if isinstance(place, ast.Attribute) and f"{place.attr}.{function.attr}" in HOLDERS:
        place = place.value
    elif function.attr not in HOLDERS:
        return None
    if not owner:
        return place if isinstance(place, ast.Name) and place.id == name else None
    if not isinstance(place, ast.Attribute) or place.attr != name or not call.args:
        return None
    return place if ast.dump(call.args[0]) == ast.dump(place.value) else None


def outside_name(qualname: str) -> str:
    """What a function is called by outside of its class: Python renames private methods there."""
    *_, owner, name = ["", *qualname.split(".")]
    is_private = name.startswith("__") and not name.endswith("__")
    plain = owner.lstrip("_")
    return f"_{plain}{name}" if is_private and plain else name
