"""The functions behind a target, as callers see them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....analysis.inference import Inference
from ....analysis.scopes.definitions import (
    ClassInfo,
    Scope,
    module_class,
    module_scope,
    nested_class,
)
from ....repo.repository import Module
from ....repo.units import Unit

if TYPE_CHECKING:
    from ....closure.start.target_definitions import Goal

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, eq=False)
class TargetFunction:
    """A target as its callers see it."""

    module: Module
    node: FunctionNode
    enclosing: Scope
    owner: ClassInfo | None
    name: str
    """The name at call sites; for a constructor, the class name."""

    @property
    def kinds(self) -> frozenset[str]:
        """Last names of its decorators."""
        return frozenset(
            getattr(decorator, "id", "") or getattr(decorator, "attr", "")
            for decorator in self.node.decorator_list
        )

    @property
    def takes_self(self) -> bool:
        """Whether Python passes the first argument implicitly."""
        return self.owner is not None and "staticmethod" not in self.kinds

    @property
    def positional(self) -> list[ast.arg]:
        """Parameters in the order of positional arguments, `self` included."""
        return [*self.node.args.posonlyargs, *self.node.args.args]


def target_functions(inference: Inference, goal: Goal) -> Iterator[TargetFunction]:
    """Yield the functions of a goal; for a class, its constructor."""
    module = goal.module
    for unit in goal.units:
        for node in defined_in(unit.nodes):
            if node.name != goal.outer:
                continue
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield TargetFunction(module, node, module_scope(module), None, node.name)
            else:
                cls = module_class(module, unit, node)
                yield from _methods(inference, cls, goal.member, unit)


def _methods(
    inference: Inference, cls: ClassInfo, member: tuple[str, ...], unit: Unit
) -> Iterator[TargetFunction]:
    if not member:
        found = inference.find_member(cls, "__init__")
        owner, units = found or (cls, ())
    else:
        owner, units = cls, cls.table.get(member[0], ())
    for part in units:
        for node in defined_in(part.nodes):
            if isinstance(node, ast.ClassDef) and member:
                inner = nested_class(cls.scope, unit, node)
                yield from _methods(inference, inner, member[1:], unit)
            elif not isinstance(node, ast.ClassDef) and len(member) <= 1:
                name = cls.node.name if node.name == "__init__" else node.name
                yield TargetFunction(owner.module, node, owner.scope, owner, name)


def defined_in(nodes: Iterable[ast.AST]) -> Iterator[FunctionNode | ast.ClassDef]:
    """Yield the definitions in statements and branches, but not nested ones."""
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node
        elif isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield from defined_in(ast.iter_child_nodes(node))


def has_call_sites(function: TargetFunction) -> bool:
    """Whether the function is called by its name."""
    # operators and hooks are called by syntax, properties are not called
    name = function.node.name
    return name == "__init__" or not (name.startswith("__") and name.endswith("__"))
