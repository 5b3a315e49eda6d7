"""Limits the depth of values: the shape inferred from a recursive function has no end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ....mocker.shapes.shape import Anything, Either, Entry, Mapping, Maybe, Object, Sequence, Shape

_LONGEST = 3000
"""Longest value in characters. Nobody reads more, and each trial parses and builds it."""
_DEPTHS = (6, 5, 4, 3)


def bounded(shape: Shape, text_of: Callable[[Shape], str]) -> str:
    """Return the text of a shape, without its innermost levels if it would be too long."""
    text = text_of(shape)
    for depth in _DEPTHS:
        if len(text) <= _LONGEST:
            break
        text = text_of(shallow(shape, depth))
    return text


def shallow(shape: Shape, depth: int) -> Shape:
    """Return the shape cut at that many levels. Deeper values keep only their names."""
    match shape:
        case Maybe() | Either():
            return replace(shape, shape=shallow(shape.shape, depth))
        case Object(own=None, hint=hint) | Mapping(hint=hint) if depth == 0:
            return Anything(hint)
        case Sequence() if depth == 0:
            return Anything()
        case Object():
            return replace(
                shape,
                attributes=_entries(shape.attributes, depth),
                result=_inner(shape.result, depth),
                item=_inner(shape.item, depth),
            )
        case Mapping():
            return replace(
                shape,
                entries=_entries(shape.entries, depth),
                rest=_inner(shape.rest, depth),
                first=_inner(shape.first, depth),
            )
        case Sequence(parts=parts):
            item = shallow(shape.item, depth - 1)
            return replace(
                shape, item=item, parts=tuple((at, shallow(part, depth - 1)) for at, part in parts)
            )
        case _:
            return shape


def _inner(shape: Shape | None, depth: int) -> Shape | None:
    return None if shape is None else shallow(shape, depth - 1)


def _entries(entries: tuple[Entry, ...], depth: int) -> tuple[Entry, ...]:
    return tuple(replace(each, shape=shallow(each.shape, depth - 1)) for each in entries)
