"""Kinds of undeclared parameters, inferred from a target's code: numbers and streams."""

from __future__ import annotations

import ast

from ...inputs.statements import on_receiver

COUNTS = frozenset({"int", "float"})
"""Kinds of values that can be compared with a count."""


def compared_with_counts(function: ast.AST) -> frozenset[str]:
    """Return the names that are compared with a length or a number, and so are numbers."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                if any(map(_is_count, sides)):
                    found.update(each.id for each in sides if isinstance(each, ast.Name))
            case _:
                continue
    return frozenset(found)


def converted_numbers(function: ast.AST) -> frozenset[str]:
    """Return the names that are converted to a number, and so may be another kind before."""
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id="int" | "float" | "round"), args=[ast.Name(id=name)]):
                found.add(name)
            case _:
                continue
    return frozenset(found)


def _is_count(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="len")):
            return True
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()) | ast.UnaryOp(operand=ast.Constant(value=int())):
            return True
        case _:
            return False


def streamed(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Return the parameters that a generator loops over lazily."""
    nodes = list(ast.walk(function))
    if not any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in nodes):
        return frozenset()
    found: set[str] = set()
    for node in nodes:
        match node:
            case (
                ast.For(iter=ast.Name(id=name))
                | ast.comprehension(iter=ast.Name(id=name))
                | ast.YieldFrom(value=ast.Name(id=name))
                | ast.Call(
                    func=ast.Name(id="iter" | "enumerate" | "zip"), args=[ast.Name(id=name), *_]
                )
            ):
                found.add(name)
            case _:
                continue
    args = function.args
    return frozenset(found & {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)})


def returned_or_stored(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """Return parameters, and attributes as places, that are returned or stored unchanged."""
    args = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    own, names = args[0].arg if args else "", {each.arg for each in args}
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case (
                ast.Return(value=ast.expr() as value)
                | ast.Yield(value=ast.expr() as value)
                | ast.Assign(targets=[ast.Attribute()], value=value)
            ):
                pass
            case _:
                continue
        match value:
            case ast.Name(id=name) if name in names and name != own:
                found.add(name)
            case ast.Attribute(value=ast.Name(id=holder), attr=name) if holder == own:
                found.add(on_receiver(f".{name}"))
            case _:
                continue
    return frozenset(found)
