"""Kinds of an attribute: as declared by its classes, or else by all assignments to it.

An attribute that every statement sets to a list is never `None` for users of the class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..types.value_kinds import UNKNOWN, Kinds, annotated_kinds, kind_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NUMBERS = frozenset({"int", "float"})
_NONE = frozenset({"NoneType"})


_USUAL = {
    "bool": ("True", "False"),
    "dict": ("{'key-1': 'value-1'}", "{}"),
    "float": ("1.5", "0.0"),
    "int": ("1", "0"),
    "list": ("['item-1', 'item-2']", "[]"),
    "str": ("'text-1'", "''"),
    "tuple": ("('item-1', 'item-2')", "()"),
}
"""Values of each kind, for attributes of which nothing else is known."""


def of_kinds(texts: Iterable[str], kinds: Kinds, *, is_declared: bool = False) -> Iterator[str]:
    """Yield the expressions of the given kinds; usual values where none is.

    Args:
        texts: values of an attribute, inferred from its uses.
        kinds: kinds that it accepts; empty if unknown.
        is_declared: whether an annotation says so; then calls with an unknown result are left out.
    """
    found = [text for text in texts if not kinds or kind_of(text) in ("", *kinds)]
    if kinds and is_declared:
        found = [text for text in found if kind_of(text) or not _is_made(text)]
    yield from found or (text for kind in sorted(kinds) for text in _USUAL.get(kind, ()))


def _is_made(text: str) -> bool:
    try:
        return isinstance(ast.parse(text, mode="eval").body, ast.Call)
    except (SyntaxError, ValueError, RecursionError):
        return False


def attribute_kinds(classes: Iterable[ast.ClassDef], name: str) -> Kinds:
    """Return the kinds of values that an attribute accepts; nothing if unknown.

    Args:
        classes: a class and those that it inherits from.
        name: the attribute.
    """
    nodes = [*classes]
    declared = next((found for cls in nodes for found in _annotations(cls, name)), None)
    if declared is not None:
        return annotated_kinds(declared)
    found = [kinds for cls in nodes for kinds in _set_kinds(cls, name)]
    if not found or not all(found):
        return UNKNOWN
    kinds = UNKNOWN.union(*found)
    if kinds & _NUMBERS:
        kinds |= _NUMBERS
    if any(_asks_for_none(cls, name) for cls in nodes):
        kinds |= _NONE
    return UNKNOWN if kinds == _NONE else kinds


def attribute_annotation(classes: Iterable[ast.ClassDef], name: str) -> ast.expr | None:
    """Return the annotation of an attribute, or of the constructor's parameter that sets it."""
    for cls in classes:
        for declared in (*_annotations(cls, name), *_parameter_annotations(cls, name)):
            return declared
    return None


def _parameter_annotations(cls: ast.ClassDef, name: str) -> Iterator[ast.expr]:
    for function in cls.body:
        if not isinstance(function, _FUNCTIONS) or function.name != "__init__":
            continue
        parameters = (*function.args.args, *function.args.kwonlyargs)
        given = {each.arg: each.annotation for each in parameters}
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=[ast.Attribute(attr=own)], value=ast.Name(id=value)) if (
                    own == name and (annotation := given.get(value)) is not None
                ):
                    yield annotation
                case _:
                    pass


def _annotations(cls: ast.ClassDef, name: str) -> Iterator[ast.expr]:
    for node in cls.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=own), annotation=annotation) if own == name:
                yield annotation
            case _:
                pass
    for node in ast.walk(cls):
        match node:
            case ast.AnnAssign(target=ast.Attribute(attr=own), annotation=annotation) if (
                own == name
            ):
                yield annotation
            case _:
                pass


def _set_kinds(cls: ast.ClassDef, name: str) -> Iterator[Kinds]:
    """Yield the kinds of each value assigned to an attribute, an empty set for unknown ones."""
    for node in cls.body:
        if isinstance(node, _FUNCTIONS):
            yield from _set_in(node, name)
        elif any(isinstance(n, ast.Name) and n.id == name for n in _targets(node)):
            yield _value_kinds(node, {})


def _set_in(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[Kinds]:
    parameters = (*function.args.args, *function.args.kwonlyargs)
    given = {each.arg: annotated_kinds(each.annotation) for each in parameters}
    for node in ast.walk(function):
        if not isinstance(node, ast.stmt) or isinstance(node, ast.AugAssign):
            continue
        if any(isinstance(n, ast.Attribute) and n.attr == name for n in _targets(node)):
            yield _value_kinds(node, given)


def _targets(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield what a statement itself assigns to, also in a tuple, a loop or a `with`."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            for each in ast.walk(child):
                if isinstance(each, (ast.Name, ast.Attribute)) and isinstance(each.ctx, ast.Store):
                    yield each


def _value_kinds(node: ast.stmt, given: dict[str, Kinds]) -> Kinds:
    match node:
        case ast.Assign(targets=[ast.Name() | ast.Attribute()], value=ast.Name(id=name)):
            return given.get(name, UNKNOWN)
        case ast.Assign(targets=[ast.Name() | ast.Attribute()], value=value):
            return frozenset(filter(None, [kind_of(ast.unparse(value))]))
        case _:
            return UNKNOWN


def _asks_for_none(cls: ast.ClassDef, name: str) -> bool:
    """Whether code compares the attribute with `None`."""
    return any(
        isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Attribute)
        and node.left.attr == name
        and any(isinstance(each, ast.Constant) and each.value is None for each in node.comparators)
        for node in ast.walk(cls)
    )
