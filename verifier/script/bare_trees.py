"""Syntax trees without docstrings and annotations."""

from __future__ import annotations

import ast
import copy
from typing import TypeVar, cast

_Node = TypeVar("_Node", bound=ast.AST)


def bare(node: _Node) -> _Node:
    """Return a copy of the tree without docstrings and annotations.

    A bare declaration (`x: int`) is removed; an annotated assignment becomes a plain one.
    """
    result = copy.deepcopy(node)
    for inner in ast.walk(result):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            inner.returns = None
        elif isinstance(inner, ast.arg):
            inner.annotation = None
        for field in ("body", "orelse", "finalbody"):
            block: object = getattr(inner, field, None)
            if isinstance(block, list):
                statements = cast("list[ast.stmt]", block)
                setattr(inner, field, _bare_block(inner, field, statements))
    return result


def _bare_block(owner: ast.AST, field: str, block: list[ast.stmt]) -> list[ast.stmt]:
    documented = isinstance(
        owner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module
    )
    if field == "body" and documented and block and _is_docstring(block[0]):
        block = block[1:]
    left: list[ast.stmt] = []
    for node in block:
        match node:
            case ast.AnnAssign(value=None):
                continue
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                left.append(ast.copy_location(ast.Assign([target], value), node))
            case _:
                left.append(node)
    if field == "body" and not left:
        return [ast.Pass()]
    return left


def _is_docstring(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False
