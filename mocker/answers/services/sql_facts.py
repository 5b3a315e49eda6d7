"""The SQL in a slice: the tables and columns that it names, and what it reads."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from typing import Any

from ....slicer.errors import SourceError
from ...contacts import Border
from ...world.sql.sql_text import SQL_START, tables_of

_MAKES = re.compile(
    r"\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[`\"\[]?(\w+)[`\"\]]?\s*\(", re.IGNORECASE
)
_READ = re.compile(r"\b(FROM|JOIN|UPDATE)\s+[{%]", re.IGNORECASE)


def trees(border: Border) -> Iterator[ast.Module]:
    """Yield the syntax trees of the slice: of the script, and of modules embedded as texts."""
    for file in border.sliced.files:
        if file.path.endswith(".py"):
            yield from _trees(file.content.decode("utf-8", "replace"))


def expected_tables(border: Border, *, reads_any: bool = False, keeps_sql: bool = False) -> str:
    """Return the statement that tells the runtime about the slice's SQL.

    Args:
        border: the border of the slice.
        reads_any: whether it reads tables that its SQL does not name.
        keeps_sql: whether the repository's own statements can create the tables.
    """
    texts = sorted(set(sql_texts(border)))
    tables = tables_of(texts)
    reads_any = reads_any or any(_READ.search(text) for text in texts)
    reads = reads_any or any(fact["read"] for fact in tables.values())
    variants = ["rows", "empty"] if reads else ["empty", "rows"]
    used = {name: fact for name, fact in sorted(tables.items()) if _tells(fact)}
    for name, sql in _made_elsewhere(border, set(used)) if keeps_sql and used else ():
        used[name]["made"] = sql
    return f"expect_tables({used!r}, {reads_any!r}, {variants!r})\n"


def sql_texts(border: Border) -> Iterator[str]:
    """Yield every text of the slice that looks like SQL, with `{}` for parts filled in later."""
    for tree in trees(border):
        for node in ast.walk(tree):
            text = _text(node)
            if text and SQL_START.match(text):
                yield text


def _trees(source: str) -> Iterator[ast.Module]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    yield tree
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as text) if "\n" in text and "import " in text:
                yield from _trees(text)
            case _:
                pass


def _text(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(value) or "{}" for value in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first = _text(left)
            return None if first is None else first + (_text(right) or "{}")
        case _:
            return None


def _made_elsewhere(border: Border, tables: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the repository's statements for these tables, from files outside the slice."""
    texts = [text for path in border.repository.files(".sql") for text in _read(border, path)]
    for path in border.repository.files(".py"):
        if any(_MAKES.search(text) for text in _read(border, path)):
            try:
                tree = border.repository.source(path).tree
            except SourceError:
                continue
            texts += [text for node in ast.walk(tree) if (text := _constant(node))]
    for text in texts:
        for found in _MAKES.finditer(text):
            name = found[1].lower()
            sql = _to_closing(text, found.start(), found.end() - 1)
            if name in tables and sql:
                tables.remove(name)
                yield name, sql


def _read(border: Border, path: str) -> Iterator[str]:
    with contextlib.suppress(OSError):
        yield border.repository.read_data(path).decode("utf-8", "replace")


def _constant(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _to_closing(text: str, start: int, opening: int) -> str:
    """Return a statement up to the bracket that closes the opening one."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return text[start : at + 1]
    return ""


def _tells(fact: dict[str, Any]) -> bool:
    return bool(fact["columns"] or fact["read"] or fact["values"])
