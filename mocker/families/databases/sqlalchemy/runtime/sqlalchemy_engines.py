"""Engines of SQLAlchemy for any address, on SQLite; tables come from the slice's own metadata."""

from __future__ import annotations

import contextlib
import importlib
import json
import re
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.plain_data import plain_values
from .....world.core.world import chosen, record, replace
from .....world.sql.postgres_failures import POSTGRES_FAILURES, sqlite_failure
from .....world.sql.sql_functions import server_functions
from .....world.sql.sql_memory import RawSqlite, SqlDatabase, SqlWorld, sql_database
from .....world.sql.sql_rows import converted, row_converters, server_types
from .....world.sql.sql_server import failure
from .....world.sql.sql_translation import sqlite_values, translated
from .flask_databases import patch_flask_sqlalchemy
from .sqlalchemy_tables import (
    ENGINE_METADATA,
    known_table,
    prepare_tables,
    raw_connection,
    sqlalchemy_bind,
)

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

            connection = importlib.import_module("aiosqlite").Connection
            replace(connection, "__init__", ending_with_the_process(connection.__init__))
            cls._made[True] = memory_dialect(SQLiteDialect_aiosqlite, is_async=True)
        return cls._made[True]


def ending_with_the_process(init: Any) -> Any:
    """A connection of aiosqlite whose thread does not outlive the program, though nobody closes it.

    SQLAlchemy sees to that only where it knows of the thread, which moved with aiosqlite 0.22.
    """

    def start(self: Any, *arguments: Any, **options: Any) -> None:
        init(self, *arguments, **options)
        vars(self).get("_thread", self).daemon = True

    return start


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

        def visit_null(self, type_: Any, **options: Any) -> str:
            return "INTEGER"  # of the key of a table that the slice does not have

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
