"""Which outcome of a test lets the slice go on."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from ...slicer.syntax.nodes import walk

_STOPS = frozenset({"exit", "_exit", "quit", "abort", "fail", "skip", "critical", "exception"})
_TROUBLE = re.compile(
    r"error|fail|invalid|not found|missing|cannot|can't|could not|couldn't|unable|no such|"
    r"unexpected|unknown|wrong|denied|expired|empty|no data",
    re.IGNORECASE,
)
_FAILS, _GIVES_UP, _TROUBLED, _GOES_ON = range(4)


def preferred_outcome(body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> bool | None:
    """Return the better outcome of an `if`; `True` if both are equal."""
    true = grade(body)
    false = grade(orelse) if orelse else _GOES_ON
    if true == false:
        return True
    return true > false


def grade(body: Sequence[ast.stmt]) -> int:
    """Return the grade of a block: it fails, gives up, reports trouble, or goes on."""
    last = body[-1]
    match last:
        case ast.Raise():
            return _FAILS
        case ast.Return(value=value):
            return _GIVES_UP if _is_nothing(value) else _troubled(body)
        case ast.Continue() | ast.Break():
            return _GIVES_UP if len(body) == 1 else _troubled(body, _GIVES_UP)
        case ast.Expr(value=ast.Call(func=func)) if _last_name(func) in _STOPS:
            return _FAILS
        case ast.If(orelse=[_, *_]) as inner:
            return max(grade(inner.body), grade(inner.orelse))
        case ast.Pass():
            return _GIVES_UP
        case _:
            return _troubled(body)


def ends(body: Sequence[ast.stmt]) -> bool:
    """Whether a block leaves the surrounding loop without an error."""
    return bool(body) and isinstance(body[-1], (ast.Break, ast.Return))


def _is_nothing(value: ast.expr | None) -> bool:
    match value:
        case None:
            return True
        case ast.Constant(value=constant):
            return not constant or constant == -1 or _is_trouble(constant)
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Tuple(elts=elements):
            return all(map(_is_nothing, elements)) or _is_nothing(elements[0])
        case ast.Dict(keys=keys):
            return any(isinstance(k, ast.Constant) and k.value == "error" for k in keys)
        case ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Call(func=ast.Name(id="list" | "dict" | "set" | "tuple"), args=[], keywords=[]):
            return True
        case ast.Call(func=ast.Attribute(attr="DataFrame"), args=[]):
            return True
        case _:
            return False


def _troubled(body: Sequence[ast.stmt], other: int = _GOES_ON) -> int:
    """Return the grade of a short block that only reports trouble, else `other`."""
    if len(body) > 3:
        return other
    reports_trouble = any(
        isinstance(node, ast.Constant) and _is_trouble(node.value)
        for statement in body
        for node in walk(statement)
    )
    return min(other, _TROUBLED) if reports_trouble else other


def _is_trouble(value: object) -> bool:
    return isinstance(value, str) and bool(_TROUBLE.search(value))


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
