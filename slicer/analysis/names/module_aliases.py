"""Further names under which packages register modules: `sys.modules[__name__ + ".x"] = _impl`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.memo import memo
from ...syntax.nodes import walk


@dataclass(frozen=True, slots=True)
class ModuleAlias:
    """A further name under which a module is registered."""

    unit: Unit
    """The statement that registers it."""
    value: str
    """The local name that denotes the module in that statement."""


@memo
def module_aliases(module: Module) -> dict[str, ModuleAlias]:
    """Return full name → alias, for modules that the module registers under further names."""
    if "modules[" not in module.source.text:
        return {}
    return {
        name: ModuleAlias(unit, value)
        for unit in module.units
        if unit.kind not in ("function", "class")
        for statement in unit.nodes
        for node in walk(statement)
        for name, value in _put(node, module.name)
    }


def _put(node: ast.AST, own: str) -> list[tuple[str, str]]:
    match node:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Attribute(attr="modules"), slice=key)],
            value=ast.Name(id=value),
        ):
            return [(name, value)] if (name := _text(key, own)) else []
        case _:
            return []


def _text(node: ast.expr, own: str) -> str:
    """Return the text of an expression made of literals and `__name__`; empty for others."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id="__name__") | ast.FormattedValue(value=ast.Name(id="__name__")):
            return own
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = [_text(left, own), _text(right, own)]
        case ast.JoinedStr(values=values):
            parts = [_text(value, own) for value in values]
        case _:
            return ""
    return "".join(parts) if all(parts) else ""
