"""Expressions of a form of their own: what raises, and what makes coroutines.

Drafts are made of expressions only. What writes such a form and what reads it stand side by side.
"""

from __future__ import annotations

import ast

CALLS = "calls"
"""What the list of the calls is named that stand-ins record, in expressions and on the stand-in."""


def throwing(raised: str) -> str:
    """An expression that raises what another one makes."""
    if raised.startswith("StopIteration("):  # of a generator that would be an error
        return "next(iter(()))"
    return f"(_ for _ in ()).throw({raised})"


def thrown(node: ast.AST) -> ast.expr | None:
    """The exception that an expression raises that is made here; `None` for any other one."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.GeneratorExp(elt=ast.Name(id="_")), attr="throw"),
            args=[raised],
        ):
            return raised
        case _:
            return None


def throwing_later(raised: str) -> str:
    """An expression for a coroutine that raises when it is awaited, not when it is made."""
    return ast.unparse(later(ast.parse(throwing(raised), mode="eval").body))


def later(value: ast.expr) -> ast.expr:
    """A coroutine that raises by what an expression does, when it is awaited.

    It is one of Python's own that calls at first what it is given.
    """
    made = ast.parse('__import__("asyncio").Condition().wait_for(lambda: 0)', mode="eval").body
    inner = next(node for node in ast.walk(made) if isinstance(node, ast.Lambda))
    inner.body = value
    return made


def thrown_later(node: ast.AST) -> ast.expr | None:
    """What such a coroutine does when it is awaited; `None` for anything else."""
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
    """What makes coroutines of a function that yields once before it answers."""
    made = ast.parse('__import__("types").coroutine', mode="eval").body
    return ast.Call(made, [waits], [])


def awaited(value: ast.expr) -> ast.Lambda | None:
    """Of a method that records when it is awaited, what it does then; `None` for others."""
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
