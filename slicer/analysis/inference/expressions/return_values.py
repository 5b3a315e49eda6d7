"""Values that repository functions return, from their annotation or their `return` statements."""

from __future__ import annotations

import ast

from ...scopes.definitions import FunctionInfo
from ...values.abstract_values import NOTHING, ExternalInstance, Values, builtin, join
from ..function_texts import body_scope, decorator_name, results
from ..iteration import Iteration
from ..names.annotation_values import Annotations
from ..value_sets import is_callable
from ..values_of_expressions import Evaluation


class Returns:
    """Results of functions and generators."""

    def __init__(
        self, evaluation: Evaluation, annotations: Annotations, iteration: Iteration
    ) -> None:
        self._evaluation = evaluation
        self._annotations = annotations
        self._iteration = iteration

    def returned(self, function: FunctionInfo) -> Values:
        """Return the values of calling the function."""
        key = ("return", function.module.path, function.module.name, function.node)
        return self._evaluation.solve(key, lambda: self._returned(function))

    def _returned(self, function: FunctionInfo) -> Values:
        node = function.node
        scope = body_scope(function)
        names = {decorator_name(d) for d in node.decorator_list}
        if node.returns is not None:
            values = self._annotations.annotation(node.returns, function.enclosing)
            if values is not None and not is_callable(values):
                if names & {"contextmanager", "asynccontextmanager"}:
                    return frozenset(
                        {ExternalInstance("contextmanager", self._iteration.items(values))}
                    )
                return values
        else:
            values = None
        returns, yields = results(node)
        if yields:
            items = join(
                *(self._evaluation.evaluate(y, scope) if y is not None else NOTHING for y in yields)
            )
            if names & {"contextmanager", "asynccontextmanager"}:
                return frozenset({ExternalInstance("contextmanager", items)})
            return builtin("iterator", items)
        if all(isinstance(v, ast.Constant) and v.value is None for v in returns):
            return values  # an overriding method may return more
        found: list[Values] = []
        for value in returns:
            result = self._evaluation.possible(value, scope)
            if result is None:
                return values
            found.append(result)
        return join(*found)
