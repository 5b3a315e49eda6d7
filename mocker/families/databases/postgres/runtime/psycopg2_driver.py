"""psycopg2 over a server in memory: classes of its own kind, its own exceptions and rows."""

from __future__ import annotations

import types
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.sql.postgres_failures import psycopg2_failure
from .....world.sql.sql_cursor import ServerCursor
from .....world.sql.sql_rows import server_types
from .....world.sql.sql_server import (
    ServerSession,
    bound,
    composed,
    refuse_connections,
    server_address,
    sql_literal,
)


def answer_psycopg2() -> None:
    """Replace `psycopg2.connect` once the slice imports it."""
    on_import("psycopg2", _patch_psycopg2)


def _patch_psycopg2(psycopg2: Any) -> None:
    import psycopg2.extensions

    def raises(kind: str, message: str) -> Exception:
        return psycopg2_failure(psycopg2, kind, message)

    class MemoryCursor(ServerCursor, psycopg2.extensions.cursor):
        """A cursor."""

        def __init__(self, connection: Any, name: Any = None, **_options: Any) -> None:
            self.start(connection.slice_func_session, connection)
            self.s_name = name
            self.itersize = 2000

        rownumber = property(lambda self: self.s_at)
        query = property(lambda self: (self.s_query or "").encode())
        statusmessage = property(lambda self: self.s_result.status)
        closed = property(lambda self: self.s_closed)
        lastrowid = property(lambda self: 0)
        name = property(lambda self: self.s_name)

        @property
        def description(self) -> Any:
            if not self.s_result.columns:
                return None
            parts = "name type_code display_size internal_size precision scale null_ok".split()
            made = __import__("collections").namedtuple("Column", parts)
            return tuple(made(name, *[None] * 6) for name in self.s_result.columns)

        def execute(self, query: Any, vars: Any = None) -> None:
            self.run(query, vars)

        def executemany(self, query: Any, vars_list: Any) -> None:
            self.run_many(query, vars_list)

        def callproc(self, name: str, parameters: Any = ()) -> Any:
            marks = ", ".join("%s" for _ in parameters)
            self.run(f"SELECT * FROM {name}({marks})", tuple(parameters))
            return parameters

        def mogrify(self, query: Any, vars: Any = None) -> bytes:
            text = composed(query)
            if not vars:
                return text.encode()
            if isinstance(vars, dict):
                return (text % {key: sql_literal(value) for key, value in vars.items()}).encode()
            text, values = bound(text, vars, is_postgres=True)
            return (text % tuple(map(sql_literal, values))).encode()

        def shaped(self, row: Any) -> Any:
            from psycopg2 import extras

            names = self.s_result.columns
            if isinstance(self, extras.RealDictCursor):
                return extras.RealDictRow(zip(names, row, strict=True))
            if isinstance(self, extras.DictCursor):
                index = types.SimpleNamespace(
                    index={name: at for at, name in enumerate(names)}, description=names
                )
                made = extras.DictRow(index)
                made[:] = row
                return made
            if isinstance(self, extras.NamedTupleCursor):
                return self._make_record(names)._make(row)
            return row

        def _make_record(self, names: list[str]) -> Any:
            import collections
            import re

            fields = [re.sub(r"\W", "_", name) for name in names]
            return collections.namedtuple("Record", fields)

        def copy_expert(self, sql: Any, file: Any, size: int = 8192) -> None:
            self.run(sql)

        def copy_from(
            self,
            file: Any,
            table: str,
            sep: str = "\t",
            null: str = "\\N",
            size: int = 8192,
            columns: Any = None,
        ) -> None:
            for line in file.read().splitlines():
                values = [None if part == null else part for part in line.split(sep)]
                named = f" ({', '.join(columns)})" if columns else ""
                self.run(
                    f"INSERT INTO {table}{named} VALUES ({', '.join(['%s'] * len(values))})", values
                )

    class MemoryConnection(psycopg2.extensions.connection):
        """A connection."""

        def __init__(self, dsn: Any = None, **options: Any) -> None:
            address = server_address("postgresql", 5432, dsn, options)
            convert = server_types(bytes=memoryview)
            self.slice_func_session = ServerSession(address, raises, convert, is_postgres=True)
            self.s_dsn, self.cursor_factory = str(dsn or ""), options.get("cursor_factory")

        closed = property(lambda self: int(self.slice_func_session.closed))
        dsn = property(lambda self: self.s_dsn)
        encoding = property(lambda self: "UTF8")
        server_version = property(lambda self: 150000)
        notices = property(lambda self: [])
        notifies = property(lambda self: [])
        status = property(lambda self: 2 if self.slice_func_session.begun else 1)
        isolation_level = property(lambda self: 0 if self.autocommit else 1)

        @property
        def info(self) -> Any:
            host, _, database = self.slice_func_session.name.partition("://")[2].partition("/")
            return types.SimpleNamespace(
                transaction_status=self.get_transaction_status(), dbname=database,
                host=host.partition(":")[0], port=int(host.partition(":")[2]), status=0,
                server_version=150000, backend_pid=1, user="",
            )  # fmt: skip

        @property
        def autocommit(self) -> bool:
            return self.slice_func_session.autocommit

        @autocommit.setter
        def autocommit(self, value: Any) -> None:
            self.slice_func_session.autocommit = bool(value)

        def set_session(self, *_arguments: Any, autocommit: Any = None, **_options: Any) -> None:
            if autocommit is not None:
                self.autocommit = autocommit

        def set_isolation_level(self, level: Any) -> None:
            self.autocommit = level == 0

        def cursor(self, name: Any = None, cursor_factory: Any = None, **options: Any) -> Any:
            if self.closed:
                raise raises("closed", "connection already closed")
            factory = cursor_factory or self.cursor_factory
            if factory is None or factory is psycopg2.extensions.cursor:
                return MemoryCursor(self, name)
            is_known = factory.__module__ == "psycopg2.extras"
            bases = (MemoryCursor, factory) if is_known else (factory, MemoryCursor)
            return type(factory.__name__, bases, {})(self, name)

        def commit(self) -> None:
            self._open().commit()

        def rollback(self) -> None:
            self._open().rollback()

        def close(self) -> None:
            self.slice_func_session.close()

        def cancel(self) -> None:
            return None

        def reset(self) -> None:
            self.rollback()

        def get_transaction_status(self) -> int:
            session = self.slice_func_session
            return 3 if session.failed else 2 if session.begun else 0

        def get_backend_pid(self) -> int:
            return 1

        def get_dsn_parameters(self) -> dict[str, str]:
            return {"dbname": self.info.dbname, "host": self.info.host, "port": str(self.info.port)}

        def set_client_encoding(self, encoding: str) -> None:
            return None

        def fileno(self) -> int:
            return -1

        def poll(self) -> int:
            return 0

        def __enter__(self) -> Any:
            self._open()
            return self

        def __exit__(self, kind: Any, *_error: object) -> None:
            (self.commit if kind is None else self.rollback)()

        def _open(self) -> Any:
            if self.slice_func_session.closed:
                raise raises("closed", "connection already closed")
            return self.slice_func_session

    def connect(
        dsn: Any = None, connection_factory: Any = None, cursor_factory: Any = None, **options: Any
    ) -> Any:
        factory = MemoryConnection
        if connection_factory is not None:
            factory = type(connection_factory.__name__, (MemoryConnection, connection_factory), {})
            if connection_factory.__module__ != "psycopg2.extras":
                factory = type(factory.__name__, (connection_factory, MemoryConnection), {})
        options.pop("async_", None)
        try:
            refuse_connections()
        except OSError as error:
            host, port = options.get("host") or "localhost", options.get("port") or 5432
            said = f'connection to server at "{host}", port {port} failed: {error.strerror}'
            raise psycopg2.OperationalError(said) from None
        connection = factory(dsn, cursor_factory=cursor_factory, **options)
        extras = __import__("sys").modules.get("psycopg2.extras")
        if extras is not None and cursor_factory is None:
            known = {
                extras.DictConnection: extras.DictCursor,
                extras.RealDictConnection: extras.RealDictCursor,
                extras.NamedTupleConnection: extras.NamedTupleCursor,
            }
            connection.cursor_factory = known.get(connection_factory)
        return connection

    replace(psycopg2, "connect", connect)
