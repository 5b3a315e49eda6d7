"""Returned functions: called with a few plain arguments, since their names say nothing.

Numbers, texts and lists are tried. The comparison uses the first kind that the original's function
accepts, and only calls in which it returns.
"""

from __future__ import annotations

import builtins

from .. import raw
from .kinds.encode_code import function, yielded
from .nodes import Group, Node, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..raw import Raw
    from .nodes import Child
    from .value_encoder import ValueEncoder

__builtins__ = dict(vars(builtins))

MOST = 8
"""Most functions called in one observation, since such a function may return another one."""


def _arguments() -> list[tuple[str, list[Raw]]]:
    """Return named arguments for each call, made anew, since a function may keep them."""
    return [
        ("nothing", []), ("nothing again", []),
        ("a number", [2]), ("another number", [5]), ("two numbers", [7, 3]),
        ("a text", ["b a"]), ("two texts", ["b a", "a"]),
        ("a list", [[3, 1, 2]]), ("two lists", [[3, 1, 2], [1]]),
    ]  # fmt: skip


def closure(encoder: ValueEncoder, value: Raw) -> Child:
    """Encode a function by what it does when called, or by its name if that leads to it."""
    named = function(encoder, value)
    if not isinstance(named, Node) or encoder.closures >= MOST:
        return named
    encoder.closures += 1
    calls = [(name, _called(value, given)) for name, given in _arguments()]
    if not any(end == "returned" for _, (end, _) in calls):
        return named
    type_of = encoder.label(raw.class_of(value))
    nodes = [(name, yielded("call", [], end, last)) for name, (end, last) in calls]
    return Node("closure", (field("type", type_of),), (Group("calls", "named", nodes),))


def _called(value: Raw, given: list[Raw]) -> tuple[str, Raw]:
    try:
        return "returned", value(*given)
    except BaseException as error:  # noqa: BLE001 - whatever it raises is its end
        return "raised", error
