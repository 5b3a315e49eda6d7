"""Exceptions that are caught too widely or too narrowly, or swallowed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator

_NARROWER = {
    "Exception": "ValueError", "BaseException": "Exception", "OSError": "FileNotFoundError",
    "IOError": "FileNotFoundError", "LookupError": "KeyError",
    "ArithmeticError": "ZeroDivisionError",
    "ImportError": "ModuleNotFoundError", "UnicodeError": "UnicodeDecodeError",
    "ValueError": "UnicodeError",
}  # fmt: skip


def _broader(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.ExceptHandler(type=ast.expr() as caught) if not _catches_all(caught):
                yield caught, "Exception"
            case _:
                pass


def _catches_all(node: ast.expr) -> bool:
    each = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(isinstance(n, ast.Name) and n.id in {"Exception", "BaseException"} for n in each)


def _narrower(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.ExceptHandler(type=ast.Name(id=name) as caught) if name in _NARROWER:
                yield caught, _NARROWER[name]
            case _:
                pass


def _swallowed(function: MutatedFunction) -> Iterator[Edit]:
    """Yield `return None` in place of a `raise`."""
    for node in function.nodes:
        if isinstance(node, ast.Raise):
            yield node, "return None"


def _try(caught: str) -> str:
    return f"try:\n    a()\nexcept {caught}:\n    b()"


OPERATORS = (
    Operator(
        "broader handler",
        _broader,
        (
            (_try("KeyError"), (_try("Exception"),)),
            (_try("(KeyError, a.Error)"), (_try("Exception"),)),
        ),
        (_try("Exception"), "try:\n    a()\nexcept:\n    b()", _try("(KeyError, Exception)")),
        is_hint=True,  # nobody knows whether anything else is ever raised there
    ),
    Operator(
        "narrower handler",
        _narrower,
        ((_try("OSError"), (_try("FileNotFoundError"),)),),
        (_try("KeyError"), _try("(OSError, a.Error)")),
        is_hint=True,
    ),
    Operator(
        "swallowed error",
        _swallowed,
        (("if a:\n    raise ValueError(a)\nreturn b", ("if a:\n    return None\nreturn b",)),),
        ("return a",),
    ),
)
