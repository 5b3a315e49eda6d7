"""Which condition decides where a line goes on to, in words."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .module_statements import first_line_of

LONGEST = 60
"""Characters of a condition that are shown."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What decides on the way on from a line."""

    to: int
    """The line that follows in the one case."""
    yes: str
    """Why it never did."""
    no: str
    """Why nothing else ever did."""

    def why_never(self, to: int) -> str:
        """Why the line never followed."""
        return self.yes if to == self.to else self.no


def conditions(tree: ast.AST, first_line: Callable[[int], int]) -> Iterator[tuple[int, Condition]]:
    """The conditions of a tree, each with its line.

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
    """Why the body never followed, and why nothing else did."""
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
