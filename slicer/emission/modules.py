"""The `modules` layout: one script in which every needed module is a real module."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..model import LineMap
from ..repository import Module
from .literal import text_literal
from .pieces import ModuleText, Piece, joined
from .prelude import BEGIN, END, NAME_ONLY, RUNTIME


@dataclass(frozen=True, slots=True)
class Plan:
    """What a script carries, and how it loads."""

    target: Module
    texts: Mapping[str, ModuleText]
    """Kept text by module name, the target's own included."""
    packages: Mapping[str, str]
    """Name → folder of the packages without an `__init__.py` around the carried modules."""
    visible: bool
    """Whether the target's module is the script's own body."""
    first: tuple[str, ...]
    """Modules that nothing kept imports: loaded before the body."""
    bound: tuple[tuple[str, str], ...]
    """(module, name) that the script ends by binding."""
    data: Mapping[str, bytes]
    """Data files by path."""
    needs_name: bool
    """Whether the target's code can see its module's name."""


def modules_script(plan: Plan) -> tuple[str, tuple[LineMap, ...]]:
    """The script's text, and which of its lines are the repository's."""
    own = plan.texts[plan.target.name]
    carried = {
        name: text
        for name, text in sorted(plan.texts.items())
        if not (plan.visible and name == plan.target.name)
    }
    writer = _Script()
    if plan.visible:
        docstring = [p for p in own.pieces[:1] if _is_docstring(own, p)]
        body = own.pieces[len(docstring) :]
        writer.pieces([*docstring, *own.future], own.module.path)
    else:
        body = ()
    if carried or plan.packages or plan.data:
        _prelude(writer, plan, carried)
    elif plan.needs_name:
        target = plan.target
        writer.text(f"{BEGIN}\n{NAME_ONLY}\n\n")
        writer.text(f"_slice_func({target.name!r}, {target.package!r}, globals())\n")
        writer.text(f"del _slice_func\n{END}\n")
    if plan.visible:
        writer.pieces(body, own.module.path)
    else:
        for module, name in plan.bound:
            writer.text(f"from {module} import {name}\n")
    return writer.result()


def _is_docstring(own: ModuleText, piece: Piece) -> bool:
    lines = own.module.source.docstring_lines
    return (
        lines is not None
        and piece.line <= lines[0]
        and piece.text.count("\n") >= 1
        and (piece.line + piece.text.count("\n") - 1 >= lines[1])
    )


def _prelude(writer: _Script, plan: Plan, carried: Mapping[str, ModuleText]) -> None:
    target = plan.target
    name = target.name if plan.visible else ""
    identity = _identity(plan)
    writer.text(f"{BEGIN}\n{RUNTIME}\n\n_slice_func(\n")
    writer.text(f"    {name!r}, {target.package!r}, {identity!r},\n    {{\n")
    for package, folder in sorted(plan.packages.items()):
        writer.text(f"{package!r}: ({folder!r}, True, ()),\n")
    for module, text in carried.items():
        is_package = text.module.is_package
        writer.text(f"{module!r}: ({text.module.path!r}, {is_package!r}, (\n")
        for run in _runs([*text.future, *text.pieces]):
            writer.carried(run, text.module.path)
        writer.text(")),\n")
    writer.text(f"    }},\n    {list(plan.first)!r},\n    {{\n")
    for path, content in sorted(plan.data.items()):
        packed = base64.b85encode(zlib.compress(content, 9)).decode("ascii")
        writer.text(f"{path!r}: {packed!r},\n")
    writer.text(f"    }},\n)\ndel _slice_func\n{END}\n")


_NEAR = 8
"""Gaps of fewer lines are bridged with blank lines, so that a class reads as one."""


def _runs(pieces: Sequence[Piece]) -> list[list[Piece]]:
    runs: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: p.line):
        last = runs[-1][-1] if runs else None
        if last is not None and piece.line - (last.line + _line_ends(last.text)) < _NEAR:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return runs


def _identity(plan: Plan) -> str:
    digest = hashlib.sha256()
    for name, text in sorted(plan.texts.items()):
        digest.update(name.encode())
        for piece in text.pieces:
            digest.update(f"{piece.line}:{piece.text}".encode("utf-8", "surrogatepass"))
    for path, content in sorted(plan.data.items()):
        digest.update(f"{path}:{len(content)}:".encode() + content)
    return digest.hexdigest()[:16]


class _Script:
    """Text that grows, with the map of its lines."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._line = 1
        self._lines: list[LineMap] = []

    def text(self, text: str) -> None:
        self._parts.append(text)
        self._line += _line_ends(text)

    def carried(self, run: Sequence[Piece], path: str) -> None:
        """Pieces that stand close together, as one literal with blank lines in the gaps."""
        self.text(f"({run[0].line}, ")
        text = ""
        for piece in run:
            text += "\n" * (piece.line - run[0].line - _line_ends(text))
            if "\r" not in piece.text:
                self._map(piece, path, self._line + _line_ends(text))
            text += piece.text
        self.text(text_literal(text) + "),\n")

    def pieces(self, pieces: Sequence[Piece], path: str) -> None:
        for piece in pieces:
            if self._parts:
                self.text("\n" * piece.blank_before)
            self._map(piece, path)
            self.text(piece.text)

    def _map(self, piece: Piece, path: str, line: int = 0) -> None:
        count = _line_ends(piece.text)
        if piece.is_verbatim:
            self._lines.append(LineMap(line or self._line, path, piece.line, count))

    def result(self) -> tuple[str, tuple[LineMap, ...]]:
        return "".join(self._parts), tuple(self._lines)


def _line_ends(text: str) -> int:
    return text.replace("\r\n", "\n").replace("\r", "\n").count("\n")


__all__ = ["Plan", "joined", "modules_script"]
