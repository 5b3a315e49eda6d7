"""Tests for plug-ins of other distributions. A slice stands alone, so no plug-in is found.

A package may look up entry points of its own group at import and branch on the result: `call =
dispatch if backends else call_directly`. Code that serves only plug-ins is not followed, and a gap
says so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ....repo.repository import Module
from ....syntax.builtin_models import MUTATORS
from ....syntax.memo import memo
from ....syntax.nodes import walk
from ...inference import Inference, module_global_writers
from ...scopes.definitions import Scope, module_scope
from ...values.abstract_values import External, FunctionValue, Values, ordered
from ..external_calls.entry_points import FINDERS
from ..use_walk import Walk

_COPIES = frozenset({"list", "tuple", "set", "dict", "sorted"})
_EMPTY = frozenset({"list", "set", "dict"})
_TAKING = frozenset({"pop", "remove", "discard", "clear", "sort", "popitem"})
"""Methods that add nothing to a container."""


def plugin_test(seen: Walk, test: ast.expr) -> bool | None:
    """Return the outcome of a test for discovered entry points; `None` for any other test."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            outcome = plugin_test(seen, inner)
            return None if outcome is None else not outcome
        case ast.Name(id=name) if seen.scope.lookup(name) is None:
            return False if _holds_plugins(seen.module, name, seen.inference) else None
        case _:
            return None


@memo
def _holds_plugins(module: Module, name: str, inference: Inference) -> bool:
    """Whether the module-level name holds only discovered entry points."""
    if "entry_points" not in module.source.text or name in module_global_writers(module):
        return False
    changed = rf"(?<![\w.]){re.escape(name)}\s*(?:\[[^\]\n]*\]\s*[|]?=(?!=)|\|=|\+=|\.(\w+)\()"
    methods = {found[1] for found in re.finditer(changed, module.source.text)}
    if methods & ({None} | (MUTATORS - _TAKING)):
        return False
    match [unit.sole for unit in module.bindings.get(name, ())]:
        case [ast.Assign(targets=[ast.Name()], value=value)]:
            return _Found(inference, module_scope(module)).is_found(value)
        case _:
            return False


@dataclass(frozen=True, slots=True)
class _Found:
    """Decides which expressions of a scope hold only discovered entry points."""

    inference: Inference
    scope: Scope

    def is_found(self, node: ast.expr) -> bool:
        """Whether the expression gives entry points, or objects made from them one by one."""
        match node:
            case ast.Call(func=ast.Name(id=copy), args=[inner]) if copy in _COPIES:
                return self.is_found(inner)
            case ast.Call(func=func):
                return self._finds(func) or self._is_collected(func)
            case (
                ast.ListComp(generators=[first, *_])
                | ast.SetComp(generators=[first, *_])
                | ast.DictComp(generators=[first, *_])
                | ast.GeneratorExp(generators=[first, *_])
            ):
                return self.is_found(first.iter)
            case ast.Name(id=name):
                return any(self._assigned(name)) and all(map(self.is_found, self._assigned(name)))
            case _:
                return False

    def _finds(self, func: ast.expr) -> bool:
        return any(
            isinstance(value, External) and value.name in FINDERS
            for value in self.inference.evaluate(func, self.scope) or ()
        )

    def _assigned(self, name: str) -> list[ast.expr]:
        """Return the expressions that the function assigns to a local name."""
        body = walk(self.scope.node) if self.scope.parent is not None else ()
        return [
            node.value
            for node in body
            if isinstance(node, ast.Assign)
            and any(isinstance(each, ast.Name) and each.id == name for each in node.targets)
        ]

    def _is_collected(self, func: ast.expr) -> bool:
        """Whether a function of the module collects only entry points in its result."""
        if not isinstance(func, ast.Name) or self.scope.parent is not None:
            return False
        match [unit.sole for unit in self.scope.module.bindings.get(func.id, ())]:
            case [ast.FunctionDef() as made]:
                values = self.inference.evaluate(func, self.scope)
                scopes = [self.inference.function_scope(v.function) for v in _functions(values)]
                return len(scopes) == 1 and _Found(self.inference, scopes[0]).are_collected(made)
            case _:
                return False

    def are_collected(self, made: ast.FunctionDef) -> bool:
        """Whether all results of the function are entry points, or collected in loops over them."""
        given = [node.value for node in walk(made) if isinstance(node, ast.Return)]
        return bool(given) and all(
            node is not None and (self.is_found(node) or self._is_filled_by_loops(made, node))
            for node in given
        )

    def _is_filled_by_loops(self, made: ast.FunctionDef, node: ast.expr) -> bool:
        if not isinstance(node, ast.Name) or not all(map(_is_empty, self._assigned(node.id))):
            return False
        loops = [
            loop for loop in walk(made) if isinstance(loop, ast.For) and self.is_found(loop.iter)
        ]
        inside = {id(each) for loop in loops for each in walk(loop)}
        fills = [each for each in walk(made) if _fills(each, node.id)]
        return bool(loops) and all(id(each) in inside for each in fills)


def _functions(values: Values) -> Iterator[FunctionValue]:
    return (value for value in ordered(values) if isinstance(value, FunctionValue))


def _is_empty(node: ast.expr) -> bool:
    """Whether the expression makes an empty container."""
    match node:
        case ast.Dict(keys=[]) | ast.List(elts=[]):
            return True
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            return name in _EMPTY
        case _:
            return False


def _fills(node: ast.AST, name: str) -> bool:
    """Whether the node may add something to the container of that name."""
    match node:
        case ast.Subscript(value=ast.Name(id=owner), ctx=ast.Store()):
            return owner == name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=attr)) if owner == name:
            return attr not in _TAKING
        case ast.Call(args=args):
            return any(isinstance(each, ast.Name) and each.id == name for each in args)
        case ast.AugAssign(target=ast.Name(id=owner)):
            return owner == name
        case _:
            return False
