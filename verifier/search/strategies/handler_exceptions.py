"""Exceptions with the contents that their handler looks for.

A handler may test the exception's errno, status or text, and then continue or raise it again.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from ..drafts.recording_stand_ins import class_name

_TEXTS = frozenset({"str", "repr"})


def handler_reads_exception(handler: ast.ExceptHandler) -> bool:
    """Whether a handler looks at more than the class of an exception."""
    return next(_asked(handler), None) is not None


def handler_exceptions(handler: ast.ExceptHandler, cls: str, made: str) -> Iterator[str]:
    """Yield expressions for exceptions with the values that a handler compares.

    Args:
        handler: the handler with the comparisons.
        cls: an expression for the class of the exception.
        made: an expression for an exception of that class.
    """
    for path, value in dict.fromkeys(_asked(handler)):
        match path:
            case ():
                yield f"{cls}({value})"
            case ("errno",) if _is_of_system(cls):
                yield f"{cls}({value}, 'failed')"
            case _:
                (first, *rest), held = path, value
                for name in reversed(rest):
                    held = f"type({class_name(first)!r}, (), {{{name!r}: {held}}})()"
                yield f"(lambda error: vars(error).update({first}={held}) or error)({made})"


def _asked(handler: ast.ExceptHandler) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield pairs of an attribute path (`()` is `args[0]`) and the compared value."""
    if not handler.name:
        return
    for node in (n for statement in handler.body for n in ast.walk(statement)):
        match node:
            case ast.Compare(left=ast.Constant(value=str() as text), ops=[ast.In() | ast.NotIn()]):
                if _is_text(node.comparators[0], handler.name):
                    yield (), repr(text)
            case ast.Compare(left=left, comparators=[right]):
                path = _path(left, handler.name)
                value = _value(right)
                if path is not None and value:
                    yield path, value
            case _:
                continue


def _is_text(node: ast.expr, name: str) -> bool:
    """Whether an expression is the text of the exception, or of something in it."""
    match node:
        case ast.Call(func=ast.Name(id=func), args=[ast.Name(id=of)]):
            return func in _TEXTS and of == name
        case ast.Call(func=ast.Attribute(value=value, attr="lower" | "casefold"), args=[]):
            return _is_text(value, name)
        case _:
            return _path(node, name) == ()


def _path(node: ast.expr, name: str) -> tuple[str, ...] | None:
    """Return the attributes that lead from the exception to a value; `None` for other values."""
    match node:
        case ast.Subscript(
            value=ast.Attribute(value=ast.Name(id=of), attr="args"), slice=ast.Constant(value=0)
        ) if of == name:
            return ()
        case ast.Attribute(value=ast.Name(id=of), attr=attr) if of == name:
            return (attr,)
        case ast.Attribute(value=value, attr=attr):
            above = _path(value, name)
            return (*above, attr) if above else None
        case _:
            return None


def _value(node: ast.expr) -> str:
    """Return an expression for the first compared value; empty if it is computed."""
    match node:
        case ast.Tuple(elts=[first, *_]) | ast.List(elts=[first, *_]) | ast.Set(elts=[first, *_]):
            return _value(first)
        case ast.Constant(value=value):
            return "" if value is None else repr(value)
        case ast.Attribute(value=ast.Name()):
            return ast.unparse(node)
        case ast.Name(id=name) if name.isupper():
            return name
        case _:
            return ""


def _is_of_system(cls: str) -> bool:
    found = getattr(builtins, cls, None)
    return isinstance(found, type) and issubclass(found, OSError)
