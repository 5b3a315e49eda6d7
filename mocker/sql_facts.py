"""The SQL that stands in a slice: which tables it names, with which columns, and what it reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from .model import Border, Contact
from .runtime.sql_text import SQL_START, tables_of

_READ = re.compile(r"\b(FROM|JOIN|UPDATE)\s+[{%]", re.IGNORECASE)


def touched(border: Border, *tops: str) -> tuple[Contact, ...]:
    """The contacts with these modules; an import alone is one too."""
    imported = tuple(Contact(module, "", "", 0) for module in border.modules(*tops))
    return border.named(*tops) or imported


def trees(border: Border) -> Iterator[ast.Module]:
    """The slice as syntax: the script, and the modules that it holds as texts."""
    for file in border.sliced.files:
        if file.path.endswith(".py"):
            yield from _trees(file.content.decode("utf-8", "replace"))


def expected_tables(border: Border, *, reads_any: bool = False) -> str:
    """The statement that tells the runtime what the slice's SQL names.

    Args:
        border: of the slice.
        reads_any: that tables are read whose names do not stand in SQL of the slice.
    """
    texts = sorted(set(sql_texts(border)))
    tables = tables_of(texts)
    reads_any = reads_any or any(_READ.search(text) for text in texts)
    reads = reads_any or any(fact["read"] for fact in tables.values())
    variants = ["rows", "empty"] if reads else ["empty", "rows"]
    used = {name: fact for name, fact in sorted(tables.items()) if _tells(fact)}
    return f"expect_tables({used!r}, {reads_any!r}, {variants!r})\n"


def sql_texts(border: Border) -> Iterator[str]:
    """Every text of the slice that reads like SQL; `{}` stands for what is put in later."""
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


def _tells(fact: dict[str, Any]) -> bool:
    return bool(fact["columns"] or fact["read"] or fact["values"])
