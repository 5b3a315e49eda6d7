"""Engines of SQLAlchemy for any address, on SQLite; tables come from the slice's own metadata."""

from __future__ import annotations

import contextlib
import json
import re
import weakref
from typing import Any

from .on_import import on_import
from .plain_data import plain_values
from .postgres_failures import POSTGRES_FAILURES, sqlite_failure
from .sample_values import sample_text, sample_value
from .sql_functions import server_functions
from .sql_memory import RawSqlite, SqlDatabase, SqlWorld, sql_database
from .sql_rows import converted, row_converters, server_types
from .sql_server import failure
from .sql_text import Named, sql_verb
from .sql_translation import sqlite_values, translated
from .world import chosen, record, replace, undo_with

ENGINE_METADATA: Any = weakref.WeakSet()
# options of drivers and servers that SQLite does not know
FOREIGN_OPTIONS = frozenset(
    """
    arraysize auto_convert_lobs client_encoding coerce_to_decimal convert_unicode
    deprecate_large_types encoding executemany_batch_page_size executemany_mode
    executemany_values_page_size fast_executemany implicit_returning prefer_ansi_nvarchar
    server_side_cursors supports_native_decimal thick_mode use_ansi use_batch_mode use_native_hstore
    use_native_unicode use_native_uuid use_nchar_for_unicode use_setinputsizes strategy
    """.split()
)

# what the dialect asks about tables, which no server would be asked in these words
SQLITE_OWN = re.compile(r"\A\s*PRAGMA\b|\bsqlite_(temp_)?master\b", re.IGNORECASE)


class ExpectedColumns:
    """Columns that the slice reads of tables that it reflects."""

    names: tuple[str, ...] = ()


def answer_sqlalchemy(columns: list[str]) -> None:
    """Serve every engine from SQLite, once the slice imports SQLAlchemy.

    Args:
        columns: names that the slice takes from the columns of reflected tables.
    """
    ExpectedColumns.names = tuple(columns)
    on_import("sqlalchemy", _patch_sqlalchemy)
    on_import("flask_sqlalchemy", patch_flask_sqlalchemy)


def _patch_sqlalchemy(sqlalchemy: Any) -> None:
    from sqlalchemy.engine import url as addresses
    from sqlalchemy.sql import schema

    url_class = addresses.URL
    split_plugins, parse, prepare = (
        url_class._instantiate_plugins,
        addresses.make_url,
        schema.MetaData.__init__,
    )

    def instantiate_plugins(self: Any, options: Any) -> Any:
        kept = {name: value for name, value in options.items() if name not in FOREIGN_OPTIONS}
        return split_plugins(self, kept)

    def make_url(name: Any) -> Any:
        try:
            return parse(name)
        except Exception:
            if name is not None and not isinstance(name, str):
                raise
            return url_class.create("postgresql", host="localhost", database="database")

    def remember(self: Any, *arguments: Any, **options: Any) -> None:
        prepare(self, *arguments, **options)
        ENGINE_METADATA.add(self)

    replace(url_class, "_instantiate_plugins", instantiate_plugins)
    replace(url_class, "_get_entrypoint", lambda self: MemoryEntrypoint)
    for owner in (addresses, sqlalchemy.engine, sqlalchemy):
        if getattr(owner, "make_url", None) is parse:
            replace(owner, "make_url", make_url)
    replace(schema.MetaData, "__init__", remember)


class MemoryEntrypoint:
    """Names the dialect for any address."""

    _made: dict[bool, Any] = {}

    @staticmethod
    def engine_created(engine: Any) -> None:
        """Nothing more to do for an engine."""

    @classmethod
    def get_dialect_cls(cls, url: Any) -> Any:
        """The dialect."""
        if False not in cls._made:
            from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

            cls._made[False] = memory_dialect(SQLiteDialect_pysqlite, is_async=False)
        return cls._made[False]

    @classmethod
    def get_async_dialect_cls(cls, url: Any) -> Any:
        """The dialect for `create_async_engine`."""
        if True not in cls._made:
            from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite

            cls._made[True] = memory_dialect(SQLiteDialect_aiosqlite, is_async=True)
        return cls._made[True]


def memory_dialect(base: Any, *, is_async: bool) -> Any:
    """A dialect of SQLite that takes what other servers take."""
    from sqlalchemy import exc, pool
    from sqlalchemy.dialects.sqlite.base import (
        SQLiteCompiler,
        SQLiteDDLCompiler,
        SQLiteIdentifierPreparer,
        SQLiteTypeCompiler,
    )
    from sqlalchemy.sql import sqltypes

    class JsonArray(sqltypes.ARRAY):
        """A list, stored as JSON."""

        def bind_processor(self, dialect: Any) -> Any:
            return lambda value: None if value is None else json.dumps(list(value), default=str)

        def result_processor(self, dialect: Any, coltype: Any) -> Any:
            return lambda value: json.loads(value) if isinstance(value, str) else value

    class Compiler(SQLiteCompiler):
        def visit_on_duplicate_key_update(self, on_duplicate: Any, **options: Any) -> str:
            table = self.current_executable.table
            parts = []
            for key, value in on_duplicate.update.items():
                column = table.c[key] if isinstance(key, str) else key
                if getattr(value, "table", None) is on_duplicate.inserted_alias:
                    said = f"excluded.{self.preparer.quote(value.name)}"
                elif hasattr(value, "compile"):
                    said = self.process(value.self_group(), use_schema=False)
                else:
                    bind = sqlalchemy_bind(value, column)
                    said = self.process(bind, use_schema=False)
                parts.append(f"{self.preparer.quote(column.name)} = {said}")
            return "ON CONFLICT DO UPDATE SET " + ", ".join(parts)

        def visit_ilike_op_binary(self, binary: Any, operator: Any, **options: Any) -> str:
            return super().visit_ilike_op_binary(binary, operator, **options)

    class DdlCompiler(SQLiteDDLCompiler):
        def get_column_default_string(self, column: Any) -> Any:
            default = super().get_column_default_string(column)
            if isinstance(default, str) and "(" in default and not default.startswith("("):
                default = f"({default})"
            return translated(default) if isinstance(default, str) else default

    class TypeCompiler(SQLiteTypeCompiler):
        def __getattr__(self, name: str) -> Any:
            if not name.startswith("visit_"):
                raise AttributeError(name)
            kind = name.removeprefix("visit_").upper()
            known = ("INT", "CHAR", "TEXT", "BLOB", "DOUBLE", "FLOAT", "JSON")
            return lambda type_, **_: kind if any(word in kind for word in known) else "TEXT"

        def visit_BIGINT(self, type_: Any, **options: Any) -> str:
            return "INTEGER"

        visit_SMALLINT = visit_INTEGER = visit_TINYINT = visit_MEDIUMINT = visit_BIGINT

        def visit_ARRAY(self, type_: Any, **options: Any) -> str:
            return "TEXT"

        def visit_ENUM(self, type_: Any, **options: Any) -> str:
            return "VARCHAR"

        def visit_UUID(self, type_: Any, **options: Any) -> str:
            return "CHAR(36)"

        visit_JSONB = visit_HSTORE = visit_INET = visit_SET = visit_ARRAY

    class Preparer(SQLiteIdentifierPreparer):
        schema_for_object = staticmethod(lambda table: None)

    class MemoryDialect(base):
        supports_statement_cache = True
        statement_compiler = Compiler
        ddl_compiler = DdlCompiler
        type_compiler_cls = type_compiler = TypeCompiler
        preparer = Preparer
        colspecs = {**base.colspecs, sqltypes.ARRAY: JsonArray}

        def create_connect_args(self, url: Any) -> Any:
            address = url.render_as_string(hide_password=True)
            is_private = url.get_backend_name() == "sqlite" and url.database in (
                None,
                "",
                ":memory:",
            )
            self.slice_func_database = SqlDatabase(address) if is_private else sql_database(address)
            self.slice_func_is_sqlite = url.get_backend_name() == "sqlite"
            is_postgres = url.get_backend_name() in ("postgresql", "postgres")
            driver = url.drivername.partition("+")[2] or "psycopg2"
            self.slice_func_driver = driver if is_postgres else ""
            return [], {}

        @classmethod
        def import_dbapi(cls) -> Any:
            return base.import_dbapi()

        @classmethod
        def get_pool_class(cls, url: Any) -> Any:
            return pool.AsyncAdaptedQueuePool if is_async else pool.QueuePool

        def connect(self, *_arguments: Any, **_options: Any) -> Any:
            file = self.slice_func_database.file
            if is_async:
                return self.loaded_dbapi.connect(file, check_same_thread=False, timeout=1)
            import sqlite3

            return sqlite3.Connection(file, check_same_thread=False, timeout=1)

        def on_connect(self) -> Any:
            first = super().on_connect()

            def connected(connection: Any) -> None:
                if first is not None:
                    first(connection)
                raw = raw_connection(connection)
                server_functions(raw)
                if not (self.slice_func_is_sqlite or chosen("database", SqlWorld.variants)):
                    # all rows are the slice's own, those that they point to as well
                    RawSqlite(raw).execute("PRAGMA foreign_keys = ON")

            return connected

        def get_isolation_level_values(self, dbapi_connection: Any) -> Any:
            return [
                "AUTOCOMMIT", "SERIALIZABLE", "READ UNCOMMITTED", "READ COMMITTED",
                "REPEATABLE READ",
            ]  # fmt: skip

        def set_isolation_level(self, dbapi_connection: Any, level: Any) -> None:
            if level == "AUTOCOMMIT":
                super().set_isolation_level(dbapi_connection, level)

        def do_execute(
            self, cursor: Any, statement: Any, parameters: Any, context: Any = None
        ) -> Any:
            statement = self._ready(cursor, statement, parameters)
            if not self._is_compiled(context):
                parameters = sqlite_values(parameters)
            with self._failing():
                super().do_execute(cursor, statement, parameters, context)
            if self.slice_func_driver and not is_async and _is_plain_text(context):
                columns = [part[0] for part in cursor.description or ()]
                found = row_converters(cursor.connection, server_types(), statement, columns)
                if any(found):
                    cursor.row_factory = lambda _, row: converted(row, found)

        def do_executemany(
            self, cursor: Any, statement: Any, parameters: Any, context: Any = None
        ) -> Any:
            statement = self._ready(cursor, statement, parameters)
            with self._failing():
                return super().do_executemany(cursor, statement, parameters, context)

        def do_execute_no_params(self, cursor: Any, statement: Any, context: Any = None) -> Any:
            statement = self._ready(cursor, statement, [])
            with self._failing():
                return super().do_execute_no_params(cursor, statement, context)

        @contextlib.contextmanager
        def _failing(self) -> Any:
            """Failures of the driver that the address names."""
            try:
                yield
            except self.loaded_dbapi.Error as error:
                kind, message = failure(error)
                if not self.slice_func_driver or kind not in POSTGRES_FAILURES:
                    raise
                raise sqlite_failure(error, kind, message, self.slice_func_driver) from None

        def _is_compiled(self, context: Any) -> bool:
            compiled = getattr(context, "compiled", None)
            return compiled is not None and not getattr(compiled, "isplaintext", False)

        def _ready(self, cursor: Any, statement: str, parameters: Any) -> str:
            if not SQLITE_OWN.search(statement):
                record("query", self.slice_func_database.name, statement, plain_values(parameters))
            if not self.slice_func_is_sqlite:
                statement = translated(statement)
            connection = raw_connection(
                getattr(cursor, "_adapt_connection", None) or cursor.connection
            )
            prepare_tables(self, connection, statement)
            return statement

        def do_commit(self, dbapi_connection: Any) -> None:
            if raw_connection(dbapi_connection).in_transaction:
                record("query", self.slice_func_database.name, "COMMIT")
            super().do_commit(dbapi_connection)

        def do_rollback(self, dbapi_connection: Any) -> None:
            raw = raw_connection(dbapi_connection)
            if raw is not None and raw.in_transaction:
                record("query", self.slice_func_database.name, "ROLLBACK")
            super().do_rollback(dbapi_connection)

        def get_columns(
            self, connection: Any, table_name: str, schema: Any = None, **kw: Any
        ) -> Any:
            if not self._is_there(connection, table_name):
                raise exc.NoSuchTableError(table_name)
            return super().get_columns(connection, table_name, None, **kw)

        def _default_multi_reflect(
            self,
            single: Any,
            connection: Any,
            kind: Any,
            schema: Any,
            filter_names: Any,
            *rest: Any,
            **kw: Any,
        ) -> Any:
            for name in filter_names or ():
                self._is_there(connection, name)
            return super()._default_multi_reflect(
                single, connection, kind, schema, filter_names, *rest, **kw
            )

        def get_table_names(self, connection: Any, schema: Any = None, **options: Any) -> Any:
            return super().get_table_names(connection, None, **options)

        def has_table(self, connection: Any, table_name: str, schema: Any = None, **kw: Any) -> Any:
            return super().has_table(connection, table_name, None, **kw)

        def _is_there(self, connection: Any, table: str) -> bool:
            """Make a table that is reflected and that nothing describes."""
            raw = RawSqlite(raw_connection(connection.connection.dbapi_connection))
            if not raw.columns(table) and known_table(table) is None:
                columns = ", ".join(ExpectedColumns.names) or "*"
                self.slice_func_database.prepare(raw.connection, f'SELECT {columns} FROM "{table}"')
            return True

    MemoryDialect.__name__ = base.__name__
    return MemoryDialect


def _is_plain_text(context: Any) -> bool:
    """Whether a statement is a text of which SQLAlchemy knows no types."""
    compiled = getattr(context, "compiled", None)
    if compiled is None or not getattr(compiled, "isplaintext", False):
        return False
    return not compiled._result_columns and getattr(compiled, "compile_state", None) is None


def sqlalchemy_bind(value: Any, column: Any) -> Any:
    """A parameter of a column's type."""
    from sqlalchemy import bindparam

    return bindparam(None, value, type_=column.type, unique=True)


def raw_connection(connection: Any) -> Any:
    """SQLite's own connection below the adapter for `await`."""
    inner = getattr(connection, "_connection", None)
    return getattr(inner, "_conn", connection) if inner is not None else connection


def known_table(name: str) -> Any:
    """The table of this name that the slice describes."""
    import sys

    sqlmodel = sys.modules.get("sqlmodel")
    if sqlmodel is not None:
        ENGINE_METADATA.add(sqlmodel.SQLModel.metadata)
    found = [
        table
        for metadata in list(ENGINE_METADATA)
        for table in metadata.tables.values()
        if table.name.lower() == name.lower() and len(table.columns)
    ]
    return max(found, key=lambda table: len(table.columns), default=None)


def prepare_tables(dialect: Any, connection: Any, statement: str) -> None:
    """Make the tables that a statement names, as the slice's metadata describes them."""
    database = dialect.slice_func_database
    verb = sql_verb(statement)
    if verb not in ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE"):
        return
    raw = RawSqlite(connection)
    before = raw.in_transaction
    for name in Named(statement).columns:
        table = known_table(name)
        if table is None:
            continue
        if not raw.columns(name):
            make_table(dialect, raw, table)
        if name.lower() not in database.settled:
            database.settled.add(name.lower())
            if chosen("database", SqlWorld.variants):
                add_table_rows(dialect, raw, table)
    if not before and raw.in_transaction:
        raw.commit()
    database.prepare(connection, statement)


def make_table(dialect: Any, raw: Any, table: Any) -> None:
    """Create one table with its indexes."""
    from sqlalchemy.schema import CreateIndex, CreateTable

    raw.execute(str(CreateTable(table).compile(dialect=dialect)))
    for index in sorted(table.indexes, key=lambda each: str(each.name)):
        try:
            raw.execute(str(CreateIndex(index).compile(dialect=dialect)))
        except Exception:  # an index of a kind that only a server has: rows do not depend on it
            continue


def add_table_rows(dialect: Any, raw: Any, table: Any, rows: int = 3) -> None:
    """A few rows of the types of the columns, if there are none."""
    quoted = dialect.identifier_preparer.quote
    if raw.execute(f"SELECT 1 FROM {quoted(table.name)} LIMIT 1"):
        return
    columns = [column for column in table.columns if column.computed is None]
    names = ", ".join(quoted(column.name) for column in columns)
    marks = ", ".join("?" for _ in columns)
    for number in range(1, rows + 1):
        values = [_stored(dialect, column, number) for column in columns]
        raw.execute(
            f"INSERT OR IGNORE INTO {quoted(table.name)} ({names}) VALUES ({marks})", values
        )


def _stored(dialect: Any, column: Any, number: int) -> Any:
    """A value of a column as SQLite stores it."""
    value = column_value(column, number)
    process = column.type.dialect_impl(dialect).bind_processor(dialect)
    try:
        return process(value) if process is not None else sqlite_values([value])[0]
    except Exception:
        return None


def column_value(column: Any, number: int) -> Any:
    """A value for row `number` of a column, of the type that Python sees."""
    default = getattr(column.default, "arg", None) if column.default is not None else None
    if default is not None and not callable(default) and not hasattr(default, "compile"):
        return default
    enums = getattr(column.type, "enums", None)
    if enums:
        enum_class = getattr(column.type, "enum_class", None)
        name = enums[(number - 1) % len(enums)]
        return list(enum_class)[(number - 1) % len(enums)] if enum_class else name
    try:
        python = column.type.python_type
    except NotImplementedError:
        python = str
    length = getattr(column.type, "length", None)
    return typed_value(python, column.name, number, length)


def typed_value(python: Any, name: str, number: int, length: Any = None) -> Any:
    """A value of a Python type."""
    import datetime
    import decimal
    import uuid

    day = datetime.datetime(2026, 1, number, 12)
    values: dict[Any, Any] = {
        bool: bool(number % 2),
        int: number,
        float: number + 0.5,
        decimal.Decimal: decimal.Decimal(number) + decimal.Decimal("0.50"),
        datetime.datetime: day,
        datetime.date: day.date(),
        datetime.time: day.time(),
        datetime.timedelta: datetime.timedelta(hours=number),
        uuid.UUID: uuid.UUID(str(sample_value(name, "UUID", number))),
        bytes: f"{name} {number}".encode(),
        dict: {},
        list: [],
    }
    text = sample_text(name, number)
    return values.get(python, text[-length:] if length else text)


# ----------------------------------------------------------------------------- Flask-SQLAlchemy


def patch_flask_sqlalchemy(flask_sqlalchemy: Any) -> None:
    """Databases of Flask applications, reachable also where no request is under way."""
    extension = flask_sqlalchemy.SQLAlchemy
    prepare, join = extension.__init__, extension.init_app

    def entered(app: Any) -> None:
        context = app.app_context()
        context.push()
        undo_with(_left, context)

    def initialise(self: Any, app: Any = None, *arguments: Any, **options: Any) -> None:
        prepare(self, app, *arguments, **options)
        if app is None:
            import flask

            bare = flask.Flask("slice_func_mocks", root_path="/", instance_path="/instance")
            self.init_app(bare)

    def init_app(self: Any, app: Any) -> None:
        if not app.config.get("SQLALCHEMY_DATABASE_URI"):
            app.config["SQLALCHEMY_DATABASE_URI"] = "postgresql://localhost/database"
        join(self, app)
        entered(app)

    replace(extension, "__init__", initialise)
    replace(extension, "init_app", init_app)
    replace(extension, "_apply_driver_defaults", lambda self, options, app: None)


def _left(context: Any) -> None:
    try:
        context.pop()
    except Exception:
        return
