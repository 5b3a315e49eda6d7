"""The table of visitors that collect what a definition uses.

`Inference` evaluates receivers. A receiver that it cannot evaluate yields a use with unknown
values.
"""

from __future__ import annotations

import ast

from ...repo.repository import Module
from ...repo.units import Unit
from ..inference import Inference
from ..scopes.definitions import ClassInfo
from .use_walk import Visitor, Walk
from .visitors.call_uses import visit_call
from .visitors.name_uses import visit_attribute, visit_name
from .visitors.nested_scopes import (
    visit_class,
    visit_class_header,
    visit_comprehension,
    visit_function,
    visit_lambda,
    visit_type_alias,
)
from .visitors.operator_uses import (
    visit_aug_assign,
    visit_await,
    visit_bin_op,
    visit_bool_op,
    visit_compare,
    visit_display,
    visit_formatted,
    visit_starred,
    visit_tuple,
    visit_unary_op,
    visit_yield_from,
)
from .visitors.pattern_uses import (
    visit_match_class,
    visit_match_mapping,
    visit_match_sequence,
    visit_match_value,
)
from .visitors.statement_uses import (
    visit_ann_assign,
    visit_assert,
    visit_assign,
    visit_expression,
    visit_for,
    visit_handler,
    visit_if,
    visit_import,
    visit_with,
)
from .visitors.subscript_uses import visit_subscript
from .visitors.text_uses import visit_constant

_VISITORS: dict[type[ast.AST], Visitor] = {
    ast.Name: visit_name,
    ast.Attribute: visit_attribute,
    ast.Constant: visit_constant,
    ast.Expr: visit_expression,
    ast.Subscript: visit_subscript,
    ast.Call: visit_call,
    ast.BinOp: visit_bin_op,
    ast.AugAssign: visit_aug_assign,
    ast.UnaryOp: visit_unary_op,
    ast.Compare: visit_compare,
    ast.BoolOp: visit_bool_op,
    ast.If: visit_if,
    ast.IfExp: visit_if,
    ast.While: visit_if,
    ast.Assert: visit_assert,
    ast.FormattedValue: visit_formatted,
    ast.Dict: visit_display,
    ast.Set: visit_display,
    ast.Starred: visit_starred,
    ast.Assign: visit_assign,
    ast.AnnAssign: visit_ann_assign,
    ast.For: visit_for,
    ast.AsyncFor: visit_for,
    ast.With: visit_with,
    ast.AsyncWith: visit_with,
    ast.ExceptHandler: visit_handler,
    ast.Tuple: visit_tuple,
    ast.List: visit_tuple,
    ast.Await: visit_await,
    ast.YieldFrom: visit_yield_from,
    ast.MatchClass: visit_match_class,
    ast.MatchValue: visit_match_value,
    ast.MatchMapping: visit_match_mapping,
    ast.MatchSequence: visit_match_sequence,
    ast.Import: visit_import,
    ast.ImportFrom: visit_import,
    ast.FunctionDef: visit_function,
    ast.AsyncFunctionDef: visit_function,
    ast.Lambda: visit_lambda,
    ast.ClassDef: visit_class,
    ast.ListComp: visit_comprehension,
    ast.SetComp: visit_comprehension,
    ast.GeneratorExp: visit_comprehension,
    ast.DictComp: visit_comprehension,
}

if (_TYPE_ALIAS := getattr(ast, "TypeAlias", None)) is not None:  # new in Python 3.12
    _VISITORS[_TYPE_ALIAS] = visit_type_alias


class UseCollector(Walk):
    """The walk with its visitors; one collector for each definition."""

    def __init__(self, inference: Inference, module: Module, unit: Unit) -> None:
        super().__init__(inference, module, unit, _VISITORS)

    def visit_class_header(self, cls: ClassInfo) -> None:
        """Visit a class statement without its members."""
        visit_class_header(self, cls)
