"""Numbers that a conversion rejects, where the target handles the error."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_REFUSED = {"ValueError": "float('nan')", "OverflowError": "float('inf')"}
"""Maps each error of `int` to a number that raises it."""
_ANY = frozenset({"Exception", "ArithmeticError", "BaseException"})


def refused_numbers(
    function: ast.FunctionDef | ast.AsyncFunctionDef, parameter: ast.arg
) -> Iterator[str]:
    """Yield floats whose conversion to `int` raises an error that the target catches.

    Args:
        function: the target.
        parameter: a parameter of the target.
    """
    said = ast.walk(parameter.annotation) if parameter.annotation else ()
    if not any(isinstance(each, ast.Name) and each.id == "float" for each in said):
        return
    name = parameter.arg
    for node in ast.walk(function):
        if isinstance(node, ast.Try) and any(_makes_whole(each, name) for each in node.body):
            types = [t for h in node.handlers for t in ast.walk(h.type or ast.Name("Exception"))]
            caught = {t.id for t in types if isinstance(t, ast.Name)}
            yield from (text for error, text in _REFUSED.items() if caught & {error, *_ANY})


def _makes_whole(statement: ast.stmt, name: str) -> bool:
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Name(id="int" | "round"), args=[ast.Name(id=given)]):
                if given == name:
                    return True
            case _:
                continue
    return False
