"""Cheap solutions: candidates that need no work, which the cases must reject."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..execution.executors.interface import Mutant
from .equivalence.equal_code import canonical_bytecode
from .mutated_block import Block, Function, own_nodes

_CONSTANTS = ("True", "False", "0", "1", "-1", "''", "[]", "{}", "()")
_FAILS = "raise SystemError('forced to fail')"


def cheap_solutions(block: Block, answers: Sequence[str] = ()) -> tuple[Mutant, ...]:
    """Return the target with an empty body, with constants, as the identity, and as an echo.

    A solution that compiles to the target's code is left out.

    Args:
        block: the target's text.
        answers: literals that cases expect, and statements that raise what cases expect.
    """
    original = canonical_bytecode(block.standing(block.lines))
    named = {name: block.edited(edits) for name, edits in _solutions(block, answers)}
    known = {original, None}
    return tuple(
        Mutant(n, text) for n, text in named.items() if canonical_bytecode(text) not in known
    )


def failing(block: Block) -> Mutant:
    """Return the target with a body that raises at once. Every case must notice."""
    return Mutant("fails", block.edited(_bodies(block, _FAILS)))


def _solutions(
    block: Block, answers: Sequence[str]
) -> Iterator[tuple[str, list[tuple[ast.AST, str]]]]:
    yield "empty body", _bodies(block, "pass")
    for text in _CONSTANTS:
        yield f"returns {text}", _bodies(block, f"return {text}")
    for text in dict.fromkeys(answers):
        statement = text if text.startswith("raise ") else f"return {text}"
        yield f"echoes {text}", _bodies(block, statement)
    for function in block.functions[:1]:
        for arg in (*function.args.posonlyargs, *function.args.args)[:3]:
            yield f"returns {arg.arg}", _bodies(block, f"return {arg.arg}")


def _bodies(block: Block, text: str) -> list[tuple[ast.AST, str]]:
    """Return edits that replace each function's body by a statement."""
    return [_body(function, text) for function in block.functions]


def _body(function: Function, text: str) -> tuple[ast.AST, str]:
    if isinstance(function, ast.Lambda):
        return function.body, _as_expression(text)
    first, last = function.body[0], function.body[-1]
    whole = ast.Pass(
        lineno=first.lineno, col_offset=first.col_offset,
        end_lineno=last.end_lineno or last.lineno, end_col_offset=last.end_col_offset or 0,
    )  # fmt: skip
    for decorator in getattr(first, "decorator_list", ()):
        whole.lineno = min(whole.lineno, decorator.lineno)
        whole.col_offset = min(whole.col_offset, decorator.col_offset - 1)
    if _is_generator(function) and not text.startswith("return "):
        return whole, f"{'return' if text == 'pass' else text}; yield"
    return whole, text


def _as_expression(text: str) -> str:
    match text.partition(" "):
        case ("return", _, value):
            return f"({value})"
        case ("raise", _, _):
            return f"exec({text!r})"
        case _:
            return "None"


def _is_generator(function: Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function))
