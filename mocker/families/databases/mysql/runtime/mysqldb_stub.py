"""MySQLdb, which is not installed without MySQL's own library: its names over a server in memory."""

from __future__ import annotations

from typing import Any

from .....world.sql.sql_cursor import ServerCursor
from .....world.sql.sql_rows import server_types
from .....world.sql.sql_server import refuse_connections, server_address, sql_literal
from .mysql_failures import MySQLError
from .mysql_session import MySQLSession

MYSQLDB_ERRORS = {
    "IntegrityError": (1048, 1062, 1451, 1452),
    "ProgrammingError": (1064, 1146, 1050, 1065, 1051),
    "DataError": (1136, 1264, 1265, 1366, 1406),
}


class MySQLdbNames:
    """The names of the module, once it has been made."""

    names: dict[str, Any] = {}

    @classmethod
    def failure(cls, number: int, message: str) -> Exception:
        """The exception for one of MySQL's numbers."""
        kinds = (name for name, numbers in MYSQLDB_ERRORS.items() if number in numbers)
        return cls.names[next(kinds, "OperationalError")](number, message)


class MySQLdbCursor(ServerCursor):
    """A cursor."""

    def __init__(self, connection: Any, *, is_dictionary: bool = False) -> None:
        self.start(connection.slice_func_session, connection)
        self.s_is_dictionary = is_dictionary

    lastrowid = property(lambda self: self.s_result.last or 0)

    @property
    def description(self) -> Any:
        """The columns."""
        names = self.s_result.columns
        return tuple((name, 253, None, None, None, None, 1) for name in names) or None

    def execute(self, query: Any, args: Any = None) -> int:
        """Run one query, with its values written into it."""
        text = query.decode() if isinstance(query, bytes) else query
        if isinstance(args, dict):
            text = text % {key: mysql_literal(value) for key, value in args.items()}
        elif args is not None:
            args = args if isinstance(args, (list, tuple)) else (args,)
            text = text % tuple(map(mysql_literal, args))
        if self.s_session.closed:
            raise MySQLdbNames.failure(2006, "")
        self.s_at, self.s_query = 0, text
        try:
            self.s_result = self.s_session.run_all(text)[-1]
        except MySQLError as error:
            raise MySQLdbNames.failure(error.number, str(error)) from None
        self.s_result.count = max(self.s_result.count, 0)
        self._convert()
        return self.s_result.count

    def _convert(self) -> None:
        if self.s_result.columns:
            columns = self.s_session.typed(self.s_result)
            convert = [MYSQLDB_TYPES.get(column.kind) for column in columns]
            types = server_types()
            self.s_result.columns = [column.name for column in columns]
            self.s_result.rows = [
                tuple(
                    types[kind](f"{value:.{column.scale}f}" if kind == "decimal" else value)
                    if kind and value is not None
                    else value
                    for value, kind, column in zip(row, convert, columns, strict=True)
                )
                for row in self.s_result.rows
            ]

    def executemany(self, query: Any, args: Any) -> int:
        """Run one query for each row."""
        count = sum(self.execute(query, values) for values in args)
        self.s_result.count = count
        return count

    def shaped(self, row: Any) -> Any:
        """A tuple, or a dictionary."""
        return dict(zip(self.s_result.columns, row, strict=True)) if self.s_is_dictionary else row

    def next_rows(self, count: int | None) -> Any:
        """Rows in a tuple."""
        return tuple(super().next_rows(count))


MYSQLDB_TYPES = {246: "decimal", 10: "date", 12: "datetime", 7: "datetime", 4: "float", 5: "float"}


class MySQLdbConnection:
    """A connection."""

    def __init__(self, host: Any = None, user: Any = None, passwd: Any = None, db: Any = None,
                 port: Any = None, **options: Any) -> None:  # fmt: skip
        try:
            refuse_connections()
        except OSError as error:
            said = f"Can't connect to MySQL server on '{host}' ({error.errno})"
            raise MySQLdbNames.failure(2003, said) from None
        given = {"host": host, "port": port, "database": db or options.get("database")}
        self.slice_func_session = MySQLSession(server_address("mysql", 3306, None, given))
        self.autocommit(options.get("autocommit"))
        self.is_dictionary = "Dict" in str(options.get("cursorclass"))

    def cursor(self, cursorclass: Any = None) -> Any:
        """A cursor."""
        return MySQLdbCursor(self, is_dictionary=self.is_dictionary or "Dict" in str(cursorclass))

    def query(self, sql: Any) -> None:
        """Run a query."""
        self.cursor().execute(sql)

    def commit(self) -> None:
        """Commit."""
        self.slice_func_session.run_all("COMMIT")

    def rollback(self) -> None:
        """Go back."""
        self.slice_func_session.run_all("ROLLBACK")

    def begin(self) -> None:
        """Begin a transaction."""
        self.slice_func_session.run_all("BEGIN")

    def autocommit(self, value: Any) -> None:
        """Whether each statement is one transaction."""
        self.slice_func_session.autocommit = bool(value)

    def close(self) -> None:
        """Close."""
        self.slice_func_session.close()

    def ping(self, reconnect: bool = False) -> None:
        """It is there."""

    def escape_string(self, text: Any) -> bytes:
        """A text as it stands between quotes."""
        return mysql_literal(str(text))[1:-1].encode()

    def literal(self, value: Any) -> bytes:
        """A value as it is written in SQL."""
        return mysql_literal(value).encode()

    escape = literal

    def set_character_set(self, charset: str) -> None:
        """All is UTF-8."""

    def get_server_info(self) -> str:
        """The version."""
        return "8.0.36"

    def insert_id(self) -> int:
        """The last number that was given out."""
        return self.slice_func_session.last

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def mysql_literal(value: Any) -> str:
    """A value as it is written in MySQL's SQL."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return "(" + ", ".join(map(mysql_literal, value)) + ")"
    written = sql_literal(value)
    return written.replace("\\", "\\\\") if written.startswith("'") else written


def mysqldb_names() -> dict[str, Any]:
    """What the module MySQLdb has: for scripts without it."""
    names = MySQLdbNames.names
    above = {"Warning": "MySQLError", "Error": "MySQLError", "InterfaceError": "Error",
             "DatabaseError": "Error"}  # fmt: skip
    names["MySQLError"] = type("MySQLError", (Exception,), {"__module__": "MySQLdb"})
    plain = (
        "DataError OperationalError IntegrityError InternalError ProgrammingError NotSupportedError"
    )
    for name in (*above, *plain.split()):
        bases = (names[above.get(name, "DatabaseError")],)
        bases = (Warning, *bases) if name == "Warning" else bases
        names[name] = type(name, bases, {"__module__": "MySQLdb"})
    escape = MySQLdbConnection.escape_string
    return {**names, "connect": MySQLdbConnection, "Connect": MySQLdbConnection,
            "Connection": MySQLdbConnection, "escape_string": lambda text: escape(None, text),
            "apilevel": "2.0", "paramstyle": "format", "threadsafety": 1}  # fmt: skip
