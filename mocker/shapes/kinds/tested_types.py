"""Other types of a value: where the slice tests the type, it handles others, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from ..gathered_uses import GatheredUses
from ..sample_texts import BROKEN
from ..shape import Object, Plain, Sequence, Shape
from ..shape_values import value_of

_TYPES: dict[str, type] = {
    f"builtins.{found.__name__}": found for found in (str, int, float, bool, list, dict)
}
_WRONG: tuple[Shape, ...] = (
    Plain("text", "", (BROKEN,), is_free=False),
    Plain("int", "", (1,), is_free=False),
    Sequence(Plain("text"), (), 0),
)
"""Candidates: one of them has none of the types in a test, or the test names nearly all."""


def tested_type_alternatives(
    known: GatheredUses, shape: Shape, of_type: Callable[[type], Shape]
) -> Iterator[tuple[str, Shape]]:
    """Yield a name and a shape for the other branch of each type test.

    Args:
        known: the sorted uses of the value.
        shape: its shape when all goes well.
        of_type: returns its shape if it is of a type.
    """
    if isinstance(shape, Object):
        return
    value = value_of(shape)
    for fact in known.facts:
        names = cast("tuple[str, ...]", fact.value) if fact.kind == "isinstance" else ()
        types = tuple(_TYPES[name] for name in names or () if name in _TYPES)
        if not types or len(types) < len(names):
            continue
        if isinstance(value, types):
            others = ((f"not_{types[0].__name__}", each) for each in _WRONG)
        else:
            others = ((each.__name__, of_type(each)) for each in types)
        for name, other in others:
            if isinstance(value_of(other), types) != isinstance(value, types):
                yield name, other
                break
