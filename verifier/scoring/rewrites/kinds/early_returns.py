"""Move statements after a branch that leaves the block into its `else`, and the reverse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..rewrite_facts import Facts

_LEAVING = (cst.Return, cst.Raise, cst.Continue, cst.Break)


def early(function: cst.FunctionDef, _facts: Facts) -> cst.FunctionDef:
    """Return the function without `else` after an `if` that leaves the block."""
    found = function.visit(_Hoisting())
    return found if isinstance(found, cst.FunctionDef) else function


def late(function: cst.FunctionDef, _facts: Facts) -> cst.FunctionDef:
    """Return the function with an `else` around what follows an `if` that leaves the block."""
    found = function.visit(_Sinking())
    return found if isinstance(found, cst.FunctionDef) else function


class _Hoisting(cst.CSTTransformer):
    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        body = [each for node in updated_node.body for each in _hoisted(node)]
        return updated_node.with_changes(body=body)


def _hoisted(node: cst.BaseStatement) -> Iterator[cst.BaseStatement]:
    if not isinstance(node, cst.If) or not _never_goes_on(node):
        yield node
        return
    match node.orelse:
        case cst.If() as other:
            yield node.with_changes(orelse=None)
            yield from _hoisted(other)
        case cst.Else(body=cst.IndentedBlock(body=body)):
            yield node.with_changes(orelse=None)
            yield from body
        case _:
            yield node


class _Sinking(cst.CSTTransformer):
    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(body=_sunk(updated_node.body))


def _sunk(body: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
    for position, node in enumerate(body):
        rest = body[position + 1 :]
        if isinstance(node, cst.If) and not node.orelse and rest and _never_goes_on(node):
            other = cst.Else(cst.IndentedBlock(_sunk(rest)))
            return [*body[:position], node.with_changes(orelse=other)]
    return list(body)


def _never_goes_on(node: cst.If) -> bool:
    """Whether the first branch always leaves the block around the `if`."""
    match node.body:
        case cst.IndentedBlock(body=[*_, cst.SimpleStatementLine(body=[*_, last])]):
            return isinstance(last, _LEAVING)
        case _:
            return False
