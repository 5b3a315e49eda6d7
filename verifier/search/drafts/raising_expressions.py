"""Expressions that raise, and expressions that make coroutines: written and recognised here.

Drafts consist of expressions only. For each such form, its writer and its reader stand side by
side.
"""

from __future__ import annotations

import ast

CALLS = "calls"
"""Name of the list in which stand-ins record their calls, as a variable and as an attribute."""


def throwing(raised: str) -> str:
    """Return an expression that raises the exception that another expression makes."""
    if raised.startswith("StopIteration("):  # a generator would make it `RuntimeError`
        return "next(iter(()))"
    return f"(_ for _ in ()).throw({raised})"


def thrown(node: ast.AST) -> ast.expr | None:
    """Return the exception that such an expression raises, or `None` for any other expression."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.GeneratorExp(elt=ast.Name(id="_")), attr="throw"),
            args=[raised],
        ):
            return raised
        case _:
            return None


def throwing_later(raised: str) -> str:
    """Return an expression for a coroutine that raises when it is awaited."""
    return ast.unparse(later(ast.parse(throwing(raised), mode="eval").body))


def later(value: ast.expr) -> ast.expr:
    """Return an expression for a coroutine that evaluates `value` when it is awaited.

    It uses a coroutine of the standard library that first calls its argument.
    """
    made = ast.parse('__import__("asyncio").Condition().wait_for(lambda: 0)', mode="eval").body
    inner = next(node for node in ast.walk(made) if isinstance(node, ast.Lambda))
    inner.body = value
    return made


def thrown_later(node: ast.AST) -> ast.expr | None:
    """Return what such a coroutine evaluates when it is awaited, or `None` for anything else."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(func=ast.Attribute(attr="Condition")), attr="wait_for"
            ),
            args=[ast.Lambda(body=body)],
        ):
            return body
        case _:
            return None


def coroutine(waits: ast.Lambda) -> ast.expr:
    """Return an expression that makes coroutines from a function that yields once."""
    made = ast.parse('__import__("types").coroutine', mode="eval").body
    return ast.Call(made, [waits], [])


def awaited(value: ast.expr) -> ast.Lambda | None:
    """Return what a method that records when it is awaited does then, or `None` for others."""
    match value:
        case ast.Call(
            func=ast.Attribute(attr="coroutine"),
            args=[
                ast.Lambda(
                    args=parameters, body=ast.BoolOp(op=ast.Or(), values=[ast.Yield(), *rest])
                )
            ],
        ):
            body = rest[0] if len(rest) == 1 else ast.BoolOp(ast.Or(), rest)
            return ast.Lambda(parameters, body)
        case _:
            return None
