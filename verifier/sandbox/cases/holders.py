"""Calls of a function through an attribute of the object that a decorator put in its place.

`greet.callback("you")` calls the function of a command, `page.data.__wrapped__(page)` that of a
fixture in a class.
"""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

HOLDERS = (
    "__wrapped__", "callback", "func", "fn", "function", "py_func", "run", "callback.__wrapped__",
)  # fmt: skip
"""Attributes that hold the function: for `functools.wraps` and pytest's fixtures, commands of click
and discord, partial functions, tools and tasks, functions compiled by numba; and for commands whose
function gets the context from a wrapper."""


def observed_of(found: Sequence[ast.expr], body: Sequence[ast.stmt]) -> ast.expr | None:
    """Return the observed call among several; `None` if ambiguous.

    It is the last one, if each earlier one is a statement of its own: `account.deposit(5)` sets up
    what `return account.deposit(7)` shows.

    Args:
        found: the calls, in any order.
        body: the statements of the case.
    """
    values = [each.value for each in body if isinstance(each, ast.Expr)]
    alone = {id(each.value if isinstance(each, ast.Await) else each) for each in values}
    *earlier, last = sorted(found, key=lambda each: (each.lineno, each.col_offset))
    within = {id(node) for each in earlier for node in ast.walk(each)}
    is_independent = id(last) not in within and all(id(each) in alone for each in earlier)
    return last if is_independent else None


def target_node(call: ast.Call, target: str) -> ast.Name | ast.Attribute | None:
    """Return the node that names the target in such a call; `None` for other calls.

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


def mangled_name(qualname: str) -> str:
    """Return a function's name outside its class: Python mangles private names."""
    *_, owner, name = ["", *qualname.split(".")]
    is_private = name.startswith("__") and not name.endswith("__")
    plain = owner.lstrip("_")
    return f"_{plain}{name}" if is_private and plain else name
