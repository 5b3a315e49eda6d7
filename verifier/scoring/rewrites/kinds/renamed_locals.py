"""Rename local variables.

Each name is replaced everywhere. Equivalence is checked, not argued: both versions must compile to
the same code but for the names of variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ....mutation.equivalence.equal_code import canonical_bytecode

if TYPE_CHECKING:
    from ..rewrite_facts import Facts


def renamed(function: cst.FunctionDef, facts: Facts) -> cst.FunctionDef:
    """Return the function with as many local variables renamed as can be proved local."""
    for name in sorted(facts.stored):
        if name in facts.parameters | facts.declared | facts.words or name.startswith("__"):
            continue
        new = facts.free_name(f"{name}_")
        found = function.visit(_Renaming(name, new))
        if isinstance(found, cst.FunctionDef) and _same(function, found, {name: new}):
            function = found
    return function


def _same(old: cst.FunctionDef, new: cst.FunctionDef, names: dict[str, str]) -> bool:
    module = cst.Module([])
    expected = canonical_bytecode(module.code_for_node(old), names)
    return expected is not None and expected == canonical_bytecode(module.code_for_node(new))


class _Renaming(cst.CSTTransformer):
    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self._old = old
        self._new = new

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        if original_node.value != self._old:
            return updated_node
        return updated_node.with_changes(value=self._new)
