"""Statements that add a table to an object-relational mapper's registry.

A class that derives from a declarative base, and a `Table` call with a `MetaData`, register
themselves. `create_all` uses all registered tables, though nothing names them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import Scope, module_class, module_scope
from ...analysis.values.abstract_values import ClassValue, Value, ordered
from ...repo.repository import Module
from ...repo.units import Unit


def table_owners(inference: Inference, module: Module, unit: Unit) -> Iterator[Value]:
    """Yield the bases, databases and `MetaData` to which a statement adds a table."""
    scope = module_scope(module)
    match unit.nodes:
        case (ast.ClassDef() as node,):
            for cls in inference.mro(module_class(module, unit, node)):
                yield ClassValue(cls)
                for base in cls.node.bases:
                    yield from _owners(inference, base, cls.enclosing, "Model")
        case (ast.Assign(value=ast.Call(func=func, args=[_, metadata, *_])),) if _is_table(func):
            yield from _owners(inference, metadata, scope, "metadata")
        case _:
            return


def _is_table(func: ast.expr) -> bool:
    match func:
        case ast.Name("Table") | ast.Attribute(attr="Table"):
            return True
        case _:
            return False


def _owners(inference: Inference, node: ast.expr, scope: Scope, part: str) -> Iterator[Value]:
    """Yield the values of the expression, and those of its owner if it is that attribute."""
    yield from ordered(inference.evaluate(node, scope))
    if isinstance(node, ast.Attribute) and node.attr == part:
        yield from ordered(inference.evaluate(node.value, scope))
