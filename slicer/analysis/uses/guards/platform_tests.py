"""Platform tests, decided for the platform that the slice is made on."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable

from ...values.abstract_values import External, Values


def platform_test(test: ast.expr, values: Callable[[ast.expr], Values]) -> bool | None:
    """Return the outcome of a platform test on this platform; `None` for any other test."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            outcome = platform_test(inner, values)
            return None if outcome is None else not outcome
        case ast.BoolOp(op=op, values=[first, *_]):
            # `win and …` is false as soon as its first part is
            outcome = platform_test(first, values)
            return outcome if outcome is isinstance(op, ast.Or) else None
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=str(text))]):
            known = _platform_text(left, values)
            if known is None or not isinstance(op, (ast.Eq, ast.NotEq)):
                return None
            return (known == text) is isinstance(op, ast.Eq)
        case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Tuple(elts=parts)]):
            known = _platform_text(left, values)
            texts = [p.value for p in parts if isinstance(p, ast.Constant)]
            return None if known is None or len(texts) != len(parts) else known in texts
        case ast.Call(
            func=ast.Attribute(value=value, attr="startswith"), args=[ast.Constant(value=str(text))]
        ):
            known = _platform_text(value, values)
            return None if known is None else known.startswith(text)
        case _:
            return None


def _platform_text(node: ast.expr, values: Callable[[ast.expr], Values]) -> str | None:
    if not isinstance(node, (ast.Attribute, ast.Call, ast.Name)):
        return None
    for value in values(node.func if isinstance(node, ast.Call) else node) or ():
        match value, node:
            case External(name="sys.platform"), ast.Attribute() | ast.Name():
                return sys.platform
            case External(name="os.name"), ast.Attribute() | ast.Name():
                return os.name
            case External(name="platform.system"), ast.Call():
                return {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}.get(sys.platform)
            case _:
                continue
    return None
