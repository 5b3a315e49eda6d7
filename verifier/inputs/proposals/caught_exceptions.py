"""Exceptions in a target's handlers whose construction its text alone does not tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ....slicer.analysis.scopes.definitions import ClassInfo
from ....slicer.analysis.values.abstract_values import (
    ClassValue,
    External,
    TupleOf,
    Values,
    ordered,
)
from ....slicer.emission.manifest.suggestions.target_functions import TargetFunction
from ....slicer.errors import SourceError
from ..argument_builder import ArgumentBuilder
from ..receivers.named_instances import scope_of


@dataclass(frozen=True, slots=True)
class CaughtException:
    """An exception class; its expressions are in the script's namespace."""

    cls: str
    """An expression for the class, which takes a message."""
    made: str = ""
    """An expression for an instance, where the repository's constructor needs more than a
    message."""


def caught(
    builder: ArgumentBuilder, function: TargetFunction
) -> tuple[tuple[str, tuple[CaughtException, ...]], ...]:
    """Return each exception name in handlers, as written, with the classes that it stands for.

    These are names of tuples, and classes whose constructors need arguments. Other classes are
    called by the handler's name for them.
    """
    found: dict[str, tuple[CaughtException, ...]] = {}
    for each in _named(function.node):
        try:
            values = builder.walk.inference.evaluate(each, scope_of(function))
        except (SourceError, RecursionError):
            continue
        classes = tuple(dict.fromkeys(_classes(builder, values)))
        is_tuple = any(isinstance(value, TupleOf) for value in values or ())
        if is_tuple or any(cls.made for cls in classes):
            found[ast.unparse(each)] = classes
    return tuple(found.items())


def _named(node: ast.AST) -> Iterator[ast.expr]:
    for each in ast.walk(node):
        match each:
            case ast.ExceptHandler(type=ast.Tuple(elts=items)):
                yield from items
            case ast.ExceptHandler(type=ast.expr() as only):
                yield only
            case _:
                pass


def _classes(builder: ArgumentBuilder, values: Values) -> Iterator[CaughtException]:
    for value in ordered(values):
        match value:
            case TupleOf(parts=parts):
                for part in parts:
                    yield from _classes(builder, part)
            case ClassValue(cls=cls) if builder.keeps_class(cls):
                yield CaughtException(builder.class_name(cls), _made(builder, cls))
            case External(name=name):
                yield CaughtException(_outside(name))
            case _:
                pass


def _made(builder: ArgumentBuilder, cls: ClassInfo) -> str:
    return builder.instance(cls, 1) if builder.constructor_arguments(cls, 1) else ""


def _outside(name: str) -> str:
    module, _, attribute = name.rpartition(".")
    if module == "builtins":
        return attribute
    return f"__import__({module!r}, fromlist=[{attribute!r}]).{attribute}"
