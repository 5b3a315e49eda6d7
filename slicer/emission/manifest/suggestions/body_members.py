"""Heuristic: the members that a function body accesses on a parameter."""

from __future__ import annotations

import ast
import io
from collections.abc import Sequence

from ....syntax.nodes import walk
from .open_parameters import TargetParameter
from .related_classes import with_members
from .repository_search import Search
from .target_functions import FunctionNode, TargetFunction

MAX_USERS = 3
_ORDINARY = frozenset(
    name
    for kind in (str, bytes, int, float, complex, list, tuple, dict, set, frozenset, type, slice,
                 BaseException, io.StringIO, io.FileIO, type(len), type(_ for _ in ()))
    for name in dir(kind)
)  # fmt: skip
"""Attributes that say nothing about the class, because instances of builtin classes have them."""


def attributes_read(node: FunctionNode, names: Sequence[str]) -> dict[str, dict[str, None]]:
    """Return parameter → attributes that are read from it; rebound parameters are left out."""
    found: dict[str, dict[str, None]] = {name: {} for name in names}
    for item in walk(node):
        match item:
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()) if name in found:
                found[name].setdefault(attr)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in found:
                del found[name]
            case _:
                continue
    return found


def from_body(
    search: Search, parameter: TargetParameter, function: TargetFunction, used: dict[str, None]
) -> None:
    """Add classes that have all members which the body accesses on the parameter."""
    distinctive = [u for u in used if u not in _ORDINARY and not u.startswith("__")]
    if len(distinctive) < 2:
        return
    found = with_members(search, distinctive, list(used))
    roots = [c for c in found if not any(b in found for b in search.elsewhere.mro(c)[1:])]
    if len(roots) <= MAX_USERS:
        for cls in roots:
            text = f"has {', '.join(sorted(distinctive))}, which the body uses"
            parameter.add(cls, text, function.module, parameter.arg.lineno)
