"""Visitor for nodes that open a scope: functions, classes, comprehensions."""

from __future__ import annotations

import ast

from ....syntax.builtin_models import EQUALITY, ITERATION
from ....syntax.call_shapes import CallShape
from ....syntax.nodes import all_parameters
from ...inference import TRANSPARENT_DECORATORS, decorator_name, results
from ...scopes.definitions import (
    Binder,
    ClassInfo,
    FunctionInfo,
    Scope,
    comprehension_scope,
    function_scope,
    nested_class,
)
from ...values.abstract_values import (
    ClassValue,
    ExternalInstance,
    FunctionValue,
    Instance,
    Value,
    Values,
)
from ..external_calls.read_annotations import visit_read_annotations
from ..guards.tested_members import add_tested_listing
from ..names_in_text.listed_prefixes import listed_prefixes
from ..use_records import CallUse
from ..use_walk import Walk
from .operator_uses import visit_tested


def visit_function(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Visit a nested function: its header here, its body in a scope of its own."""
    for decorator in node.decorator_list:
        walk.decorating = _decorating(walk, decorator)
        walk.visit(decorator, "call")
    for index, decorator in enumerate(reversed(node.decorator_list)):
        _decorated(walk, decorator, None if index else node)
    around, walk.scope = walk.scope, _with_type_params(walk.scope, node)
    _see_signature(walk, node)
    visit_read_annotations(walk, node)
    if isinstance(node.returns, ast.expr):
        walk.visit(node.returns, "annotation")
    walk.scope = around
    owner = walk.scope.owner if walk.scope.is_class else None
    scope = function_scope(node, walk.scope, owner)
    if owner is not None and any(node.name in o.table for o in walk.inference.mro(owner)[1:]):
        # callers of the overridden method may receive this one's result
        values = frozenset({FunctionValue(FunctionInfo(walk.module, node, walk.scope, owner))})
        walk.store_values(frozenset({Instance(owner)}), node.name, values, node.lineno)
    _see_type_params(walk, scope, node)
    walk.visit_in(scope, node.body)
    if node.returns is not None:
        outer, walk.scope = walk.scope, scope
        for returned in results(node)[0]:
            walk.declare(node.returns, returned, outer)
        walk.scope = outer


def _decorating(walk: Walk, decorator: ast.expr) -> ast.Name | None:
    """Return the external object whose method decorates: `app` in `@app.route("/")`."""
    match decorator.func if isinstance(decorator, ast.Call) else decorator:
        case ast.Attribute(value=ast.Name() as owner, attr=method):
            values = walk.values(owner)
            found = values and all(_is_foreign(walk, value, method) for value in values)
            return owner if found else None
        case _:
            return None


def _is_foreign(walk: Walk, value: Value, method: str) -> bool:
    """Whether the value's method belongs to another distribution, possibly by inheritance."""
    match value:
        case Instance(cls=cls):
            return walk.inference.find_member(cls, method) is None
        case _:
            return isinstance(value, ExternalInstance)


def _decorated(walk: Walk, decorator: ast.expr, node: ast.AST | None = None) -> None:
    values = walk.values(decorator)
    if decorator_name(decorator) in TRANSPARENT_DECORATORS and not any(
        isinstance(v, (ClassValue, FunctionValue, Instance)) for v in values or ()
    ):
        return
    walk.call(values, CallShape(1), decorator.lineno)
    walk.query_members(values, ("__get__", "__set_name__"), decorator.lineno)
    if any(isinstance(v, FunctionValue) for v in values or ()):
        given: Values = None
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            owner = walk.scope.owner if walk.scope.is_class else None
            given = frozenset({FunctionValue(FunctionInfo(walk.module, node, walk.scope, owner))})
        walk.use(CallUse(values, (given,), (), False, False, decorator.lineno))


def _see_signature(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
    args = node.args
    walk.visit_all([*args.defaults, *args.kw_defaults])
    walk.visit_all((arg.annotation for arg in all_parameters(args)), "annotation")


def _with_type_params(scope: Scope, node: ast.AST) -> Scope:
    """Return the scope of the parts of a statement with type parameters, apart from its body."""
    params = getattr(node, "type_params", ())
    if not params:
        return scope
    found = Scope(scope.module, node, scope, owner=scope.owner)
    found.binders.update(scope.binders if scope.is_class else {})
    for param in params:
        found.binders[param.name] = [Binder("opaque", param)]
    return found


def visit_type_alias(walk: Walk, node: ast.AST) -> None:
    """Visit `type Pair[T: Base] = tuple[T, T]`."""
    around, walk.scope = walk.scope, _with_type_params(walk.scope, node)
    _see_type_params(walk, walk.scope, node)
    walk.visit(getattr(node, "value", None))
    walk.scope = around


def _see_type_params(walk: Walk, scope: Scope, node: ast.AST) -> None:
    before, walk.scope = walk.scope, scope
    for param in getattr(node, "type_params", ()):
        walk.visit(getattr(param, "bound", None), "annotation")
        walk.visit(getattr(param, "default_value", None), "annotation")
    walk.scope = before


def visit_lambda(walk: Walk, node: ast.Lambda) -> None:
    """Visit a lambda."""
    _see_signature(walk, node)
    walk.visit_in(function_scope(node, walk.scope, None), [node.body])


def visit_class(walk: Walk, node: ast.ClassDef) -> None:
    """Visit a nested class."""
    info = nested_class(walk.scope, walk.unit, node)
    visit_class_header(walk, info)
    walk.visit_in(info.scope, node.body)


def visit_class_header(walk: Walk, cls: ClassInfo) -> None:
    """Visit a class statement without its members."""
    node = cls.node
    for decorator in node.decorator_list:
        walk.decorating = _decorating(walk, decorator)
        walk.visit(decorator)
        _decorated(walk, decorator)
    around, walk.scope = walk.scope, _with_type_params(walk.scope, node)
    walk.visit_all(node.bases, "base")
    walk.visit_all(keyword.value for keyword in node.keywords)
    walk.scope = around
    _see_type_params(walk, cls.scope, node)


def visit_comprehension(
    walk: Walk, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
) -> None:
    """Visit a comprehension or generator expression."""
    for each in node.generators:
        if prefixes := listed_prefixes(each.target, each.iter, each.ifs):
            walk.listed_prefixes[each.iter] = prefixes
        add_tested_listing(walk, each.target, each.iter, each.ifs)
    first, *others = node.generators
    walk.visit(first.iter)
    scope = comprehension_scope(node, walk.scope)
    before, walk.scope = walk.scope, scope
    for generator in node.generators:
        members = ("__aiter__", "__anext__") if generator.is_async else ITERATION
        walk.protocol(generator.iter, members)
        walk.visit(generator.target)
        for condition in generator.ifs:
            visit_tested(walk, condition)
    walk.visit_all(generator.iter for generator in others)
    if isinstance(node, ast.DictComp):
        walk.visit(node.key)
        walk.visit(node.value)
        walk.protocol(node.key, EQUALITY)
    else:
        walk.visit(node.elt)
        if isinstance(node, ast.SetComp):
            walk.protocol(node.elt, EQUALITY)
    walk.scope = before
