"""Names in an annotation, also where all or part of it is written as a string."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .nodes import children


def names_in(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the names and attributes in an annotation, including those in strings."""
    match node:
        case ast.Constant(value=str(text)):
            try:
                yield from names_in(ast.parse(text.strip(), mode="eval").body)
            except (SyntaxError, ValueError):
                return
        case ast.Name() | ast.Attribute():
            yield node
        case _:
            for child in children(node):
                if isinstance(child, ast.expr):
                    yield from names_in(child)
