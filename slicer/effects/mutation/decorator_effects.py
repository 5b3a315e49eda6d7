"""Objects that applying a decorator changes, and objects that its wrappers change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...analysis.inference import Inference, results
from ...analysis.points_to.call_targets import Arguments, Callee
from ...analysis.points_to.root_objects import Object, Root
from ...analysis.scopes.definitions import FunctionInfo, Scope, function_scope
from ...analysis.values.abstract_values import (
    External,
    FunctionValue,
    Instance,
    ModuleValue,
    Values,
    ordered,
)
from ...syntax.builtin_models import PLAIN_DECORATORS
from .mutation_queries import Change, MutationQueries


def applied(
    changes: MutationQueries,
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    scope: Scope,
) -> Iterator[Change]:
    """Yield what applying decorators may change."""
    for decorator in node.decorator_list:
        func = decorator.func if isinstance(decorator, ast.Call) else decorator
        values = changes.inference.evaluate(func, scope)
        if values and all(isinstance(v, External) and v.name in PLAIN_DECORATORS for v in values):
            continue
        for callee in changes.callables.called_expressions(func, scope):
            yield from _decorator_owner(changes, callee)
        for owner in _owners(decorator):
            for holder in ordered(changes.inference.evaluate(owner, scope)):
                if isinstance(holder, Instance):
                    if _may_note(changes, holder):
                        yield from changes.roots.of(owner, scope)
                    called = Callee(owner, scope), Arguments()
                    yield from changes.of_operation(holder.cls, "__call__", *called)
        if values and all(isinstance(v, External) for v in values):
            continue  # its later calls do not run while the module loads
        decorated = ast.copy_location(ast.Name(node.name, ast.Load()), func)
        given: list[ast.expr] = [] if isinstance(decorator, ast.Call) else [decorated]
        yield from changes.of_call(ast.copy_location(ast.Call(func, given, []), func), scope)
        if isinstance(decorator, ast.Call):
            yield from _factory(changes, decorator, values, scope)


def _may_note(changes: MutationQueries, holder: Instance) -> bool:
    """Whether a callable instance may keep the function that it is called with. It does not if its
    `__call__` does not change the instance, and no nested function reads the instance.
    """
    found = changes.inference.find_member(holder.cls, "__call__")
    if found is None or any(_nested_reads_receiver(unit.node) for unit in found[1]):
        return True
    return any(
        summary.changes_at(0, args) or summary.outer or summary.passed
        for args, summary in changes.of_methods(*found)
    )


def _nested_reads_receiver(method: ast.AST) -> bool:
    """Whether a nested function reads the method's receiver, and so may change it."""
    if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    receiver = {arg.arg for arg in [*method.args.posonlyargs, *method.args.args][:1]}
    functions = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    inner = (n for n in ast.walk(method) if isinstance(n, functions) and n is not method)
    return any(
        isinstance(n, ast.Name) and n.id in receiver for each in inner for n in ast.walk(each)
    )


def _decorator_owner(changes: MutationQueries, callee: Callee) -> Iterator[Root]:
    """Yield the owner of a decorating method, which may register the decorated function."""
    if isinstance(callee.node, ast.Attribute):
        receiver = changes.inference.evaluate(callee.node.value, callee.scope)
        if not any(isinstance(v, (ModuleValue, External)) for v in receiver or ()):
            yield from changes.roots.of(callee.node.value, callee.scope)


def _factory(
    changes: MutationQueries, decorator: ast.Call, values: Values, scope: Scope
) -> Iterator[Change]:
    """Yield what the function returned by `@factory(...)` changes when it is applied."""
    for value in ordered(values):
        if isinstance(value, FunctionValue):
            for inner in functions_in(value.function, changes.inference):
                summary = changes.of_function(inner)
                yield from summary.objects
                yield from changes.of_maker(decorator, summary, scope)
    for node, place in _lambdas(changes, decorator, values, scope):
        summary = changes.of_lambda(node, place)
        yield from summary.objects
        yield from changes.of_maker(decorator, summary, scope)


def _lambdas(
    changes: MutationQueries, decorator: ast.Call, values: Values, scope: Scope
) -> Iterator[tuple[ast.Lambda, Scope]]:
    """Yield the lambdas that the factory returns, each with its scope."""
    for value in ordered(values):
        if isinstance(value, FunctionValue):
            place = changes.inference.function_scope(value.function)
            for result in results(value.function.node)[0]:
                if isinstance(result, ast.Lambda):
                    yield result, place
    for callee in changes.callables.called_expressions(decorator.func, scope):
        match callee.node:
            case ast.Lambda(body=ast.Lambda() as inner) as outer:
                yield inner, function_scope(outer, callee.scope, None)
            case _:
                continue


def replacement_mutations(changes: MutationQueries, function: FunctionInfo) -> Iterator[Object]:
    """Yield what the functions that decorators substitute for a function change."""
    for decorator in function.node.decorator_list:
        for value in ordered(changes.inference.evaluate(decorator, function.enclosing)):
            if isinstance(value, FunctionValue):
                for inner in functions_in(value.function, changes.inference):
                    yield from changes.of_function(inner).objects


def _owners(decorator: ast.expr) -> Iterator[ast.expr]:
    """Yield the owners that may register: `registry`, `registry(...)`, `registry[...]`."""
    node = decorator
    yield node
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
        yield node


def functions_defined_by_call(
    changes: MutationQueries, node: ast.Call, scope: Scope
) -> Iterator[FunctionInfo]:
    """Yield the functions that the called function defines, because it is unknown which one it
    returns.

    An example is a decorator that calls itself for its bare form: `return target()(function)`.
    """
    for value in ordered(changes.inference.evaluate(node.func, scope)):
        if isinstance(value, FunctionValue):
            yield from functions_in(value.function, changes.inference)


def functions_in(function: FunctionInfo, inference: Inference) -> Iterator[FunctionInfo]:
    """Yield the functions that a function defines."""
    scope = inference.function_scope(function)
    for node in function.node.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield FunctionInfo(function.module, node, scope, None)
