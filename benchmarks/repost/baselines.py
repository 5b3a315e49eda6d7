"""The dependency contexts that the data set brings along, made into scripts.

They are what another slicer (R2E's, as RepoST used it) found: the measure to beat, on the same
targets, in the same run.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .data.examples import Example


def concatenated(example: Example) -> str:
    """The fragments one after the other, as they are."""
    return "\n\n".join(f"## {path}\n{text}" for path, text in example.fragments().items())


def stripped(example: Example, local: frozenset[str]) -> str:
    """The same without imports of the repository's own modules, `__future__` imports first."""
    text = concatenated(example)
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    lines = text.splitlines(keepends=True)
    future: set[str] = set()
    for statement in _imports(tree):
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            future.update(alias.name for alias in statement.names)
            _replace(lines, statement, "pass")
        elif (kept := _without_local(statement, local)) is not statement:
            _replace(lines, statement, ast.unparse(kept) if kept else "pass")
    hoisted = f"from __future__ import {', '.join(sorted(future))}\n" if future else ""
    return hoisted + "".join(lines)


def _imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def _without_local(
    statement: ast.Import | ast.ImportFrom, local: frozenset[str]
) -> ast.Import | ast.ImportFrom | None:
    """The statement itself if nothing in it is local, what is left of it, or nothing."""
    if isinstance(statement, ast.ImportFrom):
        own = statement.level > 0 or (statement.module or "").partition(".")[0] in local
        return None if own else statement
    names = [alias for alias in statement.names if alias.name.partition(".")[0] not in local]
    if len(names) == len(statement.names):
        return statement
    return ast.Import(names=names) if names else None


def _replace(lines: list[str], statement: ast.stmt, text: str) -> None:
    """Put a text in place of a statement, the number of lines unchanged."""
    first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
    head = lines[first].encode()[: statement.col_offset].decode()
    tail = lines[last].encode()[statement.end_col_offset :].decode()
    for number in range(first, last + 1):
        lines[number] = "\n"
    lines[first] = head + text + tail
