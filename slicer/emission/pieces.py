"""The kept text of one module, as pieces: runs of the repository's own lines, and listed edits.

A piece starts at a line of the repository's file; between pieces stands what was left out. Leading
comments belong to the statement below them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..closure import KeptModule
from ..definitions import ClassInfo, module_class
from ..model import Edit
from ..repository import Module
from ..source import Source
from ..units import Unit

_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=]|^#!")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text for one place of a module."""

    line: int
    """Line of the repository's file at which it stands, counted from 1."""
    text: str
    """Whole lines; always ends with a line end."""
    blank_before: int
    """Blank lines directly above it in the file, at most two."""
    is_verbatim: bool = True


@dataclass(frozen=True, slots=True)
class ModuleText:
    """All kept text of a module."""

    module: Module
    pieces: tuple[Piece, ...]
    edits: tuple[Edit, ...]
    future: tuple[Piece, ...]
    """The `from __future__` imports, which must stay first."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is kept."""
        return not self.pieces


def module_text(kept: KeptModule, *, with_docstring: bool) -> ModuleText:
    """Cut the kept text out of a module."""
    module = kept.module
    writer = _Writer(module.source)
    future: list[Piece] = []
    for unit in module.units:
        if _is_future(unit):
            if kept.units or kept.must_load:
                future.append(writer.piece(unit.first, unit.last, attach=False))
            continue
        if with_docstring and unit.index == 0 and _is_docstring(unit):
            writer.add(unit.first, unit.last)
        elif unit.index in kept.units:
            count = len(writer.pieces)
            _write_unit(writer, kept, unit)
            first = writer.pieces[count]
            if unit.kind in ("function", "class") and not first.blank_before:
                writer.pieces[count] = replace(first, blank_before=1)
    return ModuleText(module, tuple(writer.pieces), tuple(writer.edits), tuple(future))


def _is_future(unit: Unit) -> bool:
    return all(isinstance(n, ast.ImportFrom) and n.module == "__future__" for n in unit.nodes)


def _is_docstring(unit: Unit) -> bool:
    match unit.node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False


def _write_unit(writer: _Writer, kept: KeptModule, unit: Unit) -> None:
    node = unit.node
    if unit.index in kept.stars and unit.kind == "import":
        writer.star(unit, kept)
    elif unit.index in kept.aliases and isinstance(node, (ast.Import, ast.ImportFrom)):
        writer.imports(unit, node, kept.aliases[unit.index])
    elif unit.index in kept.members and isinstance(node, ast.ClassDef):
        cls = module_class(kept.module, unit, node)
        writer.pruned_class(cls, kept.members[unit.index])
    else:
        writer.add(unit.first, unit.last)


def _is_placeholder(unit: Unit) -> bool:
    match unit.node:
        case ast.Pass():
            return True
        case ast.Expr(value=ast.Constant(value=value)):
            return value is ...
        case _:
            return False


class _Writer:
    """Collects pieces in order."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines = source.lines
        self.pieces: list[Piece] = []
        self.edits: list[Edit] = []
        self.last = 0
        """Last line written so far."""

    def add(self, first: int, last: int) -> None:
        """Add lines, with the comments directly above them."""
        self.pieces.append(self.piece(first, last))
        self.last = self._with_trailing(first, last)

    def piece(self, first: int, last: int, *, attach: bool = True) -> Piece:
        start = self._with_comments(first) if attach else first
        last = self._with_trailing(first, last)
        return Piece(start, self._text(start, last), self._blank_above(start))

    def _with_trailing(self, first: int, last: int) -> int:
        """Comments below the last statement of a block, indented as part of it."""
        if last < len(self.lines) and self.lines[last][:1] not in " \t\r\n":
            return last  # the usual case: the next line begins in column 0
        indent = len(_indent(self.lines[first - 1]))
        end = last
        for number in range(last, len(self.lines)):
            line = self.lines[number]
            if not line.strip():
                continue
            if not line.lstrip(" \t\f").startswith("#") or len(_indent(line)) <= indent:
                break
            end = number + 1
        return end

    def _text(self, first: int, last: int) -> str:
        text = "".join(self.lines[first - 1 : last])
        return text if text.endswith(("\n", "\r")) else text + "\n"

    def _with_comments(self, first: int) -> int:
        indent = _indent(self.lines[first - 1])
        start = first
        while start - 1 > self.last:
            line = self.lines[start - 2]
            if not line.lstrip(" \t\f").startswith("#") or _indent(line) != indent:
                break
            if start - 1 <= 2 and _COOKIE.match(line):
                break
            start -= 1
        return start

    def _blank_above(self, start: int) -> int:
        count = 0
        while count < 2 and start - 2 - count >= 0 and not self.lines[start - 2 - count].strip():
            count += 1
        return count

    def _edit(self, line: int, what: str, why: str) -> None:
        self.edits.append(Edit(self.source.path, line, what, why))

    def imports(
        self, unit: Unit, node: ast.Import | ast.ImportFrom, names: dict[str, None]
    ) -> None:
        """An import statement with only the kept names."""
        left = [a for a in node.names if (a.asname or a.name) in names]
        if len(left) == len(node.names) or not left:
            self.add(unit.first, unit.last)
            return
        dropped = [a.asname or a.name for a in node.names if (a.asname or a.name) not in names]
        text = _import_text(node, left)
        whole = self.piece(unit.first, unit.last)
        comments = self._text(whole.line, unit.first - 1) if whole.line < unit.first else ""
        self.pieces.append(
            Piece(whole.line, comments + text + "\n", whole.blank_before, is_verbatim=False)
        )
        self.last = unit.last
        self._edit(unit.first, f"import shortened by {', '.join(dropped)}", "names not needed")

    def star(self, unit: Unit, kept: KeptModule) -> None:
        """A star import of a local module, narrowed to the names that are used."""
        node = unit.node
        if not isinstance(node, ast.ImportFrom):
            return
        names = [ast.alias(name) for name in sorted(kept.stars[unit.index])]
        whole = self.piece(unit.first, unit.last)
        text = _import_text(node, names)
        self.pieces.append(Piece(unit.first, text + "\n", whole.blank_before, is_verbatim=False))
        self.last = unit.last
        self._edit(unit.first, "star import narrowed to the names used", "the module is pruned")

    def pruned_class(self, cls: ClassInfo, members: Mapping[int, object]) -> None:
        """A class with only the kept members."""
        body = cls.members
        docstring = body[0] if _is_docstring(body[0]) else None
        wanted = [u for u in body if u.index in members or u is docstring]
        if not wanted:
            wanted = [u for u in body if _is_placeholder(u)]
        if len(wanted) == len(body):
            self.add(cls.unit.first, cls.unit.last)
            return
        header_end = body[0].first - 1
        while header_end > cls.unit.first and self.lines[header_end - 1].lstrip().startswith(
            ("#", "\n", "\r")
        ):
            header_end -= 1
        while header_end > cls.unit.first and not self.lines[header_end - 1].strip():
            header_end -= 1
        self.add(cls.unit.first, header_end)
        for unit in wanted:
            self.add(unit.first, unit.last)
        if not wanted:
            indent = _indent(self.lines[body[0].first - 1])
            end = "\r\n" if self.lines[0].endswith("\r\n") else "\n"
            self.pieces.append(Piece(header_end + 1, f"{indent}pass{end}", 0, is_verbatim=False))
            self.last = header_end + 1
            self._edit(header_end + 1, "body replaced by pass", "no member of the class is needed")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _import_text(node: ast.Import | ast.ImportFrom, names: Sequence[ast.alias]) -> str:
    shown = [f"{a.name} as {a.asname}" if a.asname else a.name for a in names]
    if isinstance(node, ast.Import):
        return f"import {', '.join(shown)}"
    head = f"from {'.' * node.level}{node.module or ''} import "
    line = head + ", ".join(shown)
    if len(line) <= 100:
        return line
    return head + "(" + ", ".join(shown) + ")"


def joined(pieces: Sequence[Piece]) -> str:
    """Pieces one below the other, with the blank lines that stood above each."""
    parts: list[str] = []
    for index, piece in enumerate(pieces):
        parts.append(("\n" * piece.blank_before if index else "") + piece.text)
    return "".join(parts)
