"""Swap two neighbouring assignments.

Both bind a local variable, only once and outside loops, so that no older value is dropped. The
values are computed without calls, and at most one of them may fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ..pure_expressions import cannot_fail, has_no_effect, names_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..rewrite_facts import Facts

_Assignment = tuple[str, cst.BaseExpression]


def reordered(function: cst.FunctionDef, facts: Facts) -> cst.FunctionDef:
    """Return the function with such pairs swapped."""
    found = function.visit(_Reordering(facts))
    return found if isinstance(found, cst.FunctionDef) else function


class _Reordering(cst.CSTTransformer):
    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self._facts = facts

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(body=self._turned(updated_node.body))

    def _turned(self, body: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        found = list(body)
        position = 0
        while position + 1 < len(found):
            first, second = found[position : position + 2]
            if self._may_turn(_assignment(first), _assignment(second)):
                found[position : position + 2] = [second, first]
                position += 1
            position += 1
        return found

    def _may_turn(self, first: _Assignment | None, second: _Assignment | None) -> bool:
        if first is None or second is None:
            return False
        pairs = (first, second)
        names = {name for name, _ in pairs}
        is_independent = len(names) == 2 and not any(names & names_in(value) for _, value in pairs)
        is_once = all(map(self._is_bound_once, names))
        failing = sum(not cannot_fail(value, self._facts) for _, value in pairs)
        is_harmless = all(has_no_effect(value, self._facts) for _, value in pairs)
        return (
            is_independent and is_once and is_harmless and failing <= (not self._facts.has_handlers)
        )

    def _is_bound_once(self, name: str) -> bool:
        facts = self._facts
        return facts.is_plain_local(name) and facts.stored[name] == 1 and name not in facts.looped


def _assignment(node: cst.BaseStatement) -> _Assignment | None:
    """Return name and value of a line that only binds one name."""
    match node:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value)]
        ):
            return name, value
        case _:
            return None
