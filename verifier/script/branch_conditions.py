"""Describe in words which condition decides the line that follows a line."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .module_statements import first_line_of

LONGEST = 60
"""Longest condition shown, in characters."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition that decides which line comes next."""

    to: int
    """The line that follows in one case."""
    yes: str
    """Why that line never followed."""
    no: str
    """Why no other line ever followed."""

    def why_never(self, to: int) -> str:
        """Return why the line never followed."""
        return self.yes if to == self.to else self.no


def conditions(tree: ast.AST, first_line: Callable[[int], int]) -> Iterator[tuple[int, Condition]]:
    """Yield the conditions of a tree, each with its line.

    Args:
        tree: A syntax tree.
        first_line: Gives the first line of the statement on a line.
    """
    for node in ast.walk(tree):
        match node:
            case ast.If() | ast.While() | ast.For() | ast.AsyncFor():
                line = node.lineno
            case ast.match_case():
                line = node.pattern.lineno
            case _:
                continue
        to = first_line(first_line_of(node.body[0]))
        yield first_line(line), Condition(to, *_texts(node))


def _texts(node: ast.AST) -> tuple[str, str]:
    """Return why the body never followed, and why nothing else did."""
    match node:
        case ast.If(test=test) | ast.While(test=test):
            shown = _shown(ast.unparse(test))
            return f"{shown} was never true", f"{shown} was never false"
        case ast.For(iter=items) | ast.AsyncFor(iter=items):
            shown = _shown(ast.unparse(items))
            return f"{shown} was always empty", f"the loop over {shown} never came to its end"
        case ast.match_case(pattern=pattern, guard=guard):
            tested = f" if {ast.unparse(guard)}" if guard else ""
            shown = _shown(f"case {ast.unparse(pattern)}{tested}")
            return f"{shown} never matched", f"{shown} always matched"
        case _:
            return "", ""


def _shown(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 3] + '...'}`"
