"""Edits inside import statements: a slice may import fewer names than the repository does.

Names on one line are cut out by position. LibCST edits statements with line breaks or comments
between the names.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence


def shortened(text: str, node: ast.Import | ast.ImportFrom, kept: Sequence[int]) -> str:
    """Return an import statement with only some of its names.

    Args:
        text: the statement's whole lines, which hold nothing else.
        node: the parsed statement.
        kept: positions of the names that stay, in order; at least one.
    """
    if node.lineno == node.end_lineno:
        return _cut(text, node.names, kept)
    try:
        from .import_formatting import with_names  # LibCST takes longer to load than many a slice

        return with_names(text, tuple(kept))
    except ImportError:  # under a Python without LibCST
        return _rewritten(text, node, kept)


def _rewritten(text: str, node: ast.Import | ast.ImportFrom, kept: Sequence[int]) -> str:
    """Return the statement on its first line, without comments; later lines stay in place."""
    indent = text[: len(text) - len(text.lstrip(" \t\f"))]
    names = [node.names[number] for number in kept]
    if isinstance(node, ast.Import):
        return f"{indent}{ast.unparse(ast.Import(names))}\n"
    head, _, tail = ast.unparse(ast.ImportFrom(node.module, names, node.level)).partition(
        " import "
    )
    return f"{indent}{head} import ({tail}" + "\n" * (text.count("\n") - 1) + ")\n"


def _cut(line: str, names: Sequence[ast.alias], kept: Sequence[int]) -> str:
    """Return a line with only some names; each but the first brings the comma before it."""
    data = line.encode()  # columns count bytes
    starts = [names[kept[0]].col_offset, *(_end(names[number - 1]) for number in kept[1:])]
    left = [data[start : _end(names[number])] for start, number in zip(starts, kept, strict=True)]
    return b"".join((data[: names[0].col_offset], *left, data[_end(names[-1]) :])).decode()


def _end(name: ast.alias) -> int:
    return name.end_col_offset or 0


def narrowed(text: str, names: Sequence[str]) -> str:
    """Return a star import that imports these names instead."""
    head, _, tail = text.partition("*")
    space = " " if head[-1:].isalpha() else ""
    return f"{head}{space}{', '.join(names)}{tail}"
