"""Mappings between sets of values: classes to their instances, containers to their items."""

from __future__ import annotations

from dataclasses import replace

from ..values.abstract_values import (
    ABSTRACT,
    ClassValue,
    External,
    ExternalInstance,
    Instance,
    TupleOf,
    Value,
    Values,
    join,
)
from .external_types import SCALARS


def instances(values: Values) -> Values:
    """Return the instances of the classes among the values."""
    if values is None:
        return None
    found: set[Value] = set()
    for value in values:
        match value:
            case ClassValue(cls=cls):
                found.add(Instance(cls))
            case External(name=name):
                found.add(ExternalInstance(name))
            case TupleOf(parts=parts):
                inner = instances(join(*parts))
                if inner is None:
                    return None
                found |= inner
            case _:
                return None
    return frozenset(found)


def classes_of(values: Values) -> Values:
    """Return the classes of the instances among the values."""
    if values is None:
        return None
    found: set[Value] = set()
    for value in values:
        match value:
            case Instance(cls=cls):
                found.add(ClassValue(cls))
            case ExternalInstance(name=name):
                found.add(External(name))
            case _:
                return None
    return frozenset(found)


def shallow(values: Values) -> Values:
    """Return the values without the items of containers."""
    # containers inside containers lose their items, so that the lattice stays finite
    if values is None:
        return None
    return frozenset(
        ExternalInstance(v.name) if isinstance(v, ExternalInstance)
        else ExternalInstance("builtins.tuple") if isinstance(v, TupleOf) else v
        for v in values
    )  # fmt: skip


def as_declared(values: Values) -> Values:
    """Return the values, marked as declared if a repository class may derive from theirs."""
    if values is None:
        return None
    return frozenset(
        replace(v, is_declared=True)
        if isinstance(v, ExternalInstance) and v.name not in SCALARS
        and v.name != "typing.Callable" and not v.name.startswith(ABSTRACT)
        else v
        for v in values
    )  # fmt: skip


def is_callable(values: Values) -> bool:
    """Whether a type says only that the object is callable."""
    return values is not None and all(
        isinstance(v, ExternalInstance) and v.name == "typing.Callable" for v in values
    )


def is_list(values: frozenset[Value]) -> bool:
    """Whether all values are lists or tuples."""
    return all(
        isinstance(v, ExternalInstance) and v.name in ("builtins.list", "builtins.tuple")
        for v in values
    )
