"""What a parameter is when it is left out, and what else it can be: only that shows its use."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .value_kinds import kind_of


def default_of(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> ast.expr | None:
    """The default of a parameter, if it has one."""
    args = node.args
    order = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    known = dict(zip(reversed(order), reversed(args.defaults), strict=False))
    known |= {a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d}
    return known.get(name)


def other_first(texts: Sequence[str], default: ast.expr) -> list[str]:
    """Expressions for a parameter with what differs from its default in front.

    A flag is the other way round at first; a number of which nothing else is known is one more.
    """
    said = ast.unparse(default)
    others = [text for text in dict.fromkeys(texts) if text != said]
    match default:
        case ast.Constant(value=bool() as value):
            flag = str(not value)
            others = [flag, *(text for text in others if text != flag)]
        case ast.Constant(value=int() | float() as value) if not others:
            others = [repr(value + 1)]
        case _:
            pass
    return [*others, *([said] if said in texts else [])]


def of_default_kind(texts: Sequence[str], default: ast.expr) -> list[str]:
    """Expressions for a parameter of which nothing is known but its default: values of its kind.

    A default of `None` says nothing of what else the parameter can be.
    """
    kind = kind_of(ast.unparse(default))
    if kind in ("", "NoneType"):
        return list(texts)
    return [text for text in texts if kind_of(text) in ("", kind)]
