"""Data flow into an expression: the parameters and literals that reach it through bindings."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from ...mutation.mutated_block import Block, Function

_MOST_KEPT = 64
"""Syntax trees kept in the cache: a target's functions and tests."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The values that flow into an expression."""

    parameters: frozenset[str]
    """Parameters of the function; all of them where none is seen to flow in."""
    words: tuple[str | int | float, ...]
    """Literals: those of the expression first, then those on its line."""
    attributes: tuple[str, ...] = ()
    """Attributes of the instance that a method is called on."""
    calls: tuple[str, ...] = ()
    """Names of the functions called on the way, and of those that a condition guards."""


def flow_into(block: Block, node: ast.AST) -> Flow:
    """Return what flows into a node.

    Args:
        block: the target's text.
        node: a node of its syntax tree.
    """
    function = _holding(block, node)
    if function is None:
        return Flow(frozenset(), ())
    line = getattr(node, "lineno", 0)
    same_line = (n for n in _inside(function) if getattr(n, "lineno", 0) == line)
    sources = _sources(function)
    known: set[str] = set()
    values = [node, *same_line]
    pending = [*_names(node)]
    while pending:
        name = pending.pop()
        if name not in known:
            known.add(name)
            found = sources.get(name, ())
            values += found
            pending += (inner for value in found for inner in _names(value))
    parameters = {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
    constants = (n for value in values for n in ast.walk(value) if isinstance(n, ast.Constant))
    words = {(type(n.value), n.value): n.value for n in constants if type(n.value) in _WORDS}
    return Flow(
        frozenset(known & parameters) or frozenset(parameters),
        tuple(cast("str | int | float", word) for word in words.values()),
        tuple(dict.fromkeys(name for value in values for name in _own_attributes(value))),
        tuple(dict.fromkeys(_calls((*values, *_decided(function, node))))),
    )


def _calls(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for inner in ast.walk(node):
            match inner:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                    yield name
                case _:
                    pass


def _decided(function: Function, node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run if a test is true."""
    for statement in _inside(function):
        match statement:
            case ast.If(test=test, body=body) if node in _inside(test):
                yield from body
            case _:
                pass


def _own_attributes(node: ast.AST) -> Iterator[str]:
    called = {id(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if id(inner) not in called:
                yield name
            case _:
                pass


_WORDS = (str, int, float)


def _holding(block: Block, node: ast.AST) -> Function | None:
    for function in block.functions:
        if node in _inside(function):
            return function
    return None


@lru_cache(maxsize=_MOST_KEPT)
def _inside(node: ast.AST) -> dict[ast.AST, None]:
    """Return all nodes of a tree, in order. Cached, since each mutant asks again."""
    return dict.fromkeys(ast.walk(node))


@lru_cache(maxsize=_MOST_KEPT)
def _sources(function: Function) -> dict[str, list[ast.AST]]:
    """Map each name to the nodes bound to it or added to it."""
    found: dict[str, list[ast.AST]] = {}
    for node in _inside(function):
        for targets, values in _bound(node):
            for name in (name for target in targets for name in _names(target)):
                found.setdefault(name, []).extend(values)
    return found


def _bound(node: ast.AST) -> Iterator[tuple[Iterable[ast.AST], Iterable[ast.AST]]]:
    """Yield pairs of what a node binds and what it binds it to."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield targets, [value]
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.AugAssign(target=target, value=value)
            | ast.NamedExpr(target=target, value=value)
            | ast.For(target=target, iter=value)
            | ast.AsyncFor(target=target, iter=value)
            | ast.comprehension(target=target, iter=value)
            | ast.withitem(context_expr=value, optional_vars=ast.expr() as target)
        ):
            yield [target], [value]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=target), args=[_, *_] as given)):
            yield [target], given  # `found.append(value)`
        case ast.Match(subject=subject, cases=cases):
            names = [
                ast.Name(inner.name)
                for case in cases
                for inner in ast.walk(case.pattern)
                if isinstance(inner, ast.MatchAs | ast.MatchStar) and inner.name
            ]
            yield names, [subject]
        case _:
            pass


def _names(node: ast.AST) -> Iterator[str]:
    yield from (inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))
