"""The block that is mutated: a target's definition at its own lines, inside its classes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from ..script.target_lines import TracedLines

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Found = TypeVar("Found", bound=ast.AST)


@dataclass(frozen=True)
class Block:
    """Definitions on some lines of a file."""

    text: str
    """Text of the file."""
    first: int
    """Line of the first decorator, else of the definition."""
    last: int
    enclosing: tuple[str, ...] = ()
    """Classes around the definitions, the outermost first."""
    name: str = ""
    """Dotted name of a nested function that is the target, within the definition."""

    @cached_property
    def lines(self) -> tuple[bytes, ...]:
        """Return the lines of the definitions, without line ends."""
        text = self.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        return tuple(line.encode() for line in text.split("\n")[self.first - 1 : self.last])

    def standing(self, lines: tuple[bytes, ...]) -> str:
        """Return a text that compiles, with the given lines at the block's place."""
        is_inner = lines[0][:1].isspace()
        heads = [f"{' ' * depth}class {name}:" for depth, name in enumerate(self.enclosing)]
        if is_inner and not heads:
            heads = ["if 1:"]
        empty = self.first - 1 - len(heads)
        body = b"\n".join(lines).decode()
        return "\n" * max(empty, 0) + "".join(f"{head}\n" for head in heads) + body + "\n"

    @cached_property
    def tree(self) -> ast.Module:
        """Return the block's tree, with positions as in `standing`.

        It is empty if the lines do not compile alone, as after an `else:` on the same line.
        """
        try:
            return ast.parse(self.standing(self.lines))
        except SyntaxError:
            return ast.Module([], [])

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Return the functions to mutate: the named one, or all outermost ones.

        Lambdas count if no `def` is there.
        """
        if self.name:
            return tuple(_at(_outer(self.tree, _DEFINITION), self.name.split(".")))
        return tuple(_outer(self.tree, _DEFINITION)) or tuple(_outer(self.tree, (ast.Lambda,)))

    @cached_property
    def _statements(self) -> dict[int, ast.stmt]:
        """Map the id of each node to its innermost statement."""
        found: dict[int, ast.stmt] = {}
        for node in ast.walk(self.tree):  # outer statements come first
            if isinstance(node, ast.stmt):
                found.update((id(inner), node) for inner in ast.walk(node))
        return found

    def statement_lines(self, node: ast.AST) -> tuple[int, int] | None:
        """Return first and last line of the statement around a node; `None` for a definition.

        The bodies of compound statements are included.
        """
        found = self._statements.get(id(node))
        if found is None or isinstance(found, (*_DEFINITION, ast.ClassDef)):
            return None
        return found.lineno, found.end_lineno or found.lineno

    def replaced(self, node: ast.AST, text: str) -> str:
        """Return the block with a node replaced."""
        return self.edited([(node, text)])

    def edited(self, edits: list[tuple[ast.AST, str]]) -> str:
        """Return the block with some nodes replaced, none inside another."""
        lines = list(self.lines)
        offset = self.first
        for node, text in sorted(edits, key=lambda e: -_start(e[0])[0] * 10**6 - _start(e[0])[1]):
            (top, left), (bottom, right) = _start(node), _end(node)
            head, tail = lines[top - offset][:left], lines[bottom - offset][right:]
            lines[top - offset : bottom - offset + 1] = [head + text.encode() + tail]
        return self.standing(tuple(lines))

    def source(self, node: ast.AST) -> str:
        """Return the source text of a node."""
        (top, left), (bottom, right) = _start(node), _end(node)
        found = list(self.lines[top - self.first : bottom - self.first + 1])
        found[-1] = found[-1][:right]
        found[0] = found[0][left:]
        return b"\n".join(found).decode()


def block_of(traced: TracedLines, qualname: str) -> Block:
    """Return the block of a target, from the lines that hold it."""
    *around, _ = traced.qualname.split(".")
    inner = qualname.removeprefix(traced.qualname).strip(".")
    path = [part for part in inner.split(".") if part != "<locals>"]
    return Block(traced.text, traced.first, traced.last, tuple(around), ".".join(path))


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body outside nested functions and classes."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    pending: list[ast.AST] = list(reversed(body))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*_DEFINITION, ast.Lambda, ast.ClassDef)):
            pending += reversed(list(ast.iter_child_nodes(node)))


def _outer(node: ast.AST, kinds: tuple[type[Found], ...]) -> Iterator[Found]:
    """Yield the outermost nodes of these kinds below a node, in text order."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, kinds):
            yield child
        else:
            yield from _outer(child, kinds)


def _at(functions: Iterable[ast.AST], path: list[str]) -> Iterator[Function]:
    """Yield the functions at the end of a path of names inside some functions."""
    found = [
        inner
        for function in functions
        for inner in _outer(function, (*_DEFINITION, ast.ClassDef))
        if inner.name == path[0]
    ]
    if len(path) > 1:
        yield from _at(found, path[1:])
    else:
        yield from (each for each in found if not isinstance(each, ast.ClassDef))


_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef)


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)
