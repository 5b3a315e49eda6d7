"""Changes of f-strings: one part is changed, and the whole text is written anew.

Before Python 3.12 the parts of an f-string have no positions of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator


def formatted(node: ast.JoinedStr, texts_of: Callable[[ast.expr], Iterator[str]]) -> Iterator[str]:
    """Yield the text with its first literal part extended, and with each value changed.

    Args:
        node: the f-string.
        texts_of: yields replacements for an expression.
    """
    for position, part in enumerate(node.values):
        match part:
            case ast.Constant(value=str() as value):
                yield from _written(node, position, ast.Constant(f"{value}X"))
                break
            case _:
                pass
    for position, part in enumerate(node.values):
        if isinstance(part, ast.FormattedValue):
            for text in texts_of(part.value):
                yield from _with_value(node, position, part, text)


def _with_value(
    node: ast.JoinedStr, position: int, part: ast.FormattedValue, text: str
) -> Iterator[str]:
    try:
        value = ast.parse(text, mode="eval").body
    except SyntaxError:
        return
    yield from _written(
        node, position, ast.FormattedValue(value, part.conversion, part.format_spec)
    )


def _written(node: ast.JoinedStr, position: int, part: ast.expr) -> Iterator[str]:
    values = [*node.values[:position], part, *node.values[position + 1 :]]
    try:
        yield ast.unparse(ast.JoinedStr(values))
    except ValueError:  # an f-string could not hold these quotes or backslashes before 3.12
        return
