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
from .visitors.call_uses import see_call
from .visitors.name_uses import see_attribute, see_name
from .visitors.nested_scopes import (
    see_class,
    see_class_header,
    see_comprehension,
    see_function,
    see_lambda,
    see_type_alias,
)
from .visitors.operator_uses import (
    see_aug_assign,
    see_await,
    see_bin_op,
    see_bool_op,
    see_compare,
    see_display,
    see_formatted,
    see_starred,
    see_tuple,
    see_unary_op,
    see_yield_from,
)
from .visitors.pattern_uses import (
    see_match_class,
    see_match_mapping,
    see_match_sequence,
    see_match_value,
)
from .visitors.statement_uses import (
    see_ann_assign,
    see_assert,
    see_assign,
    see_expression,
    see_for,
    see_handler,
    see_if,
    see_import,
    see_with,
)
from .visitors.subscript_uses import see_subscript
from .visitors.text_uses import see_constant

_VISITORS: dict[type[ast.AST], Visitor] = {
    ast.Name: see_name,
    ast.Attribute: see_attribute,
    ast.Constant: see_constant,
    ast.Expr: see_expression,
    ast.Subscript: see_subscript,
    ast.Call: see_call,
    ast.BinOp: see_bin_op,
    ast.AugAssign: see_aug_assign,
    ast.UnaryOp: see_unary_op,
    ast.Compare: see_compare,
    ast.BoolOp: see_bool_op,
    ast.If: see_if,
    ast.IfExp: see_if,
    ast.While: see_if,
    ast.Assert: see_assert,
    ast.FormattedValue: see_formatted,
    ast.Dict: see_display,
    ast.Set: see_display,
    ast.Starred: see_starred,
    ast.Assign: see_assign,
    ast.AnnAssign: see_ann_assign,
    ast.For: see_for,
    ast.AsyncFor: see_for,
    ast.With: see_with,
    ast.AsyncWith: see_with,
    ast.ExceptHandler: see_handler,
    ast.Tuple: see_tuple,
    ast.List: see_tuple,
    ast.Await: see_await,
    ast.YieldFrom: see_yield_from,
    ast.MatchClass: see_match_class,
    ast.MatchValue: see_match_value,
    ast.MatchMapping: see_match_mapping,
    ast.MatchSequence: see_match_sequence,
    ast.Import: see_import,
    ast.ImportFrom: see_import,
    ast.FunctionDef: see_function,
    ast.AsyncFunctionDef: see_function,
    ast.Lambda: see_lambda,
    ast.ClassDef: see_class,
    ast.ListComp: see_comprehension,
    ast.SetComp: see_comprehension,
    ast.GeneratorExp: see_comprehension,
    ast.DictComp: see_comprehension,
}

if (_TYPE_ALIAS := getattr(ast, "TypeAlias", None)) is not None:  # new in Python 3.12
    _VISITORS[_TYPE_ALIAS] = see_type_alias


class UseCollector(Walk):
    """The walk with its visitors; one collector for each definition."""

    def __init__(self, inference: Inference, module: Module, unit: Unit) -> None:
        super().__init__(inference, module, unit, _VISITORS)

    def see_class_header(self, cls: ClassInfo) -> None:
        """Visit a class statement without its members."""
        see_class_header(self, cls)
