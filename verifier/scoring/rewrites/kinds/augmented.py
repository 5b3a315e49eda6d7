"""Rewrite `x += 1` to `x = x + 1` where `x` surely is a number; other types may differ."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from .....slicer.syntax.scopes import assigned_values

if TYPE_CHECKING:
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
    values = assigned_values(ast.walk(facts.tree))
    known = {name for name in values if facts.is_plain_local(name)}
    while True:
        kept = {n for n in known if all(_is_number(value, known) for value in values[n])}
        if kept == known:
            return frozenset(known)
        known = kept


def _is_number(node: ast.expr | None, known: set[str]) -> bool:
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
