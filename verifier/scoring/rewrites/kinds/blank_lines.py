"""Insert empty lines between statements, so that each is on another line than before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from ..rewrite_facts import Facts


def spaced(function: cst.FunctionDef, _facts: Facts) -> cst.FunctionDef:
    """Return the function with an empty line above each statement of its body."""
    found = function.visit(_Spacing())
    return found if isinstance(found, cst.FunctionDef) else function


class _Spacing(cst.CSTTransformer):
    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(body=[*map(_lower, updated_node.body)])


def _lower(node: cst.BaseStatement) -> cst.BaseStatement:
    if not isinstance(node, _WITH_LINES):
        return node
    return node.with_changes(leading_lines=[cst.EmptyLine(indent=False), *node.leading_lines])


_WITH_LINES = (
    cst.SimpleStatementLine, cst.If, cst.For, cst.While, cst.With, cst.Try, cst.TryStar, cst.Match,
    cst.FunctionDef, cst.ClassDef,
)  # fmt: skip
