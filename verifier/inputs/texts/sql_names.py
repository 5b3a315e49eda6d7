"""Names of tables and columns for parameters that are formatted into SQL."""

from __future__ import annotations

import ast
import re

from ....slicer.syntax.nodes import walk

_TABLE = re.compile(r"CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[\"'`]?(\w+)[\"'`]?\s*\(([^;]*?)\)",
                    re.IGNORECASE | re.DOTALL)  # fmt: skip
_BEFORE_TABLE = re.compile(r"\b(?:FROM|INTO|UPDATE|TABLE|JOIN)\s+[\"'`]?$", re.IGNORECASE)
_BEFORE_COLUMN = re.compile(r"\b(?:SELECT|WHERE|SET|BY|AND)\s+[\"'`]?$", re.IGNORECASE)
_FROM = re.compile(r"\b(?:FROM|INTO|UPDATE)\s+[\"'`]?(\w+)", re.IGNORECASE)


def sql_name(function: ast.AST, parameter: str, source: str) -> str | None:
    """Return the table or column that a parameter can name, or `None`.

    Args:
        function: the function with the parameter.
        parameter: name of the parameter.
        source: source text with `CREATE TABLE` statements.
    """
    for node in walk(function):
        if not isinstance(node, ast.JoinedStr):
            continue
        before = ""
        text = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        for part in node.values:
            match part:
                case ast.Constant(value=str(piece)):
                    before += piece
                case ast.FormattedValue(value=ast.Name(id=name)) if name == parameter:
                    found = _fitting(before, text, _tables(source))
                    if found:
                        return found
                case _:
                    before = ""
    return None


def _fitting(before: str, text: str, tables: dict[str, list[str]]) -> str | None:
    if not tables:
        return None
    if _BEFORE_TABLE.search(before):
        return next(iter(tables))
    if _BEFORE_COLUMN.search(before):
        named = _FROM.search(text)
        columns = tables.get(named[1], []) if named else next(iter(tables.values()))
        return columns[0] if columns else None
    return None


def _tables(source: str) -> dict[str, list[str]]:
    """Map each table to its columns, by the statements that create it."""
    found: dict[str, list[str]] = {}
    # escaped line ends in a literal, and line continuations, count as blanks
    for name, body in _TABLE.findall(re.sub(r"\\[ntr\n]", " ", source)):
        firsts = (re.search(r"[A-Za-z_]\w*", part) for part in body.split(","))
        found.setdefault(name, [first[0] for first in firsts if first])
    return found
