"""Handlers for which it makes no difference which exception is raised, or whether it is caught."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import replace

from ..mutated_block import Function, own_nodes
from .printing_code import CallKnowledge


def logged_and_reraised(function: Function, looks: CallKnowledge) -> Iterator[ast.AST]:
    """Yield the types of handlers that only report and raise again, and what they log or print.

    A nested `try` is left out, since the outer one may catch the exception.
    """
    found = [node for node in own_nodes(function) if isinstance(node, ast.Try | ast.TryStar)]
    inner = {id(each) for outer in found for each in ast.walk(outer) if each is not outer}
    lenient = replace(looks, to_either=True)  # printed text is not compared beside an exception
    for node in found:
        if id(node) in inner:
            continue
        for handler in reversed(node.handlers):
            *reports, last = handler.body
            match last:
                case ast.Raise(exc=None):
                    pass
                case _:
                    break
            if not all(map(lenient.is_unseen, reports)):
                break
            yield from reports
            if handler.type is not None:
                yield handler.type


def swallowed(function: Function) -> Iterator[ast.expr]:
    """Yield exception classes raised where a handler catches everything without a look."""
    for node in ast.walk(function):
        if isinstance(node, ast.Try) and node.handlers and not _looks(node.handlers[0]):
            caught = _caught(node.handlers[0])
            for raised in _raised_in(node.body):
                match raised.exc:
                    case ast.Call(func=ast.Name(id=name) as cls) | (ast.Name(id=name) as cls):
                        known: object = getattr(builtins, name, None)
                        if isinstance(known, type) and issubclass(known, caught):
                            yield cls
                    case _:
                        pass


def _caught(handler: ast.ExceptHandler) -> type[BaseException] | tuple[()]:
    """Return the class that a handler catches, if that is nearly everything."""
    match handler.type:
        case None:
            return BaseException
        case ast.Name(id="Exception"):
            return Exception
        case ast.Name(id="BaseException"):
            return BaseException
        case _:
            return ()


def _looks(handler: ast.ExceptHandler) -> bool:
    """Whether a handler may see which exception it caught."""
    inside = [each for statement in handler.body for each in ast.walk(statement)]
    names = {getattr(each, "id", getattr(each, "attr", "")) for each in inside}
    is_raised = any(isinstance(each, ast.Raise) for each in inside)
    return handler.name in names or is_raised or bool(names & _LOOKING)


_LOOKING = frozenset("exc_info exception format_exc print_exc last_value sys traceback".split())


def _raised_in(body: list[ast.stmt]) -> Iterator[ast.Raise]:
    """Yield what a block itself raises, outside nested `try` statements and functions."""
    for statement in body:
        if isinstance(statement, ast.Raise):
            yield statement
        elif isinstance(statement, ast.If | ast.For | ast.While):
            yield from _raised_in(statement.body)
            yield from _raised_in(getattr(statement, "orelse", []))
