"""pymysql, mysql.connector and MySQLdb over a server in memory."""

from __future__ import annotations

import decimal
import types
from typing import Any

from .on_import import on_import
from .sql_server import ServerCursor, ServerSession, server_address, server_types, sql_literal
from .world import replace

MYSQL_CODES = {
    "unique": (1062, "IntegrityError"),
    "null": (1048, "IntegrityError"),
    "foreign": (1452, "IntegrityError"),
    "check": (3819, "OperationalError"),
    "table": (1146, "ProgrammingError"),
    "exists": (1050, "OperationalError"),
    "column": (1054, "OperationalError"),
    "syntax": (1064, "ProgrammingError"),
    "function": (1305, "OperationalError"),
    "locked": (1205, "OperationalError"),
    "closed": (0, "InterfaceError"),
}


def answer_mysql() -> None:
    """Replace the connections of MySQL's drivers once the slice imports them."""
    on_import("pymysql.connections", _patch_pymysql)
    on_import("mysql.connector", _patch_connector)


def mysql_types() -> dict[str, Any]:
    """Conversions: a boolean is a small number, JSON is a text."""
    return server_types(bool=int, json=str, aware=server_types()["datetime"],
        average=lambda value: decimal.Decimal(f"{value:.4f}"))  # fmt: skip


# ----------------------------------------------------------------------------- pymysql


def _patch_pymysql(connections: Any) -> None:
    from pymysql import err

    def raises(kind: str, message: str) -> Exception:
        code, name = MYSQL_CODES.get(kind, (1105, "ProgrammingError"))
        return getattr(err, name)(code, message)

    def connect(self: Any, sock: Any = None) -> None:
        options = {"host": self.host, "port": self.port, "database": _text(self.db)}
        address = server_address("mysql", 3306, None, options)
        self.slice_func_session = ServerSession(address, raises, mysql_types(), is_postgres=False)
        self.slice_func_session.autocommit = bool(self.autocommit_mode)
        self._sock = types.SimpleNamespace(close=lambda: None)
        self._closed, self.server_version = False, "8.0.0"
        self._result, self._affected_rows = None, 0
        if self.init_command is not None:
            self.query(self.init_command)

    def query(self: Any, sql: Any, unbuffered: bool = False) -> int:
        result = self._open_session().run(_text(sql))
        names = result.columns
        rows = tuple(result.rows) if names else ()
        fields = [types.SimpleNamespace(name=name, table_name="") for name in names]
        self._result = types.SimpleNamespace(
            affected_rows=max(result.count, 0), insert_id=result.last if not names else 0,
            warning_count=0, has_next=False, fields=fields, rows=rows or (() if names else None),
            description=tuple((name, 253, None, 0, 0, 0, True) for name in names) or None,
            unbuffered_active=False, _read_rowdata_packet_unbuffered=_one_by_one(rows),
            _finish_unbuffered_query=lambda: None,
        )  # fmt: skip
        self._affected_rows = self._result.affected_rows
        return self._affected_rows

    def opened(self: Any) -> Any:
        if self._sock is None:
            raise err.InterfaceError(0, "")
        return self.slice_func_session

    def close(self: Any) -> None:
        if self._closed:
            raise err.Error("Already closed")
        self._closed, self._sock = True, None
        self.slice_func_session.close()

    def autocommit(self: Any, value: Any) -> None:
        self.autocommit_mode = self.slice_func_session.autocommit = bool(value)

    def escape(self: Any, value: Any, mapping: Any = None) -> str:
        if isinstance(value, (list, tuple, set, frozenset)):
            return "(" + ", ".join(sql_literal(each) for each in value) + ")"
        return sql_literal(value)

    connection = connections.Connection
    replacements = {
        "connect": connect,
        "query": query,
        "_open_session": opened,
        "close": close,
        "_force_close": lambda self: None,
        "__del__": lambda self: None,
        "commit": lambda self: self._open_session().commit(),
        "rollback": lambda self: self._open_session().rollback(),
        "begin": lambda self: self._open_session().run("BEGIN") and None,
        "autocommit": autocommit,
        "get_autocommit": lambda self: self.slice_func_session.autocommit,
        "select_db": lambda self, db: None,
        "ping": lambda self, reconnect=True: None if self._sock else self.connect(),
        "show_warnings": lambda self: (),
        "escape": escape,
        "literal": escape,
        "escape_string": lambda self, text: str(text).replace("'", "''"),
        "get_server_info": lambda self: "8.0.0",
        "thread_id": lambda self: 1,
    }
    for name, value in replacements.items():
        replace(connection, name, value)


def _one_by_one(rows: Any) -> Any:
    rest = iter(rows)
    return lambda: next(rest, None)


def _text(value: Any) -> Any:
    return value.decode() if isinstance(value, (bytes, bytearray)) else value


# ----------------------------------------------------------------------------- mysql.connector


def _patch_connector(connector: Any) -> None:
    from mysql.connector import errors

    def raises(kind: str, message: str) -> Exception:
        code, name = MYSQL_CODES.get(kind, (1105, "ProgrammingError"))
        if kind == "column":
            name = "ProgrammingError"
        return getattr(errors, name)(msg=message, errno=code or 2055)

    connection, _cursor = mysql_classes(raises)

    def connect(*_arguments: Any, **options: Any) -> Any:
        return connection(**options)

    class MySQLConnectionPool:
        """A pool that has as many connections as are asked for."""

        def __init__(self, pool_size: int = 5, pool_name: Any = None, **options: Any) -> None:
            self.pool_size, self.pool_name, self.options = pool_size, pool_name or "pool", options

        def get_connection(self) -> Any:
            known = ("pool_reset_session",)
            return connect(**{k: v for k, v in self.options.items() if k not in known})

    for owner in (connector, getattr(connector, "connection", None)):
        if owner is not None and hasattr(owner, "connect"):
            replace(owner, "connect", connect)
    for name in ("MySQLConnection", "CMySQLConnection"):
        if hasattr(connector, name):
            replace(connector, name, connection)
    if hasattr(getattr(connector, "connection", None), "MySQLConnection"):
        replace(connector.connection, "MySQLConnection", connection)
    from mysql.connector import pooling

    replace(pooling, "MySQLConnectionPool", MySQLConnectionPool)


def mysql_classes(raises: Any) -> Any:
    """The classes of connections and cursors of mysql.connector and MySQLdb."""

    class MySQLCursor(ServerCursor):
        """A cursor."""

        def __init__(self, connection: Any, *, dictionary: Any = False, named: Any = False) -> None:
            self.start(connection.slice_func_session, connection)
            self.connection, self.dictionary, self.named = connection, dictionary, named
            self.arraysize = 1

        rowcount = property(lambda self: self.s_result.count)
        lastrowid = property(lambda self: self.s_result.last or 0)
        with_rows = property(lambda self: bool(self.s_result.columns))
        column_names = property(lambda self: tuple(self.s_result.columns))
        statement = property(lambda self: self.s_query)
        warnings = property(lambda self: None)

        @property
        def description(self) -> Any:
            names = self.s_result.columns
            return [(name, 253, None, None, None, None, 1, 0, 255) for name in names] or None

        def execute(self, operation: Any, params: Any = None, multi: bool = False) -> Any:
            self.run(operation, params)
            return iter((self,)) if multi else None

        def executemany(self, operation: Any, seq_params: Any) -> Any:
            self.run_many(operation, seq_params)
            return self.rowcount

        def callproc(self, name: str, args: Any = ()) -> Any:
            self.run(f"CALL {name}")
            return args

        def stored_results(self) -> Any:
            return iter(())

        def shaped(self, row: Any) -> Any:
            names = self.s_result.columns
            if self.dictionary:
                return dict(zip(names, row, strict=True))
            if self.named:
                import collections

                return collections.namedtuple("Row", names)(*row)
            return row

        def fetchone(self) -> Any:
            return self.next_row()

        def fetchmany(self, size: Any = None) -> Any:
            return self.next_rows(size or self.arraysize)

        def fetchall(self) -> Any:
            return self.next_rows(None)

        def nextset(self) -> Any:
            return None

        def reset(self, free: bool = True) -> None:
            self.s_at = len(self.s_result.rows)

        def close(self) -> bool:
            self.s_closed = True
            return True

        def __iter__(self) -> Any:
            return iter(self.next_rows(None))

        def __next__(self) -> Any:
            row = self.next_row()
            if row is None:
                raise StopIteration
            return row

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_error: object) -> None:
            self.close()

    class MySQLConnection:
        """A connection."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            names = ("host", "user", "password", "database", "port")
            options = {**dict(zip(names, arguments, strict=False)), **options}
            options["host"] = options.get("host")
            options["database"] = options.get("database") or options.get("db")
            address = server_address("mysql", 3306, None, {**options, "user": None})
            self.slice_func_session = ServerSession(
                address, raises, mysql_types(), is_postgres=False
            )
            self.slice_func_session.autocommit = bool(options.get("autocommit"))
            self.database, self.dictionary = (
                options["database"],
                "Dict" in str(options.get("cursorclass")),
            )
            self.user, self.server_host = options.get("user"), options.get("host")
            self.connection_id = 1

        in_transaction = property(lambda self: self.slice_func_session.begun)
        autocommit = property(
            lambda self: self.slice_func_session.autocommit,
            lambda self, value: setattr(self.slice_func_session, "autocommit", bool(value)),
        )

        def cursor(
            self,
            cursorclass: Any = None,
            *,
            dictionary: Any = False,
            named_tuple: Any = False,
            **_options: Any,
        ) -> Any:
            if self.slice_func_session.closed:
                raise raises("closed", "MySQL Connection not available")
            as_dictionary = dictionary or self.dictionary or "Dict" in str(cursorclass)
            return MySQLCursor(self, dictionary=as_dictionary, named=named_tuple)

        def commit(self) -> None:
            self.slice_func_session.commit()

        def rollback(self) -> None:
            self.slice_func_session.rollback()

        def start_transaction(self, **_options: Any) -> None:
            self.slice_func_session.run("START TRANSACTION")

        def close(self) -> None:
            self.slice_func_session.close()

        disconnect = shutdown = close

        def is_connected(self) -> bool:
            return not self.slice_func_session.closed

        def reconnect(self, *_arguments: Any, **_options: Any) -> None:
            if self.slice_func_session.closed:
                old = self.slice_func_session
                self.slice_func_session = ServerSession(
                    old.name, raises, old.types, is_postgres=False
                )

        ping = connect = reconnect

        def get_server_info(self) -> str:
            return "8.0.0"

        def cmd_query(self, query: Any, **_options: Any) -> Any:
            self.cursor().execute(query)
            return {}

        def __getattr__(self, name: str) -> Any:
            if name.startswith(("set_", "config", "cmd_", "reset_")):
                return lambda *_, **__: None
            raise AttributeError(name)

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_error: object) -> None:
            self.close()

    return MySQLConnection, MySQLCursor


def mysqldb_names() -> dict[str, Any]:
    """What the module MySQLdb has: for scripts without it."""
    names: dict[str, Any] = {}

    def exception(name: str, *bases: Any) -> Any:
        names[name] = type(name, bases, {"__module__": "MySQLdb"})
        return names[name]

    base = exception("MySQLError", Exception)
    exception("Warning", Warning, base)
    error = exception("Error", base)
    exception("InterfaceError", error)
    database = exception("DatabaseError", error)
    for name in "DataError OperationalError IntegrityError InternalError".split():
        exception(name, database)
    for name in ("ProgrammingError", "NotSupportedError"):
        exception(name, database)

    def raises(kind: str, message: str) -> Exception:
        code, name = MYSQL_CODES.get(kind, (1105, "ProgrammingError"))
        return names[name](code, message)

    connection, _cursor = mysql_classes(raises)

    def connect(
        host: Any = None, user: Any = None, passwd: Any = None, db: Any = None, **o: Any
    ) -> Any:
        return connection(host=host, user=user, database=db or o.pop("database", None), **o)

    return {**names, "connect": connect, "Connect": connect, "Connection": connection,
            "escape_string": lambda text: str(text).replace("'", "''").encode(),
            "apilevel": "2.0", "paramstyle": "format", "threadsafety": 1}  # fmt: skip
