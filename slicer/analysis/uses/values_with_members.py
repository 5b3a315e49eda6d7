"""Values that may have members defined in the repository."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ...syntax.builtin_models import HOLDERS, OF_ITEMS, ORDER, TABLES
from ..external.standard_code import is_nobodys
from ..values.abstract_values import (
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    Parameter,
    SuperValue,
    TupleOf,
    Value,
    Values,
    is_abstract,
)

OURS = (Instance, ClassValue, Parameter)
WITH_MEMBERS = (Instance, ClassValue, ModuleValue, SuperValue, FunctionValue, Parameter)


def may_have_member(value: Value, kinds: tuple[type, ...]) -> bool:
    """Whether the value is of the kinds, or of an external type with possible subclasses here."""
    if isinstance(value, ExternalInstance):
        return value.is_declared or is_abstract(frozenset({value}))
    return isinstance(value, kinds)


def has_only_if_stored(value: Value, name: str) -> bool:
    """Whether a result of a standard module can have the attribute only if it was put in."""
    match value:
        case ExternalInstance(name=kind, is_declared=False):
            return is_nobodys(kind, name)
        case External(name=kind):
            return "()" in kind and is_nobodys(kind, name)
        case _:
            return False


def flattened(values: Iterable[Value]) -> Iterable[Value]:
    """Yield the values, with tuples replaced by their parts."""
    for value in values:
        if isinstance(value, TupleOf):
            for part in value.parts:
                yield from flattened(part or ())
        else:
            yield value


def inner_members(members: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return the members that a container calls on its items when these members are called on it.

    For `repr` that is each item's `repr`. `None` means all members: external code that receives a
    list may access anything on its items.
    """
    if members is None:
        return None
    inner = dict.fromkeys(OF_ITEMS[name] for name in members if name in OF_ITEMS)
    if not inner.keys().isdisjoint(ORDER):  # the first unequal items decide
        inner["__eq__"] = None
    return tuple(inner)


def contained_values(values: Values) -> Iterable[Values]:
    """Yield the values in containers; known parts of tuples are queried with the tuples."""
    for value in values or ():
        match value:
            case ExternalInstance(name=name, items=items, contents=contents) if name in HOLDERS:
                yield items
                if name in TABLES:
                    yield contents
            case TupleOf(parts=parts) if None in parts:
                yield None
            case _:
                continue


def displayed(node: ast.expr) -> Iterable[ast.expr]:
    """Yield the elements of a list, set or dictionary display."""
    match node:
        case ast.List(elts=elements) | ast.Set(elts=elements):
            yield from elements
        case ast.Dict(keys=keys, values=values):
            yield from (key for key in keys if key is not None)
            yield from values
        case _:
            return
