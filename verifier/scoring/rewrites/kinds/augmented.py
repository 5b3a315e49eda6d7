"""Rewrite `x += 1` to `x = x + 1` where `x` surely is a number; other types may differ."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rewrite_facts import Facts

_OPERATORS: dict[type[cst.BaseAugOp], type[cst.BaseBinaryOp]] = {
    cst.AddAssign: cst.Add, cst.SubtractAssign: cst.Subtract, cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide, cst.FloorDivideAssign: cst.FloorDivide,
    cst.ModuloAssign: cst.Modulo,
}  # fmt: skip
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)


def expand_augmented(function: cst.FunctionDef, facts: Facts) -> cst.FunctionDef:
    """Return the function with such augmented assignments spelled out."""
    found = function.visit(_Spelling(_numbers(facts)))
    return found if isinstance(found, cst.FunctionDef) else function


class _Spelling(cst.CSTTransformer):
    def __init__(self, numbers: frozenset[str]) -> None:
        super().__init__()
        self._numbers = numbers

    def leave_AugAssign(
        self, original_node: cst.AugAssign, updated_node: cst.AugAssign
    ) -> cst.AugAssign | cst.Assign:
        operator = _OPERATORS.get(type(updated_node.operator))
        match updated_node.target:
            case cst.Name(value=name) as target if operator and name in self._numbers:
                value = updated_node.value.with_changes(
                    lpar=[cst.LeftParen(), *updated_node.value.lpar],
                    rpar=[*updated_node.value.rpar, cst.RightParen()],
                )
                made = cst.BinaryOperation(target, operator(), value)
                return cst.Assign(
                    [cst.AssignTarget(target)], made, semicolon=updated_node.semicolon
                )
            case _:
                return updated_node


def _numbers(facts: Facts) -> frozenset[str]:
    """Return variables that are only bound to numbers."""
    values: dict[str, list[ast.expr]] = {}
    for name, value in _bindings(facts.tree):
        values.setdefault(name, []).append(value)
    known = {
        name for name, found in values.items()
        if facts.is_plain_local(name) and facts.stored[name] == len(found)
    }  # fmt: skip
    while True:
        kept = {n for n in known if all(_is_number(value, known) for value in values[n])}
        if kept == known:
            return frozenset(known)
        known = kept


def _bindings(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                if isinstance(op, _ARITHMETIC):
                    yield name, value
            case _:
                pass


def _is_number(node: ast.expr, known: set[str]) -> bool:
    match node:
        case ast.Constant(value=int() | float()):
            return True
        case ast.Name(id=name):
            return name in known
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=value):
            return _is_number(value, known)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
            return _is_number(left, known) and _is_number(right, known)
        case _:
            return False
