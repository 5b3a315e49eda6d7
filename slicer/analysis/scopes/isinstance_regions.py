"""Regions of a function in which an `isinstance` test is known to hold for a name.

A test narrows the branch that it guards, the operands after it in an `and`, and the code after a
branch that never falls through. A region that rebinds the name is discarded.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...syntax.memo import memo
from ...syntax.nodes import children, walk
from .definitions import Scope

Position = tuple[int, int]
Fact = tuple[str, ast.expr]
"""A name, and the classes of an `isinstance` test on it."""


@dataclass(frozen=True, slots=True)
class Region:
    """A range of text, from the first to the last position, in which a fact holds."""

    first: Position
    last: Position
    classes: ast.expr


def narrowed_to(scope: Scope, name: ast.Name) -> ast.expr | None:
    """Return the classes of the innermost `isinstance` test that holds at the name."""
    if name.id not in scope.narrowed:
        return None
    place = (name.lineno, name.col_offset)
    regions = [r for r in _regions(scope).get(name.id, ()) if r.first <= place < r.last]
    return max(regions, key=lambda r: r.first).classes if regions else None


@memo
def _regions(scope: Scope) -> dict[str, list[Region]]:
    found: dict[str, list[Region]] = {}
    for name, region in _narrowed(scope.node):
        if not any(_is_in_region(b.node, region) for b in scope.binders.get(name, ())):
            found.setdefault(name, []).append(region)
    return found


def _narrowed(node: ast.AST) -> Iterator[tuple[str, Region]]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Module():
            yield from _in_block(node.body)
        case ast.Lambda(body=body):
            yield from _in_expression(body)
        case _:  # a comprehension: its tests filter
            return


def _is_in_region(node: ast.AST, region: Region) -> bool:
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    return region.first <= (line, column) < region.last


def _in_block(body: Sequence[ast.stmt]) -> Iterator[tuple[str, Region]]:
    for index, node in enumerate(body):
        rest = body[index + 1 :]
        match node:
            case ast.If(test=test, body=taken, orelse=other):
                yield from _over(_facts(test, outcome=True), taken)
                yield from _over(_facts(test, outcome=False), other)
                if _leaves(taken):
                    yield from _over(_facts(test, outcome=False), rest)
                if other and _leaves(other):
                    yield from _over(_facts(test, outcome=True), rest)
            case ast.While(test=test, body=taken):
                yield from _over(_facts(test, outcome=True), taken)
            case ast.Assert(test=test):
                yield from _over(_facts(test, outcome=True), rest)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                continue
            case _:
                pass
        for child in children(node):
            if isinstance(child, ast.expr):
                yield from _in_expression(child)
        for name in ("body", "orelse", "finalbody"):
            yield from _in_block(getattr(node, name, ()))
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            yield from _in_block(part.body)


def _in_expression(node: ast.expr) -> Iterator[tuple[str, Region]]:
    for item in walk(node):
        match item:
            case ast.BoolOp(op=op, values=[*values]):
                for index, value in enumerate(values[:-1]):
                    facts = _facts(value, outcome=isinstance(op, ast.And))
                    yield from _over(facts, values[index + 1 :])
            case ast.IfExp(test=test, body=taken, orelse=other):
                yield from _over(_facts(test, outcome=True), [taken])
                yield from _over(_facts(test, outcome=False), [other])
            case _:
                continue


def _over(
    facts: Iterator[Fact], nodes: Sequence[ast.stmt | ast.expr]
) -> Iterator[tuple[str, Region]]:
    if not nodes:
        return
    first, last = nodes[0], nodes[-1]
    end = (last.end_lineno or last.lineno, last.end_col_offset or 0)
    for name, classes in facts:
        yield name, Region((first.lineno, first.col_offset), end, classes)


def _facts(test: ast.expr, *, outcome: bool) -> Iterator[Fact]:
    """Yield the facts that hold if the test has this outcome."""
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), classes]):
            if outcome:
                yield name, classes
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _facts(inner, outcome=not outcome)
        case ast.BoolOp(op=op, values=values):
            if isinstance(op, ast.And) is outcome:
                for value in values:
                    yield from _facts(value, outcome=outcome)
        case _:
            return


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether the block never falls through to the code after it."""
    match body[-1]:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.If(body=taken, orelse=[*other]) if other:
            return _leaves(taken) and _leaves(other)
        case _:
            return False
