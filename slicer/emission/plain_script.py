"""Merge the kept texts of some modules into one plain script, with a map of its lines."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import LineMap
from .kept_text import ModuleText, Piece, blank_lines, line_ends


def flat_script(texts: Sequence[ModuleText]) -> tuple[str, tuple[LineMap, ...]]:
    """Return one plain script: each module's pieces in order, below a comment line."""
    written: list[str] = []
    maps: list[LineMap] = []
    line = 1

    def put(text: str) -> None:
        nonlocal line
        written.append(text)
        line += line_ends(text)

    def put_piece(piece: Piece, path: str) -> None:
        if piece.is_verbatim:
            maps.append(LineMap(line, path, piece.line, line_ends(piece.text)))
        put(piece.text)

    docstring = _docstring(texts[0]) if len(texts) == 1 else ()
    future: dict[str, tuple[Piece, str]] = {}
    for text in texts:
        for piece in text.future:
            future.setdefault(piece.text, (piece, text.module.path))
    for piece, path in [*((p, texts[0].module.path) for p in docstring), *future.values()]:
        put(blank_lines(piece.blank_before, written[-1]) if written else "")
        put_piece(piece, path)
    for text in texts:
        for index, piece in enumerate(text.pieces[len(docstring) :]):
            is_first = index == 0 and len(texts) > 1
            blank = max(piece.blank_before, 1) if is_first else piece.blank_before
            put(blank_lines(blank, written[-1]) if written else "")
            put(f"# {text.module.path}\n" if is_first else "")
            put_piece(piece, text.module.path)
    return "".join(written), tuple(maps)


def _docstring(text: ModuleText) -> tuple[Piece, ...]:
    """Return the piece with the module's docstring, which stands above the `__future__` imports."""
    lines = text.module.source.docstring_lines
    if lines is None or not text.pieces:
        return ()
    first = text.pieces[0]
    ends = first.line + line_ends(first.text) - 1
    return (first,) if first.line <= lines[0] and ends >= lines[1] else ()
