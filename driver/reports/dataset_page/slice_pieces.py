"""The pieces of a slice, and which of them name which.

A record holds no reasons. What can be said of a script alone is who names what in it.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

_PART = re.compile(r"^# (\S+\.pyi?)$")
_USERS = 8
"""Maximum number of users that are named."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement of the slice that binds names, or runs when its module is loaded."""

    path: str
    kind: str
    name: str
    """What it binds; its first line if it binds nothing."""
    lines: int
    names: frozenset[str]
    """Names that it uses."""


def slice_pieces(text: str, path: str) -> list[Piece]:
    """Return the pieces of a slice without the tool's own code; none if it does not parse.

    Args:
        text: what `context_of` returns.
        path: path of the target's file.
    """
    return [
        _piece(part, node)
        for part, lines in _parts(text, path)
        for node in _body(lines)
        if not isinstance(node, ast.Import | ast.ImportFrom) and not _is_docstring(node)
    ]


def users(pieces: list[Piece], target: str) -> list[str]:
    """Return for each piece which others name it, in words; the target says so."""
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        for name in sorted(piece.names):
            by_name[name].append(index)
    said: list[str] = []
    for index, piece in enumerate(pieces):
        bound = piece.name.split(", ")
        found = sorted({other for name in bound for other in by_name[name]} - {index})
        words = [pieces[other].name for other in found][:_USERS]
        more = [f"{len(found) - _USERS} more"] if len(found) > _USERS else []
        is_target = target.partition(".")[0] in bound
        named = [*(["the target"] if is_target else []), *words, *more]
        said.append(", ".join(named) or "no other piece")
    return said


def _parts(text: str, path: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a slice with their texts."""
    name, lines = path, list[str]()
    for line in text.split("\n"):
        found = _PART.match(line)
        if found:
            yield name, "\n".join(lines)
            name, lines = found[1], []
        else:
            lines.append(line)
    yield name, "\n".join(lines)


def _body(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _piece(path: str, node: ast.stmt) -> Piece:
    kind, bound = _bound(node)
    name = ", ".join(bound) or ast.unparse(node).partition("\n")[0][:80]
    used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    used |= {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    return Piece(path, kind, name, lines, frozenset(used))


def _bound(node: ast.stmt) -> tuple[str, list[str]]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return "function", [name]
        case ast.ClassDef(name=name):
            return "class", [name]
        case _:
            stored = [
                each.id
                for each in ast.walk(node)
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            ]
            return ("value" if stored else "statement"), sorted(set(stored))
