"""Names computed from the name of an object's class, as visitors do: `"visit_" + type(x).__name__`.

The closure knows which classes the object may have, and keeps members by their names.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ...inference import Inference
from ...scopes.definitions import Scope
from ...values.abstract_values import External, Values


@dataclass(frozen=True, slots=True)
class ClassNamed:
    """A text that consists of a prefix, the name of an object's class, and a suffix."""

    prefix: str
    suffix: str
    objects: Values


def named_after_class(inference: Inference, node: ast.expr, scope: Scope) -> ClassNamed | None:
    """Return the pattern of an expression that puts constant text around a class name."""
    if isinstance(node, ast.Name):
        holder = scope.lookup(node.id)
        binders = holder.binders[node.id] if holder is not None else []
        match [(binder.kind, binder.path, binder.value) for binder in binders]:
            case [("value", (), ast.expr() as value)] if holder is not None:
                node, scope = value, holder
            case _:
                return None
    parts = _parts(node)
    if parts is None:
        return None
    prefix, name, suffix = parts
    owner = _object(inference, name, scope)
    return None if owner is None else ClassNamed(prefix, suffix, inference.possible(owner, scope))


def _parts(node: ast.expr) -> tuple[str, ast.expr, str] | None:
    """Return the constant prefix, the expression in the middle, and the constant suffix."""
    match node:
        case ast.JoinedStr(values=[*values]):
            prefix = suffix = ""
            match values:
                case [ast.Constant(value=str(prefix)), middle]:
                    pass
                case [middle, ast.Constant(value=str(suffix))]:
                    pass
                case [ast.Constant(value=str(prefix)), middle, ast.Constant(value=str(suffix))]:
                    pass
                case _:
                    return None
            match middle:
                case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                    return prefix, value, suffix
                case _:
                    return None
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Add(), right=right):
            return text, right, ""
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=str(text))):
            inner = _parts(left)
            return (inner[0], inner[1], inner[2] + text) if inner else ("", left, text)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            before, mark, after = text.partition("%s")
            is_one = bool(mark) and "%" not in before + after and not isinstance(right, ast.Tuple)
            return (before, right, after) if is_one else None
        case _:
            return None


def _object(inference: Inference, node: ast.expr, scope: Scope) -> ast.expr | None:
    """Return the `x` of `type(x).__name__` or `x.__class__.__name__`."""
    match node:
        case ast.Attribute(value=ast.Call(func=func, args=[owner], keywords=[]), attr="__name__"):
            is_type = inference.evaluate(func, scope) == frozenset({External("builtins.type")})
            return owner if is_type and not isinstance(owner, ast.Starred) else None
        case ast.Attribute(value=ast.Attribute(value=owner, attr="__class__"), attr="__name__"):
            return owner
        case _:
            return None
