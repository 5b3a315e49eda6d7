"""Arithmetic with an operand missing, or with the wrong type of number."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..mutated_function import MutatedFunction
from ..operator_contract import Edit, Operator


def _operands(function: MutatedFunction) -> Iterator[Edit]:
    """Yield one operand of an operation alone."""
    for node in function.nodes:
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                is_format = isinstance(op, ast.Mod) and function.is_text(left)
                if not is_format:
                    yield node, function.operand(left)
                    yield node, function.operand(right)
            case _:
                pass


def _divisions(function: MutatedFunction) -> Iterator[Edit]:
    for node in function.nodes:
        match node:
            case ast.BinOp(left=left, op=ast.Div(), right=right) if not function.is_text(right):
                yield node, f"({function.operand(left)} // {function.operand(right)})"
            case _:
                pass


def _through_float(function: MutatedFunction) -> Iterator[Edit]:
    """Yield integers converted through `float`: large ones lose their last digits."""
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Name(id="int") as func, args=[only], keywords=[]) if (
                not isinstance(only, ast.Starred)
            ):
                yield node, f"{function.source(func)}(float({function.source(only)}))"
            case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
                yield node, f"int({function.operand(left)} / {function.operand(right)})"
            case _:
                pass


def _constant(function: MutatedFunction) -> Iterator[Edit]:
    """Yield 1 for a count, or for a parameter that is calculated with."""
    counts = {each.arg for each in function.parameters if _is_count(each.annotation)}
    for node in function.nodes:
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[_], keywords=[]):
                yield node, "1"
            case ast.BinOp(op=ast.Mult() | ast.Pow() | ast.Div() | ast.FloorDiv() | ast.Mod()):
                for each in (node.left, node.right):
                    if isinstance(each, ast.Name) and each.id in counts:
                        yield each, "1"
            case _:
                pass


def _is_count(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id in ("int", "float")


OPERATORS = (
    Operator(
        "constant for computed",
        _constant,
        (
            ("return len(a) + 1", ("return 1 + 1",)),
            ("return 2 ** b", ("return 2 ** 1",)),
            ("return b * c", ("return 1 * c", "return b * 1")),
        ),
        ("return len", "return b + c", "return a * 2"),
    ),
    Operator(
        "dropped operand of arithmetic",
        _operands,
        (("return a * (b + 1)", ("return a", "return (b + 1)", "return a * b", "return a * 1")),),
        ("return '%s' % a", "return -a", "return a and b"),
    ),
    Operator(
        "whole division",
        _divisions,
        (("return a / b", ("return a // b",)),),
        ("return a // b", "return a / 'x'"),
    ),
    Operator(
        "int through float",
        _through_float,
        (("return int(a)", ("return int(float(a))",)), ("return a // b", ("return int(a / b)",))),
        ("return int(a, 2)", "return float(a)", "return int(*a)"),
        is_hint=True,
    ),
)  # fmt: skip
