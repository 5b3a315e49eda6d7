"""Values of literal syntax: constants, displays, comprehensions, lambdas."""

from __future__ import annotations

import ast

from ...scopes.definitions import Scope, comprehension_scope
from ...values.abstract_values import (
    BOOL,
    BYTES,
    FLOAT,
    INT,
    NOTHING,
    STR,
    ExternalInstance,
    TupleOf,
    Values,
    builtin,
)
from ..value_sets import shallow
from ..values_of_expressions import Evaluation, Evaluator

_CONSTANTS: dict[type[object], Values] = {
    str: STR,
    int: INT,
    bool: BOOL,
    float: FLOAT,
    bytes: BYTES,
    complex: builtin("complex"),
}


class Displays:
    """Evaluates literals and displays."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def evaluators(self) -> dict[type[object], Evaluator]:
        """Kind of expression → its evaluator."""
        return {
            ast.Constant: self._constant,
            ast.Tuple: self._tuple,
            ast.List: self._list,
            ast.Set: self._list,
            ast.Dict: self._dict,
            ast.DictComp: self._dict,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.JoinedStr: self._text,
            ast.Lambda: self._lambda,
        }

    def _constant(self, node: ast.Constant, scope: Scope) -> Values:
        return NOTHING if node.value is None else _CONSTANTS.get(type(node.value))

    def _tuple(self, node: ast.Tuple, scope: Scope) -> Values:
        if len(node.elts) > 8 or any(isinstance(e, ast.Starred) for e in node.elts):
            return builtin("tuple")
        return frozenset(
            {TupleOf(tuple(shallow(self._evaluation.evaluate(e, scope)) for e in node.elts))}
        )

    def _list(self, node: ast.List | ast.Set, scope: Scope) -> Values:
        return builtin("list" if isinstance(node, ast.List) else "set")

    def _dict(self, node: ast.Dict | ast.DictComp, scope: Scope) -> Values:
        return builtin("dict")

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope
    ) -> Values:
        inner = comprehension_scope(node, scope)
        kinds = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "iterator"}
        return builtin(kinds[type(node)], shallow(self._evaluation.evaluate(node.elt, inner)))

    def _text(self, node: ast.expr, scope: Scope) -> Values:
        return STR

    def _lambda(self, node: ast.Lambda, scope: Scope) -> Values:
        return frozenset({ExternalInstance("types.FunctionType")})
