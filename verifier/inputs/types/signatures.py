"""Signatures of the script's functions and methods, for stand-ins that replace them.

A stand-in with the real parameters treats positional and keyword arguments alike.
"""

from __future__ import annotations

import ast
from typing import cast

from ....slicer.emission.manifest.suggestions.target_functions import FunctionNode
from ....slicer.syntax.nodes import defaults_of


def signatures(script: str, target: ast.AST) -> tuple[tuple[str, ast.arguments], ...]:
    """Return the signatures of methods and functions by name, without `self`.

    Of several with one name, the longest is returned if the others are prefixes of it. A name is
    left out if a call in the target does not fit.

    Args:
        script: source text that defines them.
        target: the function whose calls must fit.
    """
    found: dict[str, list[ast.arguments]] = {}
    for node in ast.walk(ast.parse(script)):
        body: object = getattr(node, "body", None)
        for each in cast("list[ast.stmt]", body) if isinstance(body, list) else ():
            if isinstance(each, FunctionNode):
                found.setdefault(each.name, []).append(_own(each, node))
    longest = {name: max(each, key=_length) for name, each in found.items()}
    calls = [node for node in ast.walk(target) if isinstance(node, ast.Call)]
    return tuple(
        (name, args)
        for name, args in longest.items()
        if _is_plain(args)
        and all(_order(args)[: _length(other)] == _order(other) for other in found[name])
        and all(_fits(call, args) for call in calls if getattr(call.func, "attr", "") == name)
    )


def _own(node: FunctionNode, holder: ast.AST) -> ast.arguments:
    """Return the parameters that a caller passes."""
    args = node.args
    is_static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
    if is_static or not isinstance(holder, ast.ClassDef) or not args.args:
        return args
    least = len(args.args) - 1
    return ast.arguments(
        args.posonlyargs, args.args[1:], args.vararg, args.kwonlyargs, args.kw_defaults,
        args.kwarg, args.defaults[-least:] if least else [],
    )  # fmt: skip


def _is_plain(args: ast.arguments) -> bool:
    """Whether all parameters are plain, and all defaults constants."""
    is_open = args.posonlyargs or args.vararg or args.kwarg
    return not is_open and all(isinstance(each, ast.Constant) for _, each in defaults_of(args))


def _order(args: ast.arguments) -> list[str]:
    return [each.arg for each in args.args]


def _length(args: ast.arguments) -> int:
    return len(args.args)


def _fits(call: ast.Call, args: ast.arguments) -> bool:
    """Whether a call fits a signature."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return False
    by_place = _order(args)[: len(call.args)]
    named = [str(each.arg) for each in call.keywords]
    taken = {*_order(args), *(each.arg for each in args.kwonlyargs)}
    return len(by_place) == len(call.args) and taken - {*by_place} >= {*named}
