"""Visitor for statements that open no scope: branches, loops, `with`, assignments, imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable

from ....repo.units import is_typing_test
from ....syntax.builtin_models import ITERATION, MUTATORS
from ....syntax.scopes import bound_in
from ...values.abstract_values import Instance
from ..external_calls.escaping_objects import visit_escaping_attribute
from ..external_calls.external_argument_uses import visit_stream_replaced
from ..guards.platform_tests import platform_test
from ..guards.plugin_tests import plugin_test
from ..guards.presence_tests import presence_tests
from ..guards.tested_members import add_tested_listing
from ..names_in_text.listed_prefixes import conditions_of, listed_prefixes
from ..names_in_text.namespace_calls import visit_namespace_item
from ..use_records import GapUse, ImportUse
from ..use_walk import Walk
from .operator_uses import visit_tested


def visit_expression(walk: Walk, node: ast.Expr) -> None:
    """Visit an expression statement."""
    match node.value:
        case ast.Constant():
            return  # a docstring is not a value
        case ast.Call(func=ast.Attribute(value=ast.Name() as changed, attr=attr)):
            walk.changed = changed if attr in MUTATORS else None
        case _:
            pass
    walk.visit(node.value)


def visit_assign(walk: Walk, node: ast.Assign) -> None:
    """Visit an assignment, which iterates over the value if it unpacks it."""
    walk.visit(node.value)
    for target in node.targets:
        walk.visit(target)
        if isinstance(target, (ast.Tuple, ast.List)) and not isinstance(
            node.value, (ast.Tuple, ast.List)
        ):
            walk.protocol(node.value, ITERATION)
        _see_stored(walk, target, node.value)
    visit_stream_replaced(walk, node)


def _see_stored(walk: Walk, target: ast.expr, value: ast.expr) -> None:
    """Record a value that becomes an attribute of an object, or of the class with this body."""
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for each, part in zip(targets, values, strict=True):
                _see_stored(walk, each, part)
        case ast.Attribute(), _:
            walk.store(walk.possible(target.value), target.attr, value)
            visit_escaping_attribute(walk, target, value)
        case ast.Subscript(), _:
            visit_namespace_item(walk, target, value)
        case ast.Name(), _ if walk.scope.is_class and walk.scope.owner is not None:
            walk.store(frozenset({Instance(walk.scope.owner)}), target.id, value)
        case _:
            return


def visit_ann_assign(walk: Walk, node: ast.AnnAssign) -> None:
    """Visit an annotated assignment."""
    walk.visit(node.target)
    walk.visit(node.annotation, "annotation")
    walk.visit(node.value)
    walk.declare(node.annotation, node.value, walk.scope)


def visit_if(walk: Walk, node: ast.If | ast.IfExp | ast.While) -> None:
    """Visit a branch; parts for type checkers or other platforms only are skipped."""
    if isinstance(node, ast.If) and is_typing_test(node.test):
        walk.visit(node.test)
        walk.visit_all(node.orelse)
        return
    if isinstance(node, ast.If):
        walk.key_tested.update(presence_tests(walk, node))
    visit_tested(walk, node.test)
    by_platform = platform_test(node.test, walk.values)
    outcome = plugin_test(walk, node.test) if by_platform is None else by_platform
    for field, taken in ((node.body, True), (node.orelse, False)):
        body = field if isinstance(field, list) else [field]
        if outcome is None or outcome is taken:
            walk.visit_all(body)
        elif body:
            walk.use(_not_followed(body[0].lineno, is_of_platform=by_platform is not None))


def _not_followed(line: int, *, is_of_platform: bool) -> GapUse:
    """Return the gap for a branch that is not followed."""
    if is_of_platform:
        detail = f"code for other platforms than {sys.platform} is not followed"
        return GapUse("other-platform", line, detail)
    return GapUse("no-plugins", line, "code for what other distributions plug in is not followed")


def visit_assert(walk: Walk, node: ast.Assert) -> None:
    """Visit an assertion."""
    visit_tested(walk, node.test)
    walk.visit(node.msg)


def visit_for(walk: Walk, node: ast.For | ast.AsyncFor) -> None:
    """Visit a loop over an iterable."""
    if prefixes := listed_prefixes(node.target, node.iter, conditions_of(node)):
        walk.listed_prefixes[node.iter] = prefixes
    add_tested_listing(walk, node.target, node.iter, conditions_of(node))
    walk.visit(node.iter)
    before = _bind_own(walk, [node.target])
    walk.visit(node.target)
    is_async = isinstance(node, ast.AsyncFor)
    walk.protocol(node.iter, ("__aiter__", "__anext__") if is_async else ITERATION)
    if isinstance(node.target, (ast.Tuple, ast.List)):
        walk.query_members(walk.inference.items(walk.values(node.iter)), ITERATION, node.lineno)
    walk.visit_all(node.body + node.orelse)
    walk.own_names = before


def visit_with(walk: Walk, node: ast.With | ast.AsyncWith) -> None:
    """Visit a `with` statement."""
    before = walk.own_names
    for item in node.items:
        walk.visit(item.context_expr)
        _bind_own(walk, [item.optional_vars])
        walk.visit(item.optional_vars)
        if isinstance(node, ast.AsyncWith):
            walk.protocol(item.context_expr, ("__aenter__", "__aexit__"))
        else:
            walk.protocol(item.context_expr, ("__enter__", "__exit__"))
    walk.visit_all(node.body)
    walk.own_names = before


def _bind_own(walk: Walk, targets: Iterable[ast.expr | None]) -> set[str]:
    """Record the names that a module-level statement binds for its own body."""
    before = walk.own_names
    names = bound_in(target for target in targets if target)
    if walk.scope.parent is None:
        walk.own_names = before | names
    return before


def visit_handler(walk: Walk, node: ast.ExceptHandler) -> None:
    """Visit an `except` clause."""
    walk.visit(node.type, "test")
    walk.visit_all(node.body)


def visit_import(walk: Walk, node: ast.Import | ast.ImportFrom) -> None:
    """Visit an import statement."""
    bound = {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    is_global = not bound.isdisjoint(walk.scope.module_names)
    walk.use(ImportUse(walk.module, node, node.lineno, "value" if is_global else "base"))
