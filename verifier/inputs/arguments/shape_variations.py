"""Variations of an argument's shape: one for each other outcome of the tests on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....mocker.shapes.alternatives import Other, alternative_shapes
from ....mocker.shapes.shape import Entry, Object, Shape


def variations(shape: Shape, depth: int) -> Iterator[Other]:
    """Yield depth, name and shape of variations in one place, inside objects too."""
    if not isinstance(shape, Object):
        yield from alternative_shapes(shape, depth)
        return
    for index, entry in enumerate(shape.attributes):
        for deep, name, other in variations(entry.shape, depth + 1):
            if other is not None:
                changed = _with(shape.attributes, index, replace(entry, shape=other))
                yield deep, name, replace(shape, attributes=changed)


def _with(entries: tuple[Entry, ...], index: int, entry: Entry) -> tuple[Entry, ...]:
    return (*entries[:index], entry, *entries[index + 1 :])
