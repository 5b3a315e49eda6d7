"""Introduce a variable for each returned value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from ..rewrite_facts import Facts


def temporaries(function: cst.FunctionDef, facts: Facts) -> cst.FunctionDef:
    """Return the function with `name = E` and `return name` for each `return E`."""
    found = function.visit(_Introducing(facts.free_name("outcome")))
    return found if isinstance(found, cst.FunctionDef) else function


class _Introducing(cst.CSTTransformer):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def leave_Return(
        self, original_node: cst.Return, updated_node: cst.Return
    ) -> cst.Return | cst.FlattenSentinel[cst.BaseSmallStatement]:
        value = updated_node.value
        if value is None or isinstance(value, cst.Name):
            return updated_node
        bound = cst.Assign([cst.AssignTarget(cst.Name(self._name))], value)
        space = cst.SimpleWhitespace(" ")
        given = updated_node.with_changes(
            value=cst.Name(self._name), whitespace_after_return=space
        )  # fmt: skip
        return cst.FlattenSentinel([bound, given])
