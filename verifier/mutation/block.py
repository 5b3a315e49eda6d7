"""The text that is mutated: a target's definition, on its own lines, inside its classes."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from ..targets import TracedLines


@dataclass(frozen=True)
class Block:
    """Definitions on some lines of a file."""

    text: str
    """Of the file."""
    first: int
    """Line of the first decorator, or of the definition."""
    last: int
    around: tuple[str, ...] = ()
    """Classes that the definitions stand in, the outermost first."""
    name: str = ""
    """Of the function that is meant, where it is one inside the definition."""

    @cached_property
    def lines(self) -> tuple[bytes, ...]:
        """The lines of the definitions, without their ends."""
        text = self.text.replace("\r\n", "\n").replace("\r", "\n")
        return tuple(line.encode() for line in text.split("\n")[self.first - 1 : self.last])

    def standing(self, lines: tuple[bytes, ...]) -> str:
        """Other lines in the place of the block's: text that compiles, each on its own line."""
        is_inner = lines[0][:1].isspace()
        heads = [f"{' ' * depth}class {name}:" for depth, name in enumerate(self.around)]
        if is_inner and not heads:
            heads = ["if 1:"]
        empty = self.first - 1 - len(heads)
        body = b"\n".join(lines).decode()
        return "\n" * max(empty, 0) + "".join(f"{head}\n" for head in heads) + body + "\n"

    @cached_property
    def tree(self) -> ast.Module:
        """The block as it is; positions are those of `standing`."""
        return ast.parse(self.standing(self.lines))

    @cached_property
    def functions(self) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
        """What may be mutated: the function that is meant, or all that are in no other one."""
        every = [n for n in ast.walk(self.tree) if isinstance(n, _FUNCTION)]
        if self.name:
            return tuple(n for n in every if n.name == self.name)
        inner = {id(x) for n in every for x in ast.walk(n) if x is not n}
        return tuple(n for n in every if id(n) not in inner)

    def replaced(self, node: ast.AST, text: str) -> str:
        """The block with other text in the place of one node."""
        return self.edited([(node, text)])

    def edited(self, edits: list[tuple[ast.AST, str]]) -> str:
        """The block with other text in the place of some nodes, none inside another."""
        lines = list(self.lines)
        offset = self.first
        for node, text in sorted(edits, key=lambda e: -_start(e[0])[0] * 10**6 - _start(e[0])[1]):
            (top, left), (bottom, right) = _start(node), _end(node)
            head, tail = lines[top - offset][:left], lines[bottom - offset][right:]
            lines[top - offset : bottom - offset + 1] = [head + text.encode() + tail]
        return self.standing(tuple(lines))

    def source(self, node: ast.AST) -> str:
        """The text of a node."""
        (top, left), (bottom, right) = _start(node), _end(node)
        found = list(self.lines[top - self.first : bottom - self.first + 1])
        found[-1] = found[-1][:right]
        found[0] = found[0][left:]
        return b"\n".join(found).decode()


def block_of(traced: TracedLines, qualname: str) -> Block:
    """The block of a target, from the lines that hold it."""
    *around, _ = traced.qualname.split(".")
    inner = qualname.removeprefix(traced.qualname).strip(".")
    name = inner.rpartition(".")[2] if inner else ""
    return Block(traced.text, traced.first, traced.last, tuple(around), name)


_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)
