"""SQL databases that live as long as the script: tables and rows come into being when asked for."""

from __future__ import annotations

import contextlib
import copy
import gc
import io
import os
import re
import tempfile
import weakref
from os import unlink as unlink_file
from typing import Any

from ..core.world import chosen, restart_with, undo_with
from ..data.sample_values import sample_value
from .sql_text import Named, add_named, sql_verb

__all__ = ["rows_left"]  # what cases may call

# the real ones: mocked files replace both, and empty their folder for each case
_real_open = io.open
_sql_folder = tempfile.gettempdir()
SQL_NOW = "2026-01-31 12:00:00"


class SqlWorld:
    """What is known of the databases from the texts of the slice."""

    tables: dict[str, dict[str, Any]] = {}
    variants: dict[str, bool] = {"default": True, "empty": False}
    read_any = False
    databases: dict[str, SqlDatabase] = {}
    every: Any = weakref.WeakSet()
    is_kept = False

    @classmethod
    def begin_anew(cls) -> None:
        """Bring back the contents that each database had before the first case."""
        for database in sorted(cls.every, key=lambda each: each.file):
            if cls.is_kept:
                database.begin_anew()
            else:
                database.keep()
        cls.is_kept = True


restart_with(SqlWorld.begin_anew)


def expect_tables(tables: dict[str, dict[str, Any]], read_any: bool, variants: list[str]) -> None:
    """Say what the slice's SQL names, and which worlds the case can choose."""
    for name, fact in tables.items():
        SqlWorld.tables.setdefault(name, fact)
    SqlWorld.read_any = SqlWorld.read_any or read_any
    rows = {"default": variants[0] == "rows", "rows": True, "empty": False}
    SqlWorld.variants = {"default": rows["default"], **{name: rows[name] for name in variants}}


class SqlDatabase:
    """One database: a SQLite file that nobody else knows of."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.file = os.path.join(
            _sql_folder, f"slice-func-{os.getpid()}-{id(self)}-{len(SqlWorld.databases)}"
        )
        self.made: set[str] = set()
        self.settled: set[str] = set()
        self.own: set[str] = set()
        self.is_local = False
        self.numbers: dict[str, int] = {}
        self.connection: Any = None
        self._first: Any = None
        self._can_begin_anew = True
        self._version = b""
        self._known = self._knowledge()
        SqlWorld.every.add(self)
        for ending in ("", "-journal", "-wal", "-shm"):
            undo_with(_remove, self.file + ending)

    def keep(self) -> None:
        """Keep the contents, for `begin_anew`."""
        import sqlite3

        self._known = self._knowledge()
        self._version = self._changes()
        try:
            with self._opened() as source:
                if source is not None:
                    self._first = _copied_database(source)
        except sqlite3.Error:
            self._can_begin_anew = False

    def begin_anew(self) -> None:
        """Bring back the contents that were kept; it is empty if it was not there then.

        It stays as it is if SQLite cannot copy it, or while another transaction holds it.
        """
        if not self._can_begin_anew:
            return
        vars(self).update(copy.deepcopy(self._known))
        if self.connection is None and self._changes() == self._version:
            return
        is_back = self._bring_back()
        if not is_back:
            gc.collect()  # a session that is garbage ends its transaction
            is_back = self._bring_back()
        if is_back:
            self._version = self._changes()

    def _bring_back(self) -> bool:
        """Write the contents that were kept; whether no transaction stood against it."""
        import sqlite3

        first = self._first or sqlite3.Connection(":memory:")
        try:
            with self._opened() as target:
                if target is not None:
                    if target.in_transaction:
                        sqlite3.Connection.rollback(target)
                    raw = RawSqlite(target)  # a copy would wait for ever for another transaction
                    raw.execute("BEGIN EXCLUSIVE")
                    raw.execute("ROLLBACK")
                    sqlite3.Connection.backup(first, target)
        except sqlite3.Error:
            return False
        return True

    @contextlib.contextmanager
    def _opened(self) -> Any:
        """A connection to it; `None` if there is nothing yet."""
        import sqlite3

        if self.connection is not None:
            yield self.connection()
        elif not self._changes():
            yield None
        else:
            opened = sqlite3.Connection(self.file, timeout=0)
            try:
                yield opened
            finally:
                opened.close()

    def _changes(self) -> bytes:
        """SQLite's own count of changes, from the head of the file."""
        try:
            with _real_open(self.file, "rb") as file:
                head = file.read(28)
        except OSError:
            return b""
        return head[24:] if head[18:20] != b"\2\2" else os.urandom(8)

    def _knowledge(self) -> dict[str, Any]:
        """What is known of its tables."""
        names = ("made", "settled", "own", "is_local", "numbers")
        return {name: copy.deepcopy(vars(self)[name]) for name in names}

    def prepare_script(self, connection: Any, script: str) -> None:
        """The same for several statements; what an earlier one makes is there for those below."""
        made: set[str] = set()
        for part in script.split(";"):
            self.prepare(connection, part, made)
            made |= {name.lower() for name in Named(part).created}

    def prepare(self, connection: Any, sql: str, made: Any = ()) -> None:
        """See that a statement finds the tables that it names, and rows in those that it reads.

        A table that the slice makes itself in a file is empty as a rule, since the file is new.
        """
        verb = sql_verb(sql)
        if verb in ("PRAGMA", "ALTER", "DROP", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT"):
            return
        named = Named(sql)
        may_exist = re.search(r"\bIF\s+NOT\s+EXISTS\b", sql, re.IGNORECASE)
        if named.created and (self.name in ("", ":memory:") or not may_exist):
            self.settled |= {name.lower() for name in named.created}  # it is new, and empty
        elif self.is_local:
            self.own |= {name.lower() for name in named.created}
        if not named.columns or named.created:
            return
        raw = RawSqlite(connection)
        before = raw.in_transaction
        for table in named.columns:
            if table.lower() not in made:
                self._need(raw, table, named)
        if not before and raw.in_transaction:
            raw.commit()

    def _need(self, raw: RawSqlite, table: str, named: Named) -> None:
        name = table.lower()
        if name.startswith(("sqlite_", "pragma_", "json_")):
            return
        there = raw.columns(table)
        if not there:
            if raw.is_known(table):
                return
            self._create(raw, table, named)
            there = raw.columns(table)
        if name not in self.made and (raw.is_view(table) or self.name in ("", ":memory:")):
            return  # the slice has made it, and filled it as far as it is filled
        if name in self.made:
            known = {column.lower() for column, _ in there}
            for column in named.columns[table]:
                if column.lower() not in known and column.lower() not in ("rowid", "oid"):
                    kind = " NUM_INT" if column.lower() in named.numbers else ""
                    raw.execute(f"ALTER TABLE {_quoted(table)} ADD COLUMN {_quoted(column)}{kind}")
        if name not in self.settled:
            self.settled.add(name)
            fact = SqlWorld.tables.get(name, {})
            read = SqlWorld.read_any or fact.get("read", table in named.reads)
            worlds = SqlWorld.variants
            if name in self.own:
                worlds = {**worlds, "default": False}
            if read and chosen("database", worlds):
                add_rows(raw, table)

    def _create(self, raw: RawSqlite, table: str, named: Named) -> None:
        """A table with every column that the slice's own SQL names."""
        facts = {table.lower(): _copied(SqlWorld.tables.get(table.lower()))}
        if facts[table.lower()] is None:
            facts = {}
        add_named(facts, named)
        fact = facts[table.lower()]
        self.made.add(table.lower())
        if "made" in fact and _makes(raw, fact["made"], table):
            return
        columns = [name for name in fact["columns"] if name.lower() not in ("rowid", "oid")]
        if not columns and not fact["values"]:
            columns = ["id", "name"]
        columns += [f"column{number + 1}" for number in range(len(columns), fact["values"])]
        parts = [_column(name, name.lower() in fact["numbers"]) for name in columns]
        parts += [
            f"UNIQUE ({', '.join(map(_quoted, key))})"
            for key in fact["unique"]
            if key != ["id"] and {name.lower() for name in key} <= {c.lower() for c in columns}
        ]
        raw.execute(f"CREATE TABLE {_quoted(table)} ({', '.join(parts)})")


class RawSqlite:
    """The methods of a SQLite connection, whatever a subclass makes of them."""

    def __init__(self, connection: Any) -> None:
        import sqlite3

        self.connection, self._class = connection, sqlite3.Connection

    @property
    def in_transaction(self) -> bool:
        """Whether changes wait for a commit."""
        return self.connection.in_transaction

    def execute(self, sql: str, values: Any = ()) -> list[Any]:
        """Run one statement, and give its rows as tuples."""
        import sqlite3

        cursor = sqlite3.Cursor(self.connection)
        cursor.row_factory = None
        sqlite3.Cursor.execute(cursor, sql, values)
        found = sqlite3.Cursor.fetchall(cursor)
        sqlite3.Cursor.close(cursor)
        return found

    def commit(self) -> None:
        """Commit."""
        self._class.commit(self.connection)

    def columns(self, table: str) -> list[tuple[str, str]]:
        """Name and declared type of each column; empty where there is no such table."""
        found = self.execute(f"PRAGMA table_info({_quoted(table)})")
        return [(row[1], row[2] or "") for row in found]

    def is_view(self, table: str) -> bool:
        """Whether it is a view of other tables."""
        sql = "SELECT 1 FROM sqlite_master WHERE type = 'view' AND lower(name) = lower(?)"
        return bool(self.execute(sql, (table,)))

    def is_known(self, table: str) -> bool:
        """Whether it is a virtual table or a function that gives rows."""
        try:
            self.execute(f"SELECT 1 FROM {_quoted(table)} LIMIT 0")
        except Exception:
            return False
        return True


def _copied_database(source: Any) -> Any:
    """A copy in memory, with what is not committed."""
    import sqlite3

    made = sqlite3.Connection(":memory:", check_same_thread=False)
    if source.in_transaction:
        _copy_tables(RawSqlite(source), RawSqlite(made))  # SQLite copies only what is committed
    else:
        RawSqlite(source).execute("SELECT 1 FROM sqlite_master LIMIT 1")  # or fails if it is locked
        sqlite3.Connection.backup(source, made)
    return made


def _copy_tables(source: RawSqlite, target: RawSqlite) -> None:
    """Copy tables with their rows, indexes and views."""
    made = source.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    for kind, name, sql in sorted(made, key=lambda each: each[0] != "table"):
        target.execute(sql)
        rows = source.execute(f"SELECT * FROM {_quoted(name)}") if kind == "table" else []
        for row in rows:
            target.execute(f"INSERT INTO {_quoted(name)} VALUES ({', '.join('?' * len(row))})", row)
    target.commit()


def add_rows(raw: RawSqlite, table: str, rows: int = 3) -> None:
    """A few rows of the kinds that the columns ask for, if there are none."""
    if raw.execute(f"SELECT 1 FROM {_quoted(table)} LIMIT 1"):
        return
    columns = raw.columns(table)
    names = ", ".join(_quoted(name) for name, _ in columns)
    marks = ", ".join("?" for _ in columns)
    raw.execute("PRAGMA ignore_check_constraints = ON")
    for number in range(1, rows + 1):
        values = [sample_value(name, declared, number) for name, declared in columns]
        with contextlib.suppress(raw.connection.IntegrityError):  # it has no parent
            raw.execute(
                f"INSERT OR IGNORE INTO {_quoted(table)} ({names}) VALUES ({marks})", values
            )
    raw.execute("PRAGMA ignore_check_constraints = OFF")


def sql_database(name: str) -> SqlDatabase:
    """The database of this name, for the life of the script."""
    if name not in SqlWorld.databases:
        SqlWorld.databases[name] = SqlDatabase(name)
    return SqlWorld.databases[name]


def rows_left() -> dict[str, dict[str, list[Any]]]:
    """The committed rows of every table of every database, for whoever compares states."""
    import sqlite3

    left: dict[str, dict[str, list[Any]]] = {}
    for name, database in SqlWorld.databases.items():
        connection = sqlite3.Connection(database.file)
        raw = RawSqlite(connection)
        tables = raw.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        left[name] = {
            table: raw.execute(f"SELECT * FROM {_quoted(table)} ORDER BY rowid")
            for (table,) in sorted(tables)
        }
        connection.close()
    return left


def fix_clock(connection: Any) -> None:
    """Make the moment that SQLite calls `now` always the same."""
    import sqlite3

    plain = sqlite3.Connection(":memory:", check_same_thread=False)

    def fixed(function: str, skipped: int) -> Any:
        def call(*arguments: Any) -> Any:
            given = list(arguments) if len(arguments) > skipped else [*arguments, "now"]
            given = [SQL_NOW if value == "now" else value for value in given]
            marks = ", ".join("?" for _ in given)
            return RawSqlite(plain).execute(f"SELECT {function}({marks})", given)[0][0]

        return call

    for function in ("datetime", "date", "time", "julianday"):
        connection.create_function(function, -1, fixed(function, 0))
    connection.create_function("strftime", -1, fixed("strftime", 1))
    connection.create_function("current_timestamp", 0, lambda: SQL_NOW)
    connection.create_function("current_date", 0, lambda: SQL_NOW[:10])
    connection.create_function("current_time", 0, lambda: SQL_NOW[11:])
    connection.create_function("random", 0, lambda: 42)


def _makes(raw: RawSqlite, sql: str, table: str) -> bool:
    """Whether the repository's own statement makes the table."""
    try:
        raw.execute(sql)
    except Exception:
        return False
    return bool(raw.columns(table))


def _column(name: str, is_number: bool) -> str:
    if name.lower() == "id":
        return f"{_quoted(name)} INTEGER PRIMARY KEY"
    return f"{_quoted(name)} NUM_INT" if is_number else _quoted(name)


def _copied(fact: dict[str, Any] | None) -> Any:
    return fact and {
        key: list(value) if isinstance(value, list) else value for key, value in fact.items()
    }


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _remove(file: str) -> None:
    if os.path.exists(file):
        unlink_file(file)
