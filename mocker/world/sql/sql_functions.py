"""Functions of SQL servers that SQLite lacks."""

from __future__ import annotations

import re
from typing import Any

from .sql_memory import SQL_NOW, fix_clock


def server_functions(connection: Any) -> None:
    """Teach a SQLite connection what PostgreSQL and MySQL can do."""
    fix_clock(connection)
    identifiers = iter(range(1, 1 << 40))

    def identifier() -> str:
        return f"00000000-0000-4000-8000-{next(identifiers):012}"

    for name in ("now", "clock_timestamp", "transaction_timestamp", "localtimestamp", "sysdate"):
        connection.create_function(name, -1, lambda *_: SQL_NOW)
    for name in ("curdate", "getdate"):
        connection.create_function(name, 0, lambda: SQL_NOW[:10])
    connection.create_function("utc_timestamp", -1, lambda *_: SQL_NOW)
    connection.create_function("rand", -1, lambda *_: 0.5)
    for name in ("gen_random_uuid", "uuid_generate_v4", "uuid"):
        connection.create_function(name, 0, identifier)
    connection.create_function("version", 0, lambda: "PostgreSQL 15.0")
    connection.create_function("current_database", 0, lambda: "database")
    connection.create_function("concat", -1, lambda *a: "".join(str(v) for v in a if v is not None))
    connection.create_function("concat_ws", -1, _joined)
    connection.create_function("greatest", -1, lambda *a: max(v for v in a if v is not None))
    connection.create_function("least", -1, lambda *a: min(v for v in a if v is not None))
    connection.create_function("if", 3, lambda test, yes, no: yes if test else no)
    connection.create_function("date_trunc", 2, _truncated)
    connection.create_function("char_length", 1, lambda v: None if v is None else len(str(v)))
    connection.create_function("left", 2, lambda v, n: None if v is None else str(v)[:n])
    connection.create_function("right", 2, lambda v, n: None if v is None else str(v)[-n:])
    connection.create_function("md5", 1, _md5)
    connection.create_function("pg_sleep", 1, lambda _: None)
    connection.create_function("setval", -1, lambda *a: a[1])
    # `a MATCH b` and `a REGEXP b` call these with b first
    connection.create_function("match", 2, _ilike)
    connection.create_function("regexp", 2, _regexp)
    for name in ("pg_advisory_lock", "pg_advisory_xact_lock", "get_lock", "release_lock"):
        connection.create_function(name, -1, lambda *_: 1)


def _joined(separator: str, *values: Any) -> str:
    return separator.join(str(value) for value in values if value is not None)


def _truncated(unit: str, moment: Any) -> Any:
    if moment is None:
        return None
    lengths = {"year": 4, "month": 7, "day": 10, "hour": 13, "minute": 16, "second": 19}
    length = lengths.get(unit, 10)
    return str(moment)[:length] + "0000-01-01 00:00:00"[length:]


def _md5(value: Any) -> Any:
    import hashlib

    return None if value is None else hashlib.md5(str(value).encode()).hexdigest()


def _ilike(pattern: Any, value: Any) -> Any:
    if pattern is None or value is None:
        return None
    parts = {"%": ".*", "_": "."}
    written = "".join(parts.get(letter, re.escape(letter)) for letter in str(pattern))
    return re.fullmatch(written, str(value), re.IGNORECASE | re.DOTALL) is not None


def _regexp(pattern: Any, value: Any) -> Any:
    if pattern is None or value is None:
        return None
    return re.search(str(pattern), str(value)) is not None
