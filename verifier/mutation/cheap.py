"""Cheap solutions: what somebody would hand in who has not done the work."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..executors.interface import Mutant
from .block import Block

_CONSTANTS = ("None", "True", "False", "0", "1", "-1", "''", "[]", "{}", "()")


def cheap_solutions(block: Block, answers: Sequence[str] = ()) -> tuple[Mutant, ...]:
    """The target with an empty body, with constants, as the identity, and as an echo.

    Args:
        block: the target's.
        answers: literals that cases are known to expect.
    """
    return tuple(Mutant(name, block.edited(edits)) for name, edits in _solutions(block, answers))


def failing(block: Block) -> Mutant:
    """The target that raises at once what nobody expects: every case must see it."""
    return Mutant("fails", block.edited(_bodies(block, "raise SystemError('forced to fail')")))


def _solutions(
    block: Block, answers: Sequence[str]
) -> Iterator[tuple[str, list[tuple[ast.AST, str]]]]:
    yield "empty body", _bodies(block, "pass")
    for text in _CONSTANTS[1:]:
        yield f"returns {text}", _bodies(block, f"return {text}")
    for text in dict.fromkeys(answers):
        yield f"echoes {text[:60]}", _bodies(block, f"return {text}")
    for function in block.functions[:1]:
        for arg in (*function.args.posonlyargs, *function.args.args)[:3]:
            yield f"returns {arg.arg}", _bodies(block, f"return {arg.arg}")


def _bodies(block: Block, text: str) -> list[tuple[ast.AST, str]]:
    """Edits that put a statement in the place of each function's body."""
    edits: list[tuple[ast.AST, str]] = []
    for function in block.functions:
        first, last = function.body[0], function.body[-1]
        is_generator = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(function))
        whole = ast.Pass(
            lineno=first.lineno, col_offset=first.col_offset,
            end_lineno=last.end_lineno or last.lineno, end_col_offset=last.end_col_offset or 0,
        )  # fmt: skip
        for decorator in getattr(first, "decorator_list", ()):
            whole.lineno = min(whole.lineno, decorator.lineno)
            whole.col_offset = min(whole.col_offset, decorator.col_offset - 1)
        made = f"{text}; yield" if is_generator and not text.startswith("return") else text
        edits.append((whole, made))
    return edits
