"""The entry point of the inference: which values an expression may have in a scope.

All parts call it recursively. The evaluators for each kind of expression live in modules above this
one and are passed in.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Generator, Hashable, Mapping
from contextlib import contextmanager
from typing import Any

from ..scopes.definitions import Scope
from ..values.abstract_values import Parameter, Values, join
from ..values.fixpoint import Fixpoint

sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))

Evaluator = Callable[[Any, Scope], Values]
"""Returns the values of a node of one kind in a scope."""

_MAX_DEPTH = 150
"""Expressions nested deeper than this count as unknown."""


class Evaluation:
    """Dispatches each expression to its evaluator, and memoises recursive queries."""

    def __init__(self) -> None:
        self._fixpoint = Fixpoint()
        self._depth = 0
        self._evaluators: dict[type[object], Evaluator] = {}
        self._declared: Callable[[Parameter], Values] = _unknown
        self._known: dict[tuple[ast.expr, Scope], Values] | None = None
        """Memoised values of the expressions of one walk, which evaluates many repeatedly."""

    def complete(
        self,
        evaluators: Mapping[type[object], Evaluator],
        declared: Callable[[Parameter], Values],
    ) -> None:
        """Set the parts that need this evaluation for their own construction.

        Args:
            evaluators: kind of expression → its evaluator.
            declared: returns the values that the annotation of a parameter allows.
        """
        self._evaluators.update(evaluators)
        self._declared = declared

    def evaluate(self, node: ast.expr | None, scope: Scope) -> Values:
        """Return the values of an expression in a scope; unknown if there is no expression."""
        return self.closed(self.possible(node, scope))

    def closed(self, values: Values) -> Values:
        """Return the values with every parameter replaced by what its declaration allows."""
        if not values:
            return values
        for value in values:
            if type(value) is Parameter:
                break
        else:
            return values
        return join(
            *(self._declared(v) if isinstance(v, Parameter) else frozenset({v}) for v in values)
        )

    def possible(self, node: ast.expr | None, scope: Scope) -> Values:
        """Return the values of an expression, including parameters, which callers determine."""
        method = self._evaluators.get(type(node))
        if node is None or method is None or self._depth > _MAX_DEPTH:
            return None
        known = self._known
        if known is not None and (node, scope) in known:
            return known[node, scope]
        self._depth += 1
        try:
            values = method(node, scope)
        finally:
            self._depth -= 1
        if known is not None and not self.is_solving:
            known[node, scope] = values
        return values

    @property
    def is_solving(self) -> bool:
        """Whether a query is being evaluated, so that answers may not be final."""
        return self._fixpoint.is_solving

    @contextmanager
    def remembering(self) -> Generator[None]:
        """Memoise the values of expressions inside the context."""
        before, self._known = self._known, {}
        try:
            yield
        finally:
            self._known = before

    def solve(self, key: Hashable, compute: Callable[[], Values]) -> Values:
        """Return the answer to a possibly recursive query, computed once."""
        # an answer must not depend on the nesting depth of the query
        before, self._depth = self._depth, 0
        try:
            return self._fixpoint.solve(key, compute)
        finally:
            self._depth = before


def _unknown(_: Parameter) -> Values:
    return None
