"""Tables of SQLAlchemy's metadata in SQLite, with rows of values that fit their columns."""

from __future__ import annotations

import weakref
from typing import Any

from .....world.core.world import chosen
from .....world.data.sample_values import sample_text, sample_value
from .....world.sql.sql_memory import RawSqlite, SqlWorld
from .....world.sql.sql_text import Named, sql_verb
from .....world.sql.sql_translation import sqlite_values

ENGINE_METADATA: Any = weakref.WeakSet()


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

    there = [each for each in table.foreign_key_constraints if _leads_to_a_table(each)]
    made = CreateTable(table, include_foreign_key_constraints=there)
    raw.execute(str(made.compile(dialect=dialect)))
    for index in sorted(table.indexes, key=lambda each: str(each.name)):
        try:
            raw.execute(str(CreateIndex(index).compile(dialect=dialect)))
        except Exception:  # an index of a kind that only a server has: rows do not depend on it
            continue


def _leads_to_a_table(key: Any) -> bool:
    """Whether the slice has the table that a foreign key names."""
    try:
        return key.referred_table is not None
    except Exception:
        return False


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
