"""Pieces of source text, cut out by tree positions and moved to another indentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate

from ...script.module_statements import first_line_of

Change = tuple[ast.expr | ast.stmt, str]
"""A node, and the text that replaces it."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")


def split_lines(text: str) -> list[str]:
    """Split a text into lines with their ends, as Python counts lines."""
    return _LINE.findall(text)


def indentation(line: str) -> str:
    """Return the leading white space of a line."""
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def segment(lines: Sequence[str], node: ast.stmt) -> str:
    """Return a statement's text with its decorators, from the start of its first line.

    A statement that shares its first line starts at its own column.
    """
    first, last = first_line_of(node), node.end_lineno or node.lineno
    pieces = list(lines[first - 1 : last])
    pieces[-1] = _bytes(pieces[-1])[: node.end_col_offset].decode("utf-8", "surrogatepass")
    if first == node.lineno and _bytes(pieces[0])[: node.col_offset].strip():
        pieces[0] = _bytes(pieces[0])[node.col_offset :].decode("utf-8", "surrogatepass")
    return "".join(pieces)


def expression(lines: Sequence[str], node: ast.expr) -> str:
    """Return the source text of an expression."""
    pieces = list(lines[node.lineno - 1 : node.end_lineno or node.lineno])
    pieces[-1] = _bytes(pieces[-1])[: node.end_col_offset].decode("utf-8", "surrogatepass")
    pieces[0] = _bytes(pieces[0])[node.col_offset :].decode("utf-8", "surrogatepass")
    return "".join(pieces)


def moved(lines: Sequence[str], nodes: Iterable[ast.stmt], indent: str) -> str:
    """Return statements of one block at another indentation, each ending its line.

    Lines inside strings stay as they are.
    """
    parts: list[str] = []
    for node in nodes:
        first = first_line_of(node)
        old = indentation(lines[first - 1])
        inside = _inside_strings(node)
        for number, line in enumerate(split_lines(segment(lines, node)), start=first):
            if number in inside:
                parts.append(line)
            elif number == first:
                parts.append(indent + line.lstrip(" \t\f"))
            elif line.startswith(old):
                parts.append(indent + line[len(old) :] if line.strip() else line)
            else:
                parts.append(line)
        parts.append("\n")
    return "".join(parts)


def replaced(text: str, changes: Iterable[Change]) -> str:
    """Return the text with nodes replaced, none inside another."""
    content = _bytes(text)
    starts = [0, *accumulate(len(_bytes(line)) for line in split_lines(text))]
    parts: list[bytes] = []
    done = 0
    for node, new in sorted(changes, key=lambda c: (c[0].lineno, c[0].col_offset)):
        parts += [content[done : starts[node.lineno - 1] + node.col_offset], _bytes(new)]
        done = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
    return b"".join([*parts, content[done:]]).decode("utf-8", "surrogatepass")


def _inside_strings(node: ast.stmt) -> frozenset[int]:
    """Return the lines that begin inside a string."""
    found: set[int] = set()
    for inner in ast.walk(node):
        is_text = isinstance(inner, ast.JoinedStr) or (
            isinstance(inner, ast.Constant) and isinstance(inner.value, (str, bytes))
        )
        if is_text and isinstance(inner, ast.expr):
            found.update(range(inner.lineno + 1, (inner.end_lineno or inner.lineno) + 1))
    return frozenset(found)


def _bytes(line: str) -> bytes:
    return line.encode("utf-8", "surrogatepass")
