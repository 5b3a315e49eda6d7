"""psycopg (version 3) over a server in memory, also with `await`."""

from __future__ import annotations

import contextlib
import types
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.sql.postgres_failures import POSTGRES_FAILURES
from .....world.sql.sql_cursor import ServerCursor
from .....world.sql.sql_rows import server_types
from .....world.sql.sql_server import ServerSession, refuse_connections, server_address


def answer_psycopg() -> None:
    """Replace `psycopg.connect` and its like once the slice imports it."""
    on_import("psycopg", _patch_psycopg)
    on_import("psycopg_pool", _patch_pool)


def _patch_psycopg(psycopg: Any) -> None:
    def connect(conninfo: str = "", **options: Any) -> Any:
        return memory_psycopg(psycopg)(conninfo, **options)

    async def connect_async(conninfo: str = "", **options: Any) -> Any:
        return AsyncOver(memory_psycopg(psycopg)(conninfo, **options))

    replace(psycopg, "connect", connect)
    replace(psycopg.Connection, "connect", staticmethod(connect))
    replace(psycopg.AsyncConnection, "connect", staticmethod(connect_async))


def _patch_pool(psycopg_pool: Any) -> None:
    import psycopg

    class MemoryPool:
        """A pool that has as many connections as are asked for."""

        def __init__(self, conninfo: str = "", *, kwargs: Any = None, **_options: Any) -> None:
            self.conninfo, self.kwargs = conninfo, kwargs or {}

        @contextlib.contextmanager
        def connection(self, timeout: Any = None) -> Any:
            with psycopg.connect(self.conninfo, **self.kwargs) as connection:
                yield connection

        def getconn(self, timeout: Any = None) -> Any:
            return psycopg.connect(self.conninfo, **self.kwargs)

        def putconn(self, connection: Any) -> None:
            getattr(connection, "inner", connection).close()

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_error: object) -> None:
            return None

        def __getattr__(self, name: str) -> Any:
            if name in ("open", "close", "wait", "check", "resize"):
                return lambda *_, **__: None
            raise AttributeError(name)

    class AsyncMemoryPool(AsyncOver):
        def __init__(self, conninfo: str = "", **options: Any) -> None:
            super().__init__(MemoryPool(conninfo, **options))

    for name, pool in (("ConnectionPool", MemoryPool), ("AsyncConnectionPool", AsyncMemoryPool)):
        if hasattr(psycopg_pool, name):
            replace(psycopg_pool, name, pool)


def memory_psycopg(psycopg: Any) -> Any:
    """The class of connections."""
    import uuid

    from psycopg import rows

    def raises(kind: str, message: str) -> Exception:
        if kind in POSTGRES_FAILURES:
            return getattr(psycopg.errors, POSTGRES_FAILURES[kind][0])(message)
        is_interface = kind == "closed"
        if is_interface or kind == "locked":
            return psycopg.OperationalError(f"the {message.split(maxsplit=1)[0]} is closed")
        if kind == "nothing":
            message = "the last operation didn't produce records (command status: )"
        return psycopg.ProgrammingError(message)

    class MemoryCursor(ServerCursor, psycopg.Cursor):
        """A cursor."""

        def __init__(self, connection: Any, *, row_factory: Any = None) -> None:
            self.start(connection.slice_func_session, connection)
            self.s_factory = row_factory or connection.row_factory

        closed = property(lambda self: self.s_closed)
        rownumber = property(lambda self: self.s_at if self.s_result.columns else None)
        statusmessage = property(lambda self: self.s_result.status)
        row_factory = property(
            lambda self: self.s_factory, lambda self, value: setattr(self, "s_factory", value)
        )
        _encoding = property(lambda self: "utf-8")

        @property
        def pgresult(self) -> Any:
            names = self.s_result.columns
            if not names:
                return None
            return types.SimpleNamespace(
                nfields=len(names),
                ntuples=len(self.s_result.rows),
                status=2,
                fname=lambda at: names[at].encode(),
            )

        @property
        def description(self) -> Any:
            if not self.s_result.columns:
                return None
            return [
                types.SimpleNamespace(name=name, type_code=25) for name in self.s_result.columns
            ]

        def execute(self, query: Any, params: Any = None, **_options: Any) -> Any:
            self.run(query, params)
            return self

        def executemany(self, query: Any, params_seq: Any, **_options: Any) -> None:
            self.run_many(query, params_seq)

        def next_rows(self, count: Any) -> Any:
            found = super().next_rows(count)
            make = self.s_factory(self)
            return [make(row) for row in found]

        def nextset(self) -> Any:
            return None

        def stream(self, query: Any, params: Any = None, **_options: Any) -> Any:
            self.run(query, params)
            yield from self.next_rows(None)

        @contextlib.contextmanager
        def copy(self, statement: Any, params: Any = None) -> Any:
            import re

            table = re.search(r"COPY\s+(\S+)\s*(\([^)]*\))?", str(statement), re.IGNORECASE)

            def write_row(row: Any) -> None:
                marks = ", ".join(["%s"] * len(row))
                columns = table[2] or "" if table else ""
                self.run(f"INSERT INTO {table[1]} {columns} VALUES ({marks})", list(row))

            yield types.SimpleNamespace(write_row=write_row, write=lambda _: None)

    class MemoryConnection(psycopg.Connection):
        """A connection."""

        def __init__(self, conninfo: str = "", **options: Any) -> None:
            address = server_address("postgresql", 5432, conninfo, options)
            try:
                refuse_connections()
            except OSError as error:
                said = f"connection failed: {address}: {error.strerror}"
                raise psycopg.OperationalError(said) from None
            convert = server_types(uuid=uuid.UUID)
            self.slice_func_session = ServerSession(address, raises, convert, is_postgres=True)
            self.slice_func_session.autocommit = bool(options.get("autocommit"))
            self.row_factory = options.get("row_factory") or rows.tuple_row
            self.slice_func_depth = 0

        closed = property(lambda self: self.slice_func_session.closed)
        broken = property(lambda self: False)
        autocommit = property(
            lambda self: self.slice_func_session.autocommit,
            lambda self, value: self.set_autocommit(value),
        )

        def __del__(self) -> None:
            return None

        def __repr__(self) -> str:
            return "<psycopg.Connection>"

        def set_autocommit(self, value: bool) -> None:
            self.slice_func_session.autocommit = value

        @property
        def info(self) -> Any:
            session = self.slice_func_session
            status = 3 if session.failed else 2 if session.begun else 0
            database = session.name.rpartition("/")[2]
            return types.SimpleNamespace(transaction_status=status, dbname=database, status=0)

        def cursor(self, name: Any = "", *, row_factory: Any = None, **_options: Any) -> Any:
            if self.closed:
                raise raises("closed", "connection is closed")
            return MemoryCursor(self, row_factory=row_factory)

        def execute(self, query: Any, params: Any = None, **_options: Any) -> Any:
            return self.cursor().execute(query, params)

        def commit(self) -> None:
            self.slice_func_session.commit()

        def rollback(self) -> None:
            self.slice_func_session.rollback()

        def close(self) -> None:
            self.slice_func_session.close()

        @contextlib.contextmanager
        def transaction(self, savepoint_name: Any = None, **_options: Any) -> Any:
            session = self.slice_func_session
            inner, self.slice_func_depth = session.begun, self.slice_func_depth + 1
            name = savepoint_name or f"_pg3_{self.slice_func_depth}"
            session.run(f'SAVEPOINT "{name}"' if inner else "BEGIN")
            try:
                yield self
            except BaseException as error:
                session.failed = False
                session.run(f'ROLLBACK TO "{name}"' if inner else "ROLLBACK")
                if not isinstance(error, psycopg.Rollback):
                    raise
            else:
                session.run(f'RELEASE "{name}"' if inner else "COMMIT")
            finally:
                self.slice_func_depth -= 1

        def __enter__(self) -> Any:
            return self

        def __exit__(self, kind: Any, *_error: object) -> None:
            if not self.closed:
                (self.commit if kind is None else self.rollback)()
                self.close()

    return MemoryConnection


class AsyncOver:
    """A connection or a cursor whose methods are awaited."""

    PLAIN = frozenset(
        "cursor info closed broken description rowcount statusmessage row_factory".split()
    )

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if name == "cursor":
            return lambda *a, **o: AsyncOver(found(*a, **o))
        if name in self.PLAIN or not callable(found):
            return found
        if name in ("transaction", "copy", "connection"):
            return lambda *a, **o: AsyncBlock(found(*a, **o))

        async def call(*arguments: Any, **options: Any) -> Any:
            value = found(*arguments, **options)
            is_own = isinstance(value, ServerCursor) or hasattr(value, "slice_func_session")
            return AsyncOver(value) if is_own else value

        return call

    async def __aenter__(self) -> Any:
        self.inner.__enter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return self.inner.__exit__(*error)

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        try:
            return next(self.inner)
        except StopIteration:
            raise StopAsyncIteration from None


class AsyncBlock:
    """A context manager that is entered with `async with`; what it gives is awaited, too."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __aenter__(self) -> Any:
        return AsyncOver(self.inner.__enter__())

    async def __aexit__(self, *error: Any) -> Any:
        return self.inner.__exit__(*error)
