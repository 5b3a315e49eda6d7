"""A parameter's default, and other values: only these show how it is used."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ....slicer.syntax.nodes import defaults_of
from .value_kinds import kind_of


def default_of(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> ast.expr | None:
    """Return the default of a parameter, or `None`."""
    return next((each for arg, each in defaults_of(node.args) if arg.arg == name), None)


def non_default_first(texts: Sequence[str], default: ast.expr) -> list[str]:
    """Return the expressions with those first that differ from the default.

    A flag is first negated. A number without other candidates is raised by one.
    """
    default_text = ast.unparse(default)
    others = [text for text in dict.fromkeys(texts) if text != default_text]
    match default:
        case ast.Constant(value=bool() as value):
            flag = str(not value)
            others = [flag, *(text for text in others if text != flag)]
        case ast.Constant(value=int() | float() as value) if not others:
            others = [repr(value + 1)]
        case _:
            pass
    return [*others, *([default_text] if default_text in texts else [])]


def of_default_kind(texts: Sequence[str], default: ast.expr) -> list[str]:
    """Return the values of the default's kind, where nothing else is known about a parameter.

    A default of `None` says nothing about other values.
    """
    kind = kind_of(ast.unparse(default))
    if kind in ("", "NoneType"):
        return list(texts)
    return [text for text in texts if kind_of(text) in ("", kind)]
