"""Values of operations: arithmetic, comparisons, conditionals, and operators that pass
operands on.
"""

from __future__ import annotations

import ast

from ...scopes.definitions import Scope
from ...values.abstract_values import BOOL, FLOAT, INT, STR, ExternalInstance, Values, builtin, join
from ..external_types import NUMBERS
from ..value_sets import is_list
from ..values_of_expressions import Evaluation, Evaluator


class Operators:
    """Evaluates operators."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def evaluators(self) -> dict[type[object], Evaluator]:
        """Kind of expression → its evaluator."""
        return {
            ast.BoolOp: self._bool_op,
            ast.IfExp: self._if_exp,
            ast.BinOp: self._bin_op,
            ast.Compare: self._compare,
            ast.UnaryOp: self._unary,
            ast.NamedExpr: self._named,
            ast.Await: self._awaited,
        }

    def _bool_op(self, node: ast.BoolOp, scope: Scope) -> Values:
        return join(*(self._evaluation.possible(v, scope) for v in node.values))

    def _if_exp(self, node: ast.IfExp, scope: Scope) -> Values:
        return join(
            self._evaluation.possible(node.body, scope),
            self._evaluation.possible(node.orelse, scope),
        )

    def _bin_op(self, node: ast.BinOp, scope: Scope) -> Values:
        if isinstance(node.left, ast.BinOp):  # `a + b + c + …`: each part is evaluated once
            return self._evaluation.solve(
                ("sum", scope, node), lambda: self._operation(node, scope)
            )
        return self._operation(node, scope)

    def _operation(self, node: ast.BinOp, scope: Scope) -> Values:
        left = self._evaluation.evaluate(node.left, scope)
        if left == STR and isinstance(node.op, ast.Mod):
            return STR
        right = self._evaluation.evaluate(node.right, scope)
        if left is None or right is None:
            return None
        if len(left) == 1 and isinstance(node.op, ast.Add) and is_list(left):
            return builtin("list") if left != right else left
        kinds = {v.name for v in left | right if isinstance(v, ExternalInstance)}
        if len(kinds) == len(left | right) and kinds:
            if kinds <= {"builtins.str"} or kinds <= NUMBERS:
                return left | right
            if kinds <= {"builtins.str", "builtins.int"} and isinstance(node.op, ast.Mult):
                return STR
        return None

    def _compare(self, node: ast.Compare, scope: Scope) -> Values:
        if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            return BOOL
        return None

    def _unary(self, node: ast.UnaryOp, scope: Scope) -> Values:
        if isinstance(node.op, ast.Not):
            return BOOL
        values = self._evaluation.evaluate(node.operand, scope)
        return values if values in (INT, FLOAT) else None

    def _named(self, node: ast.NamedExpr, scope: Scope) -> Values:
        return self._evaluation.possible(node.value, scope)

    def _awaited(self, node: ast.Await, scope: Scope) -> Values:
        return self._evaluation.possible(node.value, scope)
