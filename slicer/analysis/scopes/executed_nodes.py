"""Syntax nodes that run when a statement runs: all but function bodies.

A function definition runs its defaults, and its annotations unless they are postponed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...syntax.nodes import all_parameters, children, defaults_of, walk
from .definitions import FunctionNode, Scope, comprehension_scope


def executed(body: Iterable[ast.AST], scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield the nodes that run with the statements, not those inside functions or lambdas."""
    stack = [(node, scope) for node in body][::-1]
    while stack:
        node, place = stack.pop()
        yield node, place
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            stack.extend((each, place) for each in nodes_run_at_definition(node, place))
            continue
        if isinstance(node, (ast.Name, ast.Constant)):
            continue
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            place = comprehension_scope(node, place)
        stack.extend((child, place) for child in reversed(children(node)))


def nodes_run_at_definition(node: FunctionNode, scope: Scope) -> Iterator[ast.expr]:
    """Yield what runs when the function is defined: defaults, and annotations with calls."""
    yield from (default for _, default in defaults_of(node.args))
    yield from _calling_annotations(node, scope)


def _calling_annotations(node: FunctionNode, scope: Scope) -> Iterator[ast.expr]:
    """Yield the annotations of a function that contain calls which run at definition."""
    if isinstance(node, ast.Lambda) or "annotations" in scope.module.source.future_flags:
        return
    for each in (*(arg.annotation for arg in all_parameters(node.args)), node.returns):
        if each is None or isinstance(each, _PLAIN):
            continue
        if any(isinstance(inner, ast.Call) for inner in walk(each)):
            yield each


_PLAIN = (ast.Name, ast.Attribute, ast.Constant)
