"""Values for parameters that SQL compares with a column: those in the rows of mocked tables."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ....mocker.world.data.sample_values import sample_value
from ....mocker.world.sql.sql_text import SQL_START
from ....slicer.syntax.nodes import walk

_MARK = re.compile(r"\?|%s|\$(\d+)|%\((\w+)\)s|(?<![:\w]):([A-Za-z_]\w*)")
_COMPARED = re.compile(
    r"([A-Za-z_]\w*)[\"'`\]]?\s*(?:=|==|>=|<=|>|<|LIKE|IN\s*\()\s*$", re.IGNORECASE
)
_CONDITION = re.compile(r"\b(?:WHERE|ON|HAVING)\b", re.IGNORECASE)
_ROWS = (1, 2)
"""Numbers of the rows whose values are given."""


def sql_values(function: ast.AST, parameter: str, source: str) -> tuple[str, ...]:
    """Return literals for the parameter; none if no statement selects rows by it.

    Args:
        function: the function with the parameter.
        parameter: name of the parameter.
        source: source text with `CREATE TABLE` statements.
    """
    found: dict[str, None] = {}
    for node in walk(function):
        match node:
            case ast.Call(args=[ast.Constant(value=str(sql)), *given]) if SQL_START.match(sql):
                for column in _columns(sql, given, parameter):
                    kind = _declared(column, source)
                    found |= {repr(sample_value(column, kind, row)): None for row in _ROWS}
            case _:
                pass
    return tuple(found)


def _columns(sql: str, given: Sequence[ast.expr], parameter: str) -> Iterator[str]:
    """Yield columns that a statement's conditions compare with the parameter."""
    values: dict[int | str, ast.expr] = dict(enumerate(given))
    match given:
        case [ast.Tuple(elts=items) | ast.List(elts=items)]:
            values = dict(enumerate(items))
        case [ast.Dict(keys=keys, values=items)]:
            pairs = zip(keys, items, strict=True)
            values = {str(k.value): value for k, value in pairs if isinstance(k, ast.Constant)}
        case _:
            pass
    condition = _CONDITION.search(sql)
    for position, mark in enumerate(_MARK.finditer(sql)):
        key = int(mark[1]) - 1 if mark[1] else mark[2] or mark[3] or position
        compared = _COMPARED.search(sql, 0, mark.start())
        if condition and mark.start() > condition.start() and compared:
            match values.get(key):
                case ast.Name(id=name) if name == parameter:
                    yield compared[1]
                case _:
                    pass


def _declared(column: str, source: str) -> str:
    """Return the declared type of a column; empty if unknown."""
    for made in re.finditer(r"\bCREATE\s+TABLE\b[^;]*", source, re.IGNORECASE):
        found = re.search(rf"[(,\s\"'`]{column}[\"'`]?\s+([A-Za-z]+(?:\s*\(\d+\))?)", made[0])
        if found:
            return found[1]
    return ""
