"""The kept text of one module, as pieces: runs of the repository's own lines, and listed edits.

A piece starts at a line of the repository's file; the lines between pieces are left out. Leading
comments belong to the statement below them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..analysis.scopes.definitions import ClassInfo, module_class
from ..closure.kept_definitions import KeptModule
from ..model import Edit
from ..repo.repository import Module
from ..repo.source import Source
from ..repo.units import Unit
from .import_edits import narrowed, shortened

_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=]|^#!")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text for one place of a module."""

    line: int
    """Line of the repository's file that it starts at, counted from 1."""
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
    match unit.nodes:
        case [ast.ImportFrom()] if unit.index in kept.stars.keys() - kept.whole_imports:
            writer.star(unit, kept.stars[unit.index])
        case [(ast.Import() | ast.ImportFrom()) as node] if (
            unit.index in kept.aliases.keys() - kept.whole_imports
        ):
            writer.imports(unit, node, kept.aliases[unit.index])
        case [ast.ClassDef() as node, *_] if unit.index in kept.members:
            cls = module_class(kept.module, unit, node)
            writer.pruned_class(cls, kept.members[unit.index])
        case _:
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
        """Return the last of the comment lines below a block that are indented like it."""
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
            if self.source.header_lines[0] <= start - 1 <= self.source.header_lines[1]:
                break  # the script has its own header
            start -= 1
        return start

    def _blank_above(self, start: int) -> int:
        count = 0
        while count < 2 and start - 2 - count >= 0 and not self.lines[start - 2 - count].strip():
            count += 1
        return count

    def _edit(self, line: int, what: str, reason: str) -> None:
        self.edits.append(Edit(self.source.path, line, what, reason))

    def imports(
        self, unit: Unit, node: ast.Import | ast.ImportFrom, names: Mapping[str, None]
    ) -> None:
        """Add an import statement with only the kept names."""
        bound = [alias.asname or alias.name for alias in node.names]
        kept = tuple(number for number, name in enumerate(bound) if name in names)
        if len(kept) in (0, len(bound)):
            self.add(unit.first, unit.last)
            return
        self._edited_import(unit, shortened(self._text(unit.first, unit.last), node, kept))
        dropped = ", ".join(name for name in bound if name not in names)
        self._edit(unit.first, f"import shortened by {dropped}", "names not needed")

    def star(self, unit: Unit, names: Iterable[str]) -> None:
        """Add a star import of a local module, narrowed to the names that are used."""
        self._edited_import(unit, narrowed(self._text(unit.first, unit.last), sorted(names)))
        self._edit(unit.first, "star import narrowed to the names used", "the module is pruned")

    def _edited_import(self, unit: Unit, text: str) -> None:
        first = self._with_comments(unit.first)
        above = "".join(self.lines[first - 1 : unit.first - 1])
        self.pieces.append(Piece(first, above + text, self._blank_above(first), is_verbatim=False))
        self.last = unit.last

    def pruned_class(self, cls: ClassInfo, members: Mapping[int, object]) -> None:
        """Add a class with only the kept members."""
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


def joined(pieces: Sequence[Piece]) -> str:
    """Join pieces, with the blank lines that preceded each."""
    parts: list[str] = []
    end = ""
    for piece in pieces:
        parts.append(end * piece.blank_before + piece.text)
        end = "\r" if piece.text.endswith("\r") else "\n"  # "\r" and "\n" would become one end
    return "".join(parts)


def blank_lines(count: int, before: str) -> str:
    """Return empty lines to follow a text, with its own kind of line end."""
    return ("\r" if before.endswith("\r") else "\n") * count


def line_ends(text: str) -> int:
    """Return the number of line ends in the text, of any kind."""
    return text.replace("\r\n", "\n").replace("\r", "\n").count("\n")
