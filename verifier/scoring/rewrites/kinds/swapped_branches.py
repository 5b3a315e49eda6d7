"""Swap the branches of an `if` under the negated condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from ..rewrite_facts import Facts


def swapped(function: cst.FunctionDef, _facts: Facts) -> cst.FunctionDef:
    """Return the function with `if not c: B else: A` for each `if c: A else: B`."""
    found = function.visit(_Swapping())
    return found if isinstance(found, cst.FunctionDef) else function


class _Swapping(cst.CSTTransformer):
    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If:
        match updated_node.orelse:
            case cst.Else(body=body):
                orelse = updated_node.orelse.with_changes(body=updated_node.body)
                test = _negated(updated_node.test)
                return updated_node.with_changes(
                    test=test, body=body, orelse=orelse,
                    whitespace_before_test=cst.SimpleWhitespace(" "),
                )  # fmt: skip
            case _:
                return updated_node

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.IfExp:
        space = cst.SimpleWhitespace(" ")
        return updated_node.with_changes(
            test=_negated(updated_node.test),
            body=_enclosed(updated_node.orelse),
            orelse=_enclosed(updated_node.body),
            whitespace_before_if=space, whitespace_after_if=space,
            whitespace_before_else=space, whitespace_after_else=space,
        )  # fmt: skip


def _negated(test: cst.BaseExpression) -> cst.BaseExpression:
    return cst.UnaryOperation(cst.Not(), _enclosed(test))


def _enclosed(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.with_changes(
        lpar=[cst.LeftParen(), *node.lpar], rpar=[*node.rpar, cst.RightParen()]
    )
