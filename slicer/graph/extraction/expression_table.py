"""The dispatch table of expressions: which function evaluates each kind."""

from __future__ import annotations

import ast

from .expressions.accesses import (
    read_attribute,
    read_constant,
    read_name,
    read_starred,
    read_subscript,
    walk_slice,
)
from .expressions.comprehensions import comprehension
from .expressions.displays import dictionary, sequence
from .expressions.generators import await_value, yield_from, yield_value
from .expressions.invocations import call
from .expressions.operations_read import (
    binary,
    boolean,
    compare,
    conditional,
    formatted_value,
    joined_text,
    unary,
)
from .fact_walk import ExpressionHandler
from .targets.assignment_facts import bind_walrus
from .targets.function_facts import define_lambda

EXPRESSIONS: dict[type[ast.expr], ExpressionHandler] = {
    ast.Name: read_name,
    ast.Attribute: read_attribute,
    ast.Call: call,
    ast.Constant: read_constant,
    ast.BinOp: binary,
    ast.BoolOp: boolean,
    ast.Compare: compare,
    ast.UnaryOp: unary,
    ast.IfExp: conditional,
    ast.Subscript: read_subscript,
    ast.List: sequence,
    ast.Tuple: sequence,
    ast.Set: sequence,
    ast.Dict: dictionary,
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.GeneratorExp: comprehension,
    ast.DictComp: comprehension,
    ast.Lambda: define_lambda,
    ast.JoinedStr: joined_text,
    ast.FormattedValue: formatted_value,
    ast.NamedExpr: bind_walrus,
    ast.Await: await_value,
    ast.Yield: yield_value,
    ast.YieldFrom: yield_from,
    ast.Starred: read_starred,
    ast.Slice: walk_slice,
}
"""Kind of expression → its function; kinds that are missing hold nothing relevant."""
