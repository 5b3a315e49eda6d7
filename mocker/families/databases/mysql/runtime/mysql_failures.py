"""What MySQL says when a statement fails: its number, its state, and its words."""

from __future__ import annotations

import re
from typing import Any

from .....world.sql.sql_memory import RawSqlite
from .....world.sql.sql_text import Named, sql_verb
from .....world.sql.sql_translation import translated
from .mysql_text import gives_column, named_rows, names_given


class MySQLError(Exception):
    """A failure as MySQL numbers it."""

    def __init__(self, number: int, state: str, message: str) -> None:
        super().__init__(message)
        self.number, self.state = number, state


MYSQL_FAILURES = (
    (r"UNIQUE constraint failed: (\w+)\.", 1062, "23000", "Duplicate entry '{name}' for key '{key}'"),
    (r"NOT NULL constraint failed: \w+\.(\w+)", 1048, "23000", "Column '{name}' cannot be null"),
    (r"FOREIGN KEY", 1452, "23000", "Cannot add or update a child row: a foreign key constraint fails"),
    (r"CHECK constraint failed: long (\w+)", 1406, "22001", "Data too long for column '{name}' at row 1"),
    (r"CHECK constraint failed: range (\w+)", 1264, "22003",
     "Out of range value for column '{name}' at row 1"),
    (r"CHECK constraint failed: choice (\w+)", 1265, "01000",
     "Data truncated for column '{name}' at row 1"),
    (r"CHECK constraint failed: number (\w+)", 1366, "HY000",
     "Incorrect {type} value: '{value}' for column '{name}' at row 1"),
    (r"CHECK constraint failed: day (\w+)", 1292, "22007",
     "Incorrect {type} value: '{value}' for column '{name}' at row 1"),
    (r"CHECK constraint failed: (\w+)", 3819, "HY000", "Check constraint '{name}' is violated."),
    (r"no such table: (?:main\.)?(\w+)", 1146, "42S02", "Table '{schema}.{name}' doesn't exist"),
    (r"table \"?(\w+)\"? already exists", 1050, "42S01", "Table '{name}' already exists"),
    (r"no such column: \"?([\w.]+)|has no column named (\w+)", 1054, "42S22",
     "Unknown column '{name}' in 'field list'"),
    (r"ambiguous column name: ([\w.]+)", 1052, "23000", "Column '{name}' in field list is ambiguous"),
    (r"no such function: (\w+)", 1305, "42000", "FUNCTION {schema}.{name} does not exist"),
    (r"values for|but \d+ values", 1136, "21S01", "Column count doesn't match value count at row 1"),
    (r'near "(.*?)": syntax error|incomplete input|unrecognized token', 1064, "42000",
     "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server"
     " version for the right syntax to use near '{name}' at line 1"),
    (r"locked", 1205, "HY000", "Lock wait timeout exceeded; try restarting transaction"),
)  # fmt: skip


def mysql_failure(session: Any, error: Exception, sql: str, values: Any) -> MySQLError:
    """What MySQL would say where SQLite fails."""
    said = str(error)
    for pattern, number, state, message in MYSQL_FAILURES:
        found = re.search(pattern, said, re.IGNORECASE)
        if found:
            name = next(filter(None, found.groups()), "")
            parts = {"name": name, "schema": session.schema}
            if number in DETAILS:
                parts.update(DETAILS[number](session.raw, said, name, sql, values))
            nearer = _nearer(number, state, message, name, sql)
            return MySQLError(*nearer[:2], nearer[2].format(**parts))
    return MySQLError(1105, "HY000", said)


def _nearer(number: int, state: str, message: str, name: str, sql: str) -> tuple[int, str, str]:
    """Failures that SQLite does not tell apart."""
    if number == 1048 and not gives_column(sql, name):
        return 1364, "HY000", "Field '{name}' doesn't have a default value"
    if number == 1146 and sql_verb(sql) == "DROP":
        return 1051, state, "Unknown table '{schema}.{name}'"
    if number == 1452 and sql_verb(sql) == "DELETE":
        return 1451, state, message.replace("add or update a child", "delete or update a parent")
    return number, state, message


def _duplicate(connection: Any, said: str, table: str, sql: str, values: Any) -> dict[str, str]:
    """The key, and which value is there already."""
    raw = RawSqlite(connection)
    columns = re.findall(r"\.(\w+)", said)
    info = raw.execute(f'PRAGMA table_info("{table}")')
    is_primary = [row[1] for row in info if row[5]] == columns
    key = f"{table}.{'PRIMARY' if is_primary else columns[0]}"
    where = " AND ".join(f'"{column}" = ?' for column in columns)
    before: set[Any] = set()
    for row in _rows_given(connection, sql, values):
        found = tuple(row.get(column.lower()) for column in columns)
        if found in before or raw.execute(f'SELECT 1 FROM "{table}" WHERE {where}', found):
            return {"key": key, "name": "-".join(map(str, found))}
        before.add(found)
    return {"key": key, "name": ""}


def _near(_connection: Any, _said: str, token: str, sql: str, _values: Any) -> dict[str, str]:
    """Where MySQL stops reading."""
    at = sql.lower().find(token.lower()) if token else len(sql)
    return {"name": sql[max(at, 0) :][:80]}


def _unfit(connection: Any, _said: str, column: str, sql: str, values: Any) -> dict[str, str]:
    """A value that its column does not take, and of what type that is."""
    table = next(iter(Named(translated(sql)).columns), "")
    declared = dict(RawSqlite(connection).columns(table)).get(column, "").lower()
    kind = declared.partition("(")[0]
    found = [row.get(column.lower()) for row in _rows_given(connection, sql, values)]
    value = next((value for value in found if isinstance(value, str)), "")
    return {"value": value, "type": {"int": "integer", "timestamp": "datetime"}.get(kind, kind)}


def _rows_given(connection: Any, sql: str, values: Any) -> list[dict[str, Any]]:
    """The rows of an INSERT by columns, as far as the statement says them."""
    raw = RawSqlite(connection)
    table = next(iter(Named(translated(sql)).columns), "")
    names = names_given(sql) or [name for name, _ in raw.columns(table)]
    try:
        rows = raw.execute(" UNION ALL ".join(f"SELECT {row}" for row in named_rows(sql)), values)
    except connection.Error:
        return []
    return [dict(zip(map(str.lower, names), row, strict=False)) for row in rows]


DETAILS = {1062: _duplicate, 1064: _near, 1366: _unfit, 1292: _unfit}
