"""The statements of a text outside functions, by line and by enclosing block."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITION = (*FUNCTION, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a module, of a class body, or of a branch in these."""

    node: ast.stmt
    first: int
    """First line, decorators included."""
    last: int
    inside: tuple[str, ...]
    """Enclosing blocks, outermost first: classes by name, branches by kind."""


@dataclass(frozen=True, slots=True)
class Statements:
    """All statements of a text outside functions."""

    body: Sequence[ast.stmt]
    """The module-level statements."""
    at: Mapping[int, Statement]
    """The outermost statement that begins on a line."""
    inside: Mapping[tuple[str, ...], Sequence[Statement]]
    """Statements by enclosing blocks, in order."""

    def between(self, first: int, last: int) -> tuple[Statement, ...]:
        """Return the sibling statements that begin and end with these lines."""
        start = self.at.get(first)
        if start is None:
            return ()
        siblings = self.inside[start.inside]
        begin = bisect_left(siblings, first, key=lambda s: s.first)
        end = bisect_left(siblings, last + 1, key=lambda s: s.first)
        found = tuple(siblings[begin:end])
        return found if all(s.last <= last for s in found) else ()


@lru_cache(maxsize=256)
def statements_of(text: str) -> Statements:
    """Return the statements of a text.

    Raises:
        SyntaxError: the text does not parse.
    """
    at: dict[int, Statement] = {}
    inside: dict[tuple[str, ...], list[Statement]] = {}
    body = ast.parse(text).body
    for statement in _walk(body, ()):
        at.setdefault(statement.first, statement)
        inside.setdefault(statement.inside, []).append(statement)
    return Statements(body, at, inside)


def name_of(node: ast.stmt) -> str:
    """Return the name of a function or class; empty for anything else."""
    return node.name if isinstance(node, DEFINITION) else ""


def first_line_of(node: ast.stmt) -> int:
    """Return the first line of a statement, decorators included."""
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])


def _walk(body: Sequence[ast.stmt], inside: tuple[str, ...]) -> Iterator[Statement]:
    for node in body:
        yield Statement(node, first_line_of(node), node.end_lineno or node.lineno, inside)
        if isinstance(node, ast.ClassDef):
            yield from _walk(node.body, (*inside, node.name))
        elif not isinstance(node, FUNCTION):
            for kind, block in _blocks(node):
                yield from _walk(block, (*inside, f"{type(node).__name__}.{kind}"))


def _blocks(node: ast.stmt) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Yield the statement lists of a compound statement: `if`, `try`, `with`, `for`, `match`."""
    for field in ("body", "orelse", "finalbody"):
        yield field, getattr(node, field, [])
    for field in ("handlers", "cases"):
        for part in getattr(node, field, []):
            yield field, part.body


def is_overload(node: ast.AST) -> bool:
    """Whether a definition is an overload of another one that follows it."""
    return any(
        getattr(each, "id", getattr(each, "attr", "")) == "overload"
        for each in getattr(node, "decorator_list", ())
    )
