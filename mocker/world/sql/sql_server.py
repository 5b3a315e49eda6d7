"""A SQL server in memory: what every fake driver of PostgreSQL and MySQL stands on."""

from __future__ import annotations

import re
import threading
from typing import Any

from ..core.plain_data import plain_values
from ..core.world import choices, chosen_name, record
from .sql_functions import server_functions
from .sql_memory import RawSqlite, SqlWorld, sql_database
from .sql_rows import typed_rows
from .sql_text import sql_verb
from .sql_translation import sqlite_values, translated

PLAIN_MARK = re.compile(r"%(?:\((\w+)\))?s|%%")


class ServerResult:
    """What a statement gave."""

    def __init__(
        self, columns: list[str], rows: list[Any], count: int, last: Any, verb: str
    ) -> None:
        self.columns, self.rows, self.count, self.last, self.verb = columns, rows, count, last, verb
        self.sql = self.said = ""

    @property
    def status(self) -> str:
        """What PostgreSQL says when it is done, as `INSERT 0 1`."""
        if self.verb == "INSERT":
            return f"INSERT 0 {max(self.count, 0)}"
        if self.verb in ("UPDATE", "DELETE", "SELECT"):
            return f"{self.verb} {max(self.count, 0)}"
        return self.verb


class ServerSession:
    """One connection to a server: transactions, translation, and rows of the declared types.

    Args:
        name: address of the database, without a password.
        raises: gives the driver's own exception for a kind of failure and a message.
        types: conversions by kind: bool, datetime, date, time, decimal, json, uuid, array, bytes.
        is_postgres: whether a failure spoils the rest of the transaction, among other things.
    """

    def __init__(self, name: str, raises: Any, types: dict[str, Any], *, is_postgres: bool) -> None:
        import sqlite3

        self.name, self.raises, self.types, self.is_postgres = name, raises, types, is_postgres
        self.database = sql_database(name)
        self.raw = sqlite3.Connection(
            self.database.file, isolation_level=None, check_same_thread=False, timeout=1
        )
        server_functions(self.raw)
        if is_postgres:
            RawSqlite(self.raw).execute("PRAGMA case_sensitive_like = ON")
        self.autocommit = False
        self.begun = self.failed = self.closed = False
        self.lock = threading.RLock()

    def run(self, sql: str, values: Any = None, style: str = "format") -> ServerResult:
        """Run one statement as the slice gave it."""
        with self.lock:
            return self._run(sql, values, style)

    def _run(self, sql: str, values: Any, style: str) -> ServerResult:
        if self.closed:
            raise self.raises("closed", "connection already closed")
        said = [sql, plain_values(values)] if values else [sql, []]
        record("query", self.name, *said)
        verb = sql_verb(sql)
        if verb in ("COMMIT", "END") or (verb == "ROLLBACK" and " TO " not in sql.upper()):
            self._end(verb)
            return ServerResult([], [], -1, None, verb)
        if verb == "ROLLBACK":
            self.failed = False
        if self.failed:
            raise self.raises(
                "failed",
                "current transaction is aborted, commands ignored until end of transaction block",
            )
        try:
            return self._execute(sql, values, style, verb)
        except Exception as error:
            self.failed = self.is_postgres and self.begun
            kind, message = failure(error)
            if not kind:
                raise
            raise self.raises(kind, message) from None

    def _execute(self, sql: str, values: Any, style: str, verb: str) -> ServerResult:
        if style == "format":
            sql, values = bound(sql, values, is_postgres=self.is_postgres)
        else:
            values = list(values or [])
        text = translated(sql, style=style if values else "plain")
        if sql_verb(text) not in ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK"):
            self.database.prepare(self.raw, text)
        if verb in ("BEGIN", "START"):
            self.begun, is_begin = True, not self.raw.in_transaction
            text = "BEGIN" if is_begin else "SELECT 1 WHERE 0"
        elif not self.begun and not self.autocommit:
            self.begun = True
            RawSqlite(self.raw).execute("BEGIN")
        result = self._rows(text, values, verb)
        if not self.is_postgres and verb in ("CREATE", "ALTER", "DROP", "TRUNCATE"):
            self._end("COMMIT")  # MySQL commits of itself where tables change
        return result

    def _rows(self, text: str, values: Any, verb: str) -> ServerResult:
        cursor = self.raw.cursor()
        statements = [part for part in split_statements(text) if part.strip()]
        if not statements and self.is_postgres:
            raise self.raises("empty", "can't execute an empty query")
        for part in statements[:-1]:
            self.database.prepare(self.raw, part)
            cursor.execute(part)
        cursor.execute(statements[-1], sqlite_values(values))
        columns = [part[0] for part in cursor.description or ()]
        if text == "SELECT 1 WHERE 0":
            columns = []
        found = cursor.fetchall()
        count = len(found) if columns else cursor.rowcount
        last = cursor.lastrowid
        rows = typed_rows(self.raw, self.types, text, columns, found) if columns else []
        if self.is_postgres:
            columns = [server_name(name) for name in columns]
        return ServerResult(columns, rows, count, last, verb)

    def commit(self) -> None:
        """What the method of the driver does."""
        if self.begun:
            record("query", self.name, "COMMIT", [])
            self._end("ROLLBACK" if self.failed else "COMMIT")

    def rollback(self) -> None:
        """What the method of the driver does."""
        if self.begun:
            record("query", self.name, "ROLLBACK", [])
            self._end("ROLLBACK")

    def close(self) -> None:
        """Close; what is not committed is lost."""
        if not self.closed:
            if self.raw.in_transaction:
                RawSqlite(self.raw).execute("ROLLBACK")
            self.closed = True
            self.raw.close()

    def _end(self, how: str) -> None:
        self.begun = self.failed = False
        if self.raw.in_transaction:
            RawSqlite(self.raw).execute(how if how != "END" else "COMMIT")


def server_name(column: str) -> str:
    """The name that PostgreSQL gives to a column that has none of its own."""
    call = re.match(r"(\w+)\s*\(", column)
    if call:
        return {"datetime": "?column?", "json_group_array": "array_agg"}.get(
            call[1].lower(), call[1].lower()
        )
    return column if re.fullmatch(r"[^\W\d][\w$ ?]*", column) else "?column?"


def bound(sql: str, values: Any, *, is_postgres: bool) -> tuple[str, Any]:
    """A statement whose tuples are spelt out, as `IN %s`."""
    if not values:
        return sql, []
    if isinstance(values, dict):
        return sql, values
    if not isinstance(values, (list, tuple)):
        values = [values]
    spread = (tuple, set, frozenset) if is_postgres else (tuple, list, set, frozenset)
    if not any(isinstance(value, spread) for value in values):
        return sql, list(values)
    rest, flat = iter(values), []

    def spelt(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return found[0]
        value = next(rest)
        if isinstance(value, spread):
            flat.extend(value)
            return "(" + ", ".join("%s" for _ in value) + ")"
        flat.append(value)
        return found[0]

    return PLAIN_MARK.sub(spelt, sql), flat


def split_statements(sql: str) -> list[str]:
    """The statements of a text, one by one."""
    if ";" not in sql:
        return [sql]
    parts, current = [], ""
    for found in re.finditer(r"'(?:[^']|'')*'|\"[^\"]*\"|;|[^;'\"]+|['\"]", sql):
        if found[0] == ";":
            parts.append(current)
            current = ""
        else:
            current += found[0]
    return [part for part in [*parts, current] if part.strip()] or [sql]


def failure(error: Exception) -> tuple[str, str]:
    """The kind of a failure of SQLite, and a message; no kind for what is no failure of SQL."""
    import sqlite3

    if not isinstance(error, sqlite3.Error):
        return "", ""
    message = str(error)
    kinds = (
        ("unique", "UNIQUE constraint failed|PRIMARY KEY"), ("null", "NOT NULL constraint failed"),
        ("foreign", "FOREIGN KEY"), ("check", "CHECK constraint"), ("table", "no such table"),
        ("exists", "already exists"), ("column", "no such column|has no column"),
        ("syntax", "syntax error|incomplete input|unrecognized token"),
        ("function", "no such function"), ("locked", "locked"),
        ("values", "binding|bindings|values for"),
    )  # fmt: skip
    kind = next((kind for kind, pattern in kinds if re.search(pattern, message)), "other")
    if kind == "unique":
        named = re.search(r"failed: (\w+)\.(\w+)", message)
        if named:
            message = f'duplicate key value violates unique constraint "{named[1]}_{named[2]}_key"'
    return kind, message


def refuse_connections() -> None:
    """Raise what a case wants instead of a connection to a server."""
    name = choices.get("database", "default")
    if chosen_name("database", name, *SqlWorld.variants, "connection") == "connection":
        raise ConnectionRefusedError(111, "Connection refused")


def server_address(scheme: str, default_port: int, dsn: Any, options: dict[str, Any]) -> str:
    """Where a connection leads, without user and password."""
    given = {key: value for key, value in options.items() if value is not None}
    text = str(dsn or "")
    if "://" in text:
        rest = text.partition("://")[2]
        host, _, database = rest.partition("/")
        given.setdefault("host", host.rpartition("@")[2].partition(":")[0])
        port = host.rpartition("@")[2].partition(":")[2]
        given.setdefault("port", port or default_port)
        given.setdefault("database", database.partition("?")[0])
    else:
        for key, value in re.findall(r"(\w+)\s*=\s*('[^']*'|\S+)", text):
            given.setdefault(key, value.strip("'"))
    database = given.get("dbname") or given.get("database") or given.get("db") or given.get("user")
    host, port = given.get("host") or "localhost", given.get("port") or default_port
    return f"{scheme}://{host}:{port}/{database or ''}"


def composed(sql: Any) -> Any:
    """The text of SQL that was put together from pieces, as by `psycopg2.sql`."""
    if isinstance(sql, (bytes, bytearray)):
        return bytes(sql).decode()
    if isinstance(sql, str) or not hasattr(sql, "as_string"):
        return sql
    name = type(sql).__name__
    inner = getattr(sql, "_wrapped", None)
    if inner is None:
        inner = getattr(sql, "_obj", "")
    if name == "Composed":
        return "".join(composed(part) for part in inner)
    if name == "Identifier":
        return ".".join('"' + part.replace('"', '""') + '"' for part in inner)
    if name == "Placeholder":
        return f"%({inner})s" if inner else "%s"
    return str(inner) if name == "SQL" else sql_literal(inner)


def sql_literal(value: Any) -> str:
    """A value as it is written in SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"X'{bytes(value).hex()}'"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(sql_literal, value)) + ")"
    (stored,) = sqlite_values([value])
    return (
        sql_literal(stored)
        if not isinstance(stored, str)
        else "'" + stored.replace("'", "''") + "'"
    )
