"""Values of an expression, given the parameter values known within the slice.

The text of `def step(game): game.phase = game.phase.next()` does not give the value; the calls of
`step` do. Unlike the inference that this module queries, it leaves unknown values out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import Scope
from ...analysis.values.abstract_values import (
    ClassValue,
    FunctionValue,
    Instance,
    Value,
    Values,
    ordered,
)
from ...syntax.builtin_models import BINARY

Resolve = Callable[[Values], Values]
"""Replaces parameters by the values that they hold."""
StoredValues = Callable[[Value, str], frozenset[Value]]
"""Returns the values that were stored in an attribute of a value."""


class ComputedValues:
    """Values of the expressions in one scope."""

    def __init__(
        self, inference: Inference, scope: Scope, resolve: Resolve, stored: StoredValues
    ) -> None:
        self._inference = inference
        self._scope = scope
        self._resolve = resolve
        self._stored = stored

    def values(self, node: ast.expr) -> frozenset[Value]:
        """Return the known values of the expression."""
        match node:
            case ast.Attribute(value=value, attr=attr):
                return self._member(self.values(value), attr)
            case ast.Call(func=func):
                return self._called(self.values(func))
            case ast.BinOp(left=left, op=op):
                stem = BINARY[type(op).__name__]
                owners = self.values(left)
                found = self._called(self._member(owners, f"__{stem}__"))
                return found | self._called(self._member(owners, f"__i{stem}__"))
            case ast.IfExp(body=body, orelse=orelse):
                return self.values(body) | self.values(orelse)
            case ast.BoolOp(values=parts):
                return frozenset[Value]().union(*map(self.values, parts))
            case _:
                return self._known(self._inference.possible(node, self._scope))

    def _member(self, owners: frozenset[Value], name: str) -> frozenset[Value]:
        found: set[Value] = set()
        for owner in ordered(owners):
            found |= self._known(self._inference.member(frozenset({owner}), name))
            found |= self._stored(owner, name)
        return frozenset(found)

    def _called(self, callees: frozenset[Value]) -> frozenset[Value]:
        found: set[Value] = set()
        for callee in ordered(callees):
            match callee:
                case FunctionValue(function=function):
                    found |= self._known(self._inference.returned(function))
                case ClassValue(cls=cls):
                    found.add(Instance(cls))
                case _:
                    continue
        return frozenset(found)

    def _known(self, values: Values) -> frozenset[Value]:
        parts = (self._resolve(frozenset({value})) for value in ordered(values))
        return frozenset[Value]().union(*(part for part in parts if part))
