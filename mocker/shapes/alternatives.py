"""Alternative answers: for each branch of the slice that depends on one, a value that takes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .sample_texts import BROKEN
from .shape import Anything, Either, Entry, Holding, Mapping, Maybe, Plain, Sequence, Shape
from .shape_values import value_of

MAX_ALTERNATIVES = 5
Other = tuple[int, str, Shape | None]
"""Depth, name, and the alternative shape; `None` if the value has no shape any more."""


def alternatives(shape: Shape) -> list[tuple[str, object]]:
    """Return named values that differ from the default in one place, the outermost first."""
    default = repr(value_of(shape))
    found: dict[str, tuple[str, object]] = {}
    names: set[str] = set()
    ranked = sorted(alternative_shapes(shape, 0), key=lambda other: other[0])
    for _, name, other in ranked:
        if other is None:
            continue
        value = value_of(other)
        text = repr(value)
        if text == default or text in found:
            continue
        unique = next(n for n in (name, *(f"{name}_{i}" for i in range(2, 99))) if n not in names)
        names.add(unique)
        found[text] = (unique, value)
        if len(found) == MAX_ALTERNATIVES:
            break
    return list(found.values())


def alternative_shapes(shape: Shape, depth: int) -> Iterator[Other]:  # noqa: C901 - a case for each kind of shape
    """Yield shapes that differ in one place, so that another branch is taken."""
    match shape:
        case Mapping(entries=entries):
            for index, entry in enumerate(entries):
                yield from _entry(shape, index, entry, depth)
            yield from _unnamed(shape, depth)
        case Sequence():
            yield from _sequence(shape, depth)
        case Maybe(shape=inner, is_none=is_none):
            yield depth, "value" if is_none else "none", replace(shape, is_none=not is_none)
            for deep, name, other in alternative_shapes(inner, depth):
                if other is not None:
                    yield deep, name, Maybe(other)
        case Either(shape=inner, others=instead):
            for name, other in instead:
                yield depth, name, other
            for deep, name, other in alternative_shapes(inner, depth):
                if other is not None:
                    yield deep, name, replace(shape, shape=other)
        case Holding(inner=inner):
            for deep, name, other in alternative_shapes(inner, depth):
                if other is not None:
                    yield deep, name, replace(shape, inner=other)
            if shape.is_tested:
                broken = Plain("text", shape.hint, (BROKEN,), is_free=False)
                yield depth, f"not_{shape.format[0]}", broken
        case Plain(values=[_, *rest]):
            for value in rest:
                yield depth, _name(value), replace(shape, values=(value,), is_free=False)
        case _:
            return


def _entry(shape: Mapping, index: int, entry: Entry, depth: int) -> Iterator[Other]:
    def with_entry(*changed: Entry) -> Mapping:
        return replace(
            shape, entries=(*shape.entries[:index], *changed, *shape.entries[index + 1 :])
        )

    key = _word(str(entry.key))
    if entry.is_unwanted:
        yield depth, f"with_{key}", with_entry(replace(entry, is_unwanted=False))
    elif entry.may_be_missing:
        yield depth, f"without_{key}", with_entry()
    for deep, name, other in alternative_shapes(entry.shape, depth + 1):
        if other is not None:
            there = replace(entry, shape=other, is_unwanted=False)
            yield deep, f"{key}_{name}", with_entry(there)


def _unnamed(shape: Mapping, depth: int) -> Iterator[Other]:
    """Yield alternatives for unknown keys: another first value, or no keys at all."""
    if shape.rest is None or shape.entries:
        return
    yield depth, "empty", replace(shape, rest=None)
    for deep, name, other in alternative_shapes(shape.rest, depth + 1):
        if other is not None:
            yield deep, f"first_{name}", replace(shape, first=other)


def _sequence(shape: Sequence, depth: int) -> Iterator[Other]:
    if shape.is_tested and shape.length:
        yield depth, "empty", replace(shape, length=0)
    if not shape.length:
        yield depth, "items", replace(shape, length=2)
    for length in shape.lengths:
        if length:
            yield depth, f"of_{length}", replace(shape, length=length)
    parts = dict(shape.parts)
    looked_at = shape.skipped if shape.skipped < shape.length else 0
    places = sorted({*parts, looked_at} if shape.length else parts)
    for place in places:
        for deep, name, other in alternative_shapes(parts.get(place, shape.item), depth + 1):
            if other is not None:
                label = "first" if place == looked_at else f"item_{place}".replace("-", "last_")
                changed = tuple({**parts, place: other}.items())
                yield deep, f"{label}_{name}", replace(shape, parts=changed)


def _name(value: object) -> str:
    match value:
        case None:
            return "none"
        case "":
            return "empty"
        case bool():
            return str(value).lower()
        case _:
            return f"is_{_word(str(value))}"


def _word(text: str) -> str:
    return (
        re.sub(r"\W+", "_", text.replace("-", "minus_") if text[:1] == "-" else text).strip("_")[
            :30
        ]
        or "text"
    )


__all__ = ["Anything", "alternative_shapes", "alternatives"]
