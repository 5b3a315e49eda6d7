"""The dispatch table of statements: which function walks each kind."""

from __future__ import annotations

import ast

from .fact_walk import StatementHandler
from .statements.control_flow import (
    assertion,
    branch,
    enter_contexts,
    expression_statement,
    jump,
    loop,
    raise_statement,
    try_statement,
    while_loop,
)
from .statements.definition_facts import class_statement, function_statement
from .statements.import_facts import import_modules, import_names
from .statements.pattern_facts import match_statement
from .targets.assignment_facts import (
    annotated_assignment,
    assignment,
    augmented_assignment,
    delete_items,
    type_alias,
)
from .targets.function_facts import return_statement

STATEMENTS: dict[type[ast.stmt], StatementHandler] = {
    ast.FunctionDef: function_statement,
    ast.AsyncFunctionDef: function_statement,
    ast.ClassDef: class_statement,
    ast.Import: import_modules,
    ast.ImportFrom: import_names,
    ast.Assign: assignment,
    ast.AnnAssign: annotated_assignment,
    ast.AugAssign: augmented_assignment,
    ast.Delete: delete_items,
    ast.If: branch,
    ast.For: loop,
    ast.AsyncFor: loop,
    ast.While: while_loop,
    ast.With: enter_contexts,
    ast.AsyncWith: enter_contexts,
    ast.Try: try_statement,
    ast.TryStar: try_statement,
    ast.Match: match_statement,
    ast.Return: return_statement,
    ast.Raise: raise_statement,
    ast.Break: jump,
    ast.Continue: jump,
    ast.Expr: expression_statement,
    ast.Assert: assertion,
}
"""Kind of statement → its function; kinds that are missing do nothing relevant."""
_TYPE_ALIAS: type[ast.stmt] | None = getattr(ast, "TypeAlias", None)
if _TYPE_ALIAS is not None:
    STATEMENTS[_TYPE_ALIAS] = type_alias
