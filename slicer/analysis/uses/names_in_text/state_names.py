"""Attribute names that an object lists from its own state: `for name in self.__slots__`.

`__slots__` and an instance's `__dict__` name data, not methods, so names from there keep no member
of the class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....syntax.nodes import walk as nodes_of
from ...scopes.definitions import Scope
from ...values.abstract_values import FunctionValue, Values, ordered
from ..use_walk import Walk

_LISTS_MORE = frozenset({"dir", "getmembers", "vars", "__annotations__"})
_MAX_STEPS = 16


def names_state(seen: Walk, attribute: ast.expr) -> bool:
    """Whether the expression is a name that comes only from the listed state of an object."""
    return isinstance(attribute, ast.Name) and _is_listed(seen, attribute, seen.scope, 0)


def _is_listed(seen: Walk, node: ast.Name, scope: Scope, step: int) -> bool:
    holder = scope.lookup(node.id)
    binders = holder.binders[node.id] if holder is not None else []
    return bool(binders) and all(
        binder.kind == "item"
        and binder.value is not None
        and holder is not None
        and _lists_state(seen, binder.value, holder, step + 1)
        for binder in binders
    )


def _lists_state(seen: Walk, node: ast.expr, scope: Scope, step: int) -> bool:
    """Whether iterating over the expression yields names of slots or instance attributes."""
    if step > _MAX_STEPS:
        return False
    match node:
        case ast.Attribute(attr="__slots__"):
            return True
        case ast.Attribute(value=ast.Name(id="self"), attr="__dict__"):
            return True
        case ast.Call(func=ast.Attribute(value=inner, attr="keys" | "items" | "copy")):
            return _lists_state(seen, inner, scope, step + 1)
        case ast.Call(func=ast.Name(id="vars"), args=[ast.Name(id="self")]):
            return True
        case ast.Call(func=func, args=args):
            return _returns_state_names(seen, func, args, scope, step)
        case ast.IfExp(body=body, orelse=orelse):
            return all(_lists_state(seen, each, scope, step + 1) for each in (body, orelse))
        case (
            ast.GeneratorExp(elt=ast.Name(id=name), generators=made)
            | ast.ListComp(elt=ast.Name(id=name), generators=made)
            | ast.SetComp(elt=ast.Name(id=name), generators=made)
        ):
            given = [each.iter for each in made if getattr(each.target, "id", "") == name]
            return bool(given) and all(_lists_state(seen, x, scope, step + 1) for x in given)
        case ast.Name(id=name):
            return _is_bound_to_listed(seen, name, scope, step)
        case _:
            return False


def _is_bound_to_listed(seen: Walk, name: str, scope: Scope, step: int) -> bool:
    holder = scope.lookup(name)
    binders = holder.binders[name] if holder is not None else []
    return bool(binders) and all(
        binder.kind == "value"
        and binder.value is not None
        and holder is not None
        and _lists_state(seen, binder.value, holder, step + 1)
        for binder in binders
    )


def _returns_state_names(
    seen: Walk, func: ast.expr, args: list[ast.expr], scope: Scope, step: int
) -> bool:
    """Whether a call returns such names: of its arguments, or of a repository function."""
    values = seen.inference.evaluate(func, scope)
    if args and _is_passed_on(values):
        return all(_lists_state(seen, each, scope, step + 1) for each in args)
    functions = [v.function for v in ordered(values) if isinstance(v, FunctionValue)]
    if not functions or len(functions) != len(values or ()):
        return False
    return all(
        _returns_listed(seen, function.node, seen.inference.function_scope(function), step)
        for function in functions
    )


def _returns_listed(seen: Walk, node: ast.AST, scope: Scope, step: int) -> bool:
    words = {getattr(each, "id", getattr(each, "attr", "")) for each in nodes_of(node)}
    given = list(_returned(node))
    return (
        words.isdisjoint(_LISTS_MORE)
        and bool(given)
        and all(_lists_state(seen, each, scope, step + 1) for each in given)
    )


def _returned(node: ast.AST) -> Iterator[ast.expr]:
    for each in nodes_of(node):
        if isinstance(each, ast.Return) and each.value is not None:
            yield each.value


def _is_passed_on(values: Values) -> bool:
    names = {getattr(value, "name", "") for value in values or ()}
    return bool(names) and names <= _PASSING


_PASSING = frozenset(
    {"itertools.chain", "builtins.sorted", "builtins.list", "builtins.set", "builtins.tuple",
     "builtins.frozenset", "builtins.iter", "builtins.reversed"}
)  # fmt: skip
