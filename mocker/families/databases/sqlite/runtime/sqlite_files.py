"""Databases of `sqlite3`: real ones, in files that the script never sees."""

from __future__ import annotations

import re
import sys
import weakref
from typing import Any

from .....world.core.plain_data import plain_values
from .....world.core.world import record, replace, undo_with
from .....world.sql.sql_memory import SqlWorld, fix_clock, sql_database
from .....world.sql.sql_text import sql_verb

# tools that keep books of their own beside the script
SQLITE_TOOLS = frozenset({"coverage", "hypothesis", "IPython"})
ATTACHED = re.compile(r"(\bATTACH\s+(?:DATABASE\s+)?)('[^']*'|\"[^\"]*\")", re.I)


def answer_sqlite() -> None:
    """Open a database of the script's own for every name that is asked for."""
    import sqlite3
    import sqlite3.dbapi2

    class RecordingCursor(sqlite3.Cursor):
        """A cursor that records, and finds the tables that it needs."""

        def execute(self, sql: Any, parameters: Any = (), /) -> Any:
            sql = self._ready(sql, parameters)
            return super().execute(sql, parameters)

        def executemany(self, sql: Any, parameters: Any, /) -> Any:
            rows = list(parameters)
            sql = self._ready(sql, rows)
            return super().executemany(sql, rows)

        def executescript(self, script: Any, /) -> Any:
            record("query", self.connection.slice_func_name, script, [])
            self.connection.slice_func_database.prepare_script(self.connection, str(script))
            return super().executescript(_attached(script))

        def _ready(self, sql: Any, values: Any) -> Any:
            if not isinstance(sql, str):
                return sql
            record("query", self.connection.slice_func_name, sql, plain_values(values))
            self._prepare(sql)
            return _attached(sql)

        def _prepare(self, sql: str) -> None:
            database = self.connection.slice_func_database
            if sql_verb(sql) not in ("", "ATTACH", "DETACH"):
                database.prepare(self.connection, sql)

    class RecordingConnection(sqlite3.Connection):
        """A connection that records, and finds the tables that it needs."""

        slice_func_name = ":memory:"
        slice_func_database: Any = None

        def cursor(self, factory: Any = RecordingCursor) -> Any:
            if not (isinstance(factory, type) and issubclass(factory, RecordingCursor)):
                factory = type(factory.__name__, (RecordingCursor, factory), {})
            return super().cursor(factory)

        def execute(self, sql: Any, parameters: Any = (), /) -> Any:
            return self.cursor().execute(sql, parameters)

        def executemany(self, sql: Any, parameters: Any, /) -> Any:
            return self.cursor().executemany(sql, parameters)

        def executescript(self, script: Any, /) -> Any:
            return self.cursor().executescript(script)

        def commit(self) -> None:
            self._record_end("COMMIT")
            super().commit()

        def rollback(self) -> None:
            self._record_end("ROLLBACK")
            super().rollback()

        def __exit__(self, kind: Any, error: Any, trace: Any) -> Any:
            self._record_end("COMMIT" if kind is None else "ROLLBACK")
            return super().__exit__(kind, error, trace)

        def _record_end(self, what: str) -> None:
            if self.in_transaction:
                record("query", self.slice_func_name, what)

    real = sqlite3.connect

    def connect(database: Any, *arguments: Any, **options: Any) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "")
        is_known = any(database == each.file for each in SqlWorld.databases.values())
        if is_known or caller.partition(".")[0] in SQLITE_TOOLS:
            return real(database, *arguments, **options)
        options |= dict(zip(SQLITE_OPTIONS, arguments, strict=False))
        factory = options.get("factory", sqlite3.Connection)
        if not issubclass(factory, RecordingConnection):
            bases = (RecordingConnection, factory)
            if factory is sqlite3.Connection:
                bases = (RecordingConnection,)
            factory = type(factory.__name__, bases, {"__module__": factory.__module__})
        name = sqlite_name(database)
        opened = sql_database(name)
        file = opened.file if name not in ("", ":memory:") else ":memory:"
        if file == ":memory:":
            opened = type(opened)(name)
            if "site-packages" not in sys._getframe(1).f_code.co_filename:
                record("connect", ":memory:")  # the slice opened it, no library
        connection = real(file, **{**options, "factory": factory, "uri": True})
        connection.slice_func_name, connection.slice_func_database = name, opened
        if file == ":memory:":
            opened.connection = weakref.ref(connection)
        opened.is_local = True
        _mark_made(name)
        fix_clock(connection)
        return connection

    replace(sqlite3, "connect", connect)
    replace(sqlite3.dbapi2, "connect", connect)


SQLITE_OPTIONS = (
    "timeout detect_types isolation_level check_same_thread factory cached_statements uri".split()
)


def _mark_made(name: str) -> None:
    """A file where the program looks for its database; it is empty, what is in it lies elsewhere."""
    import os

    folder = os.path.dirname(name) or "."
    if name not in ("", ":memory:") and os.path.isdir(folder) and not os.path.exists(name):
        try:
            with open(name, "ab"):
                undo_with(_unmark, name)
        except OSError:
            return


def _unmark(name: str) -> None:
    import os

    try:
        if not os.path.getsize(name):
            os.unlink(name)
    except OSError:
        return


def sqlite_name(database: Any) -> str:
    """What a database is called, as it was given, without the parts of an address."""
    import os

    name = os.fsdecode(database)
    if name.startswith("file:"):
        name = name[5:].partition("?")[0]
    return name


def _attached(sql: str) -> str:
    def other(found: re.Match[str]) -> str:
        name = found[2][1:-1]
        if name in ("", ":memory:"):
            return found[0]
        return f"{found[1]}'{sql_database(sqlite_name(name)).file}'"

    return ATTACHED.sub(other, sql)
