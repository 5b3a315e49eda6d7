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


def is_asked(value: Value, kinds: tuple[type, ...]) -> bool:
    """Whether the value is one of the kinds, or of a type outside that ours may derive from."""
    if isinstance(value, ExternalInstance):
        return value.is_declared or is_abstract(frozenset({value}))
    return isinstance(value, kinds)


def is_handed_back(value: Value, name: str) -> bool:
    """Whether what a standard module gives can only have the attribute if it was put in before."""
    match value:
        case ExternalInstance(name=kind, is_declared=False):
            return is_nobodys(kind, name)
        case External(name=kind):
            return "()" in kind and is_nobodys(kind, name)
        case _:
            return False


def flattened(values: Iterable[Value]) -> Iterable[Value]:
    """The values, with the parts of tuples in place of these."""
    for value in values:
        if isinstance(value, TupleOf):
            for part in value.parts:
                yield from flattened(part or ())
        else:
            yield value


def inner_members(members: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """What a container that is asked for the members asks of what it holds: `repr`, each `repr`.

    `None` is all of them: what code outside is handed in a list, it may ask too.
    """
    if members is None:
        return None
    inner = dict.fromkeys(OF_ITEMS[name] for name in members if name in OF_ITEMS)
    if not inner.keys().isdisjoint(ORDER):  # the first items that are not equal decide
        inner["__eq__"] = None
    return tuple(inner)


def held_values(values: Values) -> Iterable[Values]:
    """What containers among the values hold; the known parts of tuples are asked with these."""
    for value in values or ():
        match value:
            case ExternalInstance(name=name, items=items, held=held) if name in HOLDERS:
                yield items
                if name in TABLES:
                    yield held
            case TupleOf(parts=parts) if None in parts:
                yield None
            case _:
                continue


def displayed(node: ast.expr) -> Iterable[ast.expr]:
    """What a list, set or dictionary that is written out holds."""
    match node:
        case ast.List(elts=elements) | ast.Set(elts=elements):
            yield from elements
        case ast.Dict(keys=keys, values=values):
            yield from (key for key in keys if key is not None)
            yield from values
        case _:
            return
