"""Recursive values (trees, linked lists) end with `None` instead of a guess.

A node's children are nodes again. Their uses are followed to a limited depth, and a guess below
that would be taken for one more node.
"""

from __future__ import annotations

from dataclasses import replace

from ....mocker.shapes.shape import Anything, Either, Entry, Mapping, Maybe, Object, Plain, Shape

_Keys = frozenset[object]
_NO_KEYS: _Keys = frozenset()


def ended(shape: Shape, above: _Keys = _NO_KEYS) -> Shape:
    """Return the shape with `None` at the ends of a recursive structure.

    Args:
        shape: the shape of a value.
        above: keys under which enclosing values have keys of their own.
    """
    match shape:
        case Maybe(shape=inner) | Either(shape=inner):
            return replace(shape, shape=ended(inner, above))
        case Object(attributes=entries):
            return replace(shape, attributes=_ended(entries, above))
        case Mapping(entries=entries):
            return replace(shape, entries=_ended(entries, above))
        case _:
            return shape


def _ended(entries: tuple[Entry, ...], above: _Keys) -> tuple[Entry, ...]:
    deeper = above | {each.key for each in entries if _is_node(each.shape)}
    return tuple(replace(each, shape=_entry(each, above, deeper)) for each in entries)


def _entry(entry: Entry, above: _Keys, deeper: _Keys) -> Shape:
    inner = entry.shape.shape if isinstance(entry.shape, Maybe) else entry.shape
    if entry.key in above and isinstance(inner, Anything | Plain):
        return Maybe(inner, is_none=True)
    return ended(entry.shape, deeper)


def _is_node(shape: Shape) -> bool:
    """Whether a shape has keys of its own."""
    match shape:
        case Maybe(shape=inner) | Either(shape=inner):
            return _is_node(inner)
        case Object(attributes=entries) | Mapping(entries=entries):
            return bool(entries)
        case _:
            return False
