"""Dedent code without touching the text of its strings."""

from __future__ import annotations

import ast
import textwrap
import warnings
from collections.abc import Iterator


def dedented(code: str) -> str:
    """Return a definition at the left margin; lines of strings but docstrings stay as they are.

    `textwrap.dedent` shortens the lines of strings, and with them what the code does; where one is
    at the margin already, it moves nothing. Code that cannot be parsed is dedented as text.
    """
    lines = code.splitlines(keepends=True)
    first = next((line for line in lines if line.strip()), "")
    margin = first[: len(first) - len(first.lstrip())]
    if not margin:
        return code
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escape sequences
            tree = ast.parse(f"if 1:\n{code}")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return textwrap.dedent(code)
    inside = set(_lines_in_strings(tree))
    return "".join(
        line if number in inside else line.removeprefix(margin)
        for number, line in enumerate(lines, start=2)
    )


def _lines_in_strings(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that begin inside of a string, or of adjacent strings; not of docstrings."""
    docstrings = {id(each) for node in ast.walk(tree) for each in _docstring(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() | bytes()) | ast.JoinedStr() if (
                id(node) not in docstrings
            ):
                yield from range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
            case _:
                pass


def _docstring(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case (
            ast.FunctionDef(body=[ast.Expr(value=value), *_])
            | ast.AsyncFunctionDef(body=[ast.Expr(value=value), *_])
            | ast.ClassDef(body=[ast.Expr(value=value), *_])
        ):
            yield value
        case _:
            pass
