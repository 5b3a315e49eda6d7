"""Texts and values that look up members of an enumeration: `Unit[name.upper()]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from ....mocker.flow.annotation_flow import is_enum
from ....mocker.shapes.shape import Object
from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ..argument_builder import ArgumentBuilder
from ..receivers.named_instances import shape_of

_MOST = 12


def enumerated_texts(
    builder: ArgumentBuilder, function: TargetFunction, name: str
) -> Iterator[str]:
    """Yield expressions for a parameter that looks up a member, one for each member.

    Args:
        builder: builds the values.
        function: the target.
        name: name of the parameter.
    """
    for node in ast.walk(function.node):
        match node:
            case ast.Subscript(value=ast.Name() | ast.Attribute() as cls, slice=key):
                is_by_name = True
            case ast.Call(func=ast.Name() | ast.Attribute() as cls, args=[key], keywords=[]):
                is_by_name = False
            case _:
                continue
        steps = _steps_from(key, name)
        if steps is not None:
            members = islice(_members(builder, function, cls), _MOST)
            yield from (repr(_before(n, steps)) if is_by_name else v for n, v in members)


def _steps_from(key: ast.expr, name: str) -> tuple[str, ...] | None:
    """Return the methods that turn a parameter into the key; `None` for keys of another origin."""
    steps: tuple[str, ...] = ()
    while isinstance(key, ast.Call) and isinstance(key.func, ast.Attribute) and not key.args:
        steps = (*steps, key.func.attr)
        key = key.func.value
    return steps if isinstance(key, ast.Name) and key.id == name else None


def _before(name: str, steps: tuple[str, ...]) -> str:
    """Return a text that these methods turn into a member's name, another text where possible."""
    return name.lower() if "upper" in steps else name


def _members(
    builder: ArgumentBuilder, function: TargetFunction, cls: ast.expr
) -> Iterator[tuple[str, str]]:
    """Yield the members of an enumeration in the slice, each with its value."""
    shape = shape_of(builder, function, cls)
    owner = shape.own if isinstance(shape, Object) else None
    if not isinstance(owner, ClassInfo) or not is_enum(builder.walk, owner):
        return
    for unit in owner.members:
        match unit.node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name[:1] != "_":
                # code never spells the values that `auto()` makes
                is_written = isinstance(value, ast.Constant)
                yield name, ast.unparse(value) if is_written else repr(name.lower())
            case _:
                pass
