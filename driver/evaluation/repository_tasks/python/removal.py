"""A Python file without some of its classes, and without the imports that only they use."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

_LONGEST_QUOTED = 200
_WORD = re.compile(r"[^\W\d]\w*")
PLACEHOLDER = "# the class {name} belongs here\n"


def class_code(text: str, node: ast.ClassDef) -> str:
    """Return the text of a class with its decorators."""
    first, last = _span(node)
    return "".join(text.splitlines(keepends=True)[first - 1 : last])


def _span(node: ast.ClassDef) -> tuple[int, int]:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return first, node.end_lineno or node.lineno


def relatives(text: str, node: ast.ClassDef) -> list[ast.ClassDef]:
    """Return the other classes of a file with a base of this one."""
    bases = {ast.unparse(each) for each in node.bases}
    return [
        each
        for each in ast.parse(text).body
        if isinstance(each, ast.ClassDef)
        and each.name != node.name
        and bases & {ast.unparse(base) for base in each.bases}
    ]


def without_classes(
    text: str, removed: Sequence[ast.ClassDef], main: ast.ClassDef
) -> tuple[str, str]:
    """Return a file without classes, and the imports that only they use, which go too.

    A comment marks the place.

    Args:
        text: the file.
        removed: the classes.
        main: the one of them in whose place the comment stands.
    """
    lines = text.splitlines(keepends=True)
    for node in sorted(removed, key=lambda each: each.lineno, reverse=True):
        first, last = _span(node)
        mark = [PLACEHOLDER.format(name=main.name)] if node.name == main.name else []
        lines[first - 1 : last] = mark
    return _without_unused_imports("".join(lines), text)


def _without_unused_imports(text: str, original: str) -> tuple[str, str]:
    """Return a text without the imports that the original uses and it no longer, and these."""
    used, was_used = _used_names(text) | _quoted_names(text), _used_names(original)
    lines = text.splitlines(keepends=True)
    removed: list[str] = []
    body = ast.parse(text).body
    for node in reversed(body):
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or (
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
        ):
            continue
        bound = {alias.asname or alias.name.partition(".")[0]: alias for alias in node.names}
        gone = {name for name in bound if name in was_used and name not in used}
        if not gone or _shares_line(node, body):
            continue
        kept = [alias for name, alias in bound.items() if name not in gone]
        removed.append(_import([bound[name] for name in bound if name in gone], node))
        lines[node.lineno - 1 : node.end_lineno] = [_import(kept, node)] if kept else []
    return "".join(lines), "".join(reversed(removed))


def _import(names: list[ast.alias], node: ast.Import | ast.ImportFrom) -> str:
    """Return a statement that imports some names as another does."""
    is_plain = isinstance(node, ast.Import)
    made = ast.Import(names) if is_plain else ast.ImportFrom(node.module, names, node.level)
    return ast.unparse(made) + "\n"


def _shares_line(node: ast.stmt, body: Sequence[ast.stmt]) -> bool:
    """Whether another statement stands on the lines of one."""
    first, last = node.lineno, node.end_lineno or node.lineno
    return any(
        other is not node and other.lineno <= last and (other.end_lineno or other.lineno) >= first
        for other in body
    )


def _quoted_names(text: str) -> set[str]:
    """Return the words in short texts: annotations that are quoted, and names in `__all__`."""
    return {
        word
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if len(node.value) < _LONGEST_QUOTED
        for word in _WORD.findall(node.value)
    }


def _used_names(text: str) -> set[str]:
    return {
        node.id
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def without_spans(text: str, removed: Sequence[ast.ClassDef]) -> str:
    """Return a file without some classes."""
    lines = text.splitlines(keepends=True)
    for node in sorted(removed, key=lambda each: each.lineno, reverse=True):
        first, last = _span(node)
        del lines[first - 1 : last]
    return "".join(lines)
