"""Values that objects yield when they are iterated, unpacked or entered as context managers."""

from __future__ import annotations

import ast
from collections.abc import Callable

from ...syntax.builtin_models import CONTAINERS
from ..scopes.definitions import ClassInfo, Scope
from ..values.abstract_values import (
    INT,
    STR,
    ExternalInstance,
    Instance,
    TupleOf,
    Values,
    builtin,
    join,
)
from .external_types import is_closed
from .values_of_expressions import Evaluation


class Iteration:
    """Items of iterables, parts of unpacked values, and targets of `with`.

    Args:
        evaluation: evaluates expressions.
        call_member: returns the values of calling a member without arguments.
    """

    def __init__(
        self, evaluation: Evaluation, call_member: Callable[[Values, str], Values]
    ) -> None:
        self._evaluation = evaluation
        self._call_member = call_member

    def items(self, values: Values) -> Values:
        """Return the values that iterating over the values yields."""
        values = self._evaluation.closed(values)
        if values is None:
            return None
        found: list[Values] = []
        for value in values:
            match value:
                case ExternalInstance(name="builtins.str"):
                    found.append(STR)
                case ExternalInstance(name="builtins.bytes"):
                    found.append(INT)
                case ExternalInstance(items=items):
                    is_known = not is_closed(value.name)
                    found.append(items if is_known else frozenset({ExternalInstance(value.name)}))
                case TupleOf(parts=parts):
                    found.append(join(*parts))
                case Instance(cls=cls):
                    found.append(self._iterated(cls))
                case _:
                    return None
        return join(*found)

    def _iterated(self, cls: ClassInfo) -> Values:
        result = self._call_member(frozenset({Instance(cls)}), "__iter__")
        if result is None:
            return None
        parts: list[Values] = []
        for value in result:
            if isinstance(value, Instance):
                parts.append(self._call_member(frozenset({value}), "__next__"))
            else:
                parts.append(self.items(frozenset({value})))
        return join(*parts)

    def unpacked(
        self, values: Values, path: tuple[int, ...], node: ast.expr | None, scope: Scope
    ) -> Values:
        """Return the unpacked values at the path; `node` is the values' expression, if any."""
        if (
            path
            and isinstance(node, (ast.Tuple, ast.List))
            and 0 <= path[0] < len(node.elts)
            and not any(isinstance(e, ast.Starred) for e in node.elts)
        ):
            part = node.elts[path[0]]
            return self.unpacked(self._evaluation.possible(part, scope), path[1:], part, scope)
        for index in path:
            values = self._evaluation.closed(values)
            if values is None:
                return None
            parts: list[Values] = []
            for value in values:
                if isinstance(value, TupleOf) and 0 <= index < len(value.parts):
                    parts.append(value.parts[index])
                elif index == -1:
                    parts.append(builtin("list", self.items(frozenset({value}))))
                else:
                    parts.append(self.items(frozenset({value})))
            values = join(*parts)
        return values

    def entered(self, values: Values) -> Values:
        """Return the values that `with` binds to its target."""
        values = self._evaluation.closed(values)
        if values is None:
            return None
        parts: list[Values] = []
        for value in values:
            match value:
                case Instance():
                    single: Values = frozenset({value})
                    entered = self._call_member(single, "__enter__")
                    if entered is None:
                        entered = self._call_member(single, "__aenter__")
                    parts.append(entered)
                case ExternalInstance(name="contextmanager", items=items):
                    parts.append(items)
                case ExternalInstance(name=name) if name in CONTAINERS:
                    return None
                case ExternalInstance():
                    parts.append(frozenset({value}))
                case _:
                    return None
        return join(*parts)
