"""Which values can be asked for members of ours."""

from __future__ import annotations

from collections.abc import Iterable

from ..values import (
    ClassValue,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    Parameter,
    SuperValue,
    TupleOf,
    Value,
    is_abstract,
)

OURS = (Instance, ClassValue, Parameter)
WITH_MEMBERS = (Instance, ClassValue, ModuleValue, SuperValue, FunctionValue, Parameter)


def is_asked(value: Value, kinds: tuple[type, ...]) -> bool:
    """Whether the value is one of the kinds, or of a type outside that ours may derive from."""
    if isinstance(value, ExternalInstance):
        return value.is_declared or is_abstract(frozenset({value}))
    return isinstance(value, kinds)


def flattened(values: Iterable[Value]) -> Iterable[Value]:
    """The values, with the parts of tuples in place of these."""
    for value in values:
        if isinstance(value, TupleOf):
            for part in value.parts:
                yield from flattened(part or ())
        else:
            yield value
