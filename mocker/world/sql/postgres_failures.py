"""How PostgreSQL calls its failures: by kind, the name of the class and the code."""

from __future__ import annotations

from typing import Any

POSTGRES_FAILURES = {
    "unique": ("UniqueViolation", "23505"), "null": ("NotNullViolation", "23502"),
    "foreign": ("ForeignKeyViolation", "23503"), "check": ("CheckViolation", "23514"),
    "table": ("UndefinedTable", "42P01"), "exists": ("DuplicateTable", "42P07"),
    "column": ("UndefinedColumn", "42703"), "syntax": ("SyntaxError", "42601"),
    "function": ("UndefinedFunction", "42883"), "failed": ("InFailedSqlTransaction", "25P02"),
}  # fmt: skip


def psycopg2_failure(psycopg2: Any, kind: str, message: str) -> Any:
    """The exception that psycopg2 raises for a kind of failure."""
    import psycopg2.errors

    if kind not in POSTGRES_FAILURES:
        plain = {"closed": psycopg2.InterfaceError, "locked": psycopg2.OperationalError}
        return plain.get(kind, psycopg2.ProgrammingError)(message)
    return with_code(psycopg2.errors.lookup(POSTGRES_FAILURES[kind][1]), kind, message)


def with_code(known: Any, kind: str, message: str) -> Any:
    """An exception of psycopg2 with the code that the server gives."""
    error = known(message + "\n")
    error.__setstate__({"pgcode": POSTGRES_FAILURES[kind][1], "pgerror": f"ERROR:  {message}\n"})
    return error


def sqlite_failure(error: Any, kind: str, message: str, driver: str) -> Any:
    """A failure of SQLite that is also what a driver of PostgreSQL would raise.

    Args:
        error: what SQLite raised.
        kind: of the failure.
        message: what PostgreSQL would say.
        driver: `psycopg2`, `psycopg`, or another.
    """
    import sqlite3
    import sys

    name, code = POSTGRES_FAILURES[kind]
    base = sqlite3.IntegrityError if code.startswith("23") else sqlite3.ProgrammingError
    errors = sys.modules.get(f"{driver}.errors")
    if driver == "asyncpg":
        return base(message).with_traceback(error.__traceback__)
    if errors is None:
        return type(name, (base,), {"pgcode": code, "sqlstate": code})(message)
    known = type(name, (getattr(errors, name), base), {"__module__": f"{driver}.errors"})
    return with_code(known, kind, message) if driver == "psycopg2" else known(message)
