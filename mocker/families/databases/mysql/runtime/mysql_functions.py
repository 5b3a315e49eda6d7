"""Functions of MySQL that SQLite lacks, or has with another meaning."""

from __future__ import annotations

import re
from typing import Any

from .....world.sql.sql_memory import SQL_NOW

DATE_CODES = {"i": "%M", "s": "%S", "M": "%B", "c": "%-m", "e": "%-d", "k": "%-H", "W": "%A", "a": "%a",
              "b": "%b", "T": "%H:%M:%S", "r": "%I:%M:%S %p", "h": "%I"}  # fmt: skip


def mysql_functions(connection: Any, session: Any) -> None:
    """Teach a SQLite connection what MySQL can do."""

    def count(event: str) -> None:
        session.counts[event] += 1

    one_day = {
        "slice_func_is_day": is_day, "year": lambda v: _part(v, 0), "month": lambda v: _part(v, 1),
        "day": lambda v: _part(v, 2), "dayofmonth": lambda v: _part(v, 2), "hour": lambda v: _part(v, 3),
        "minute": lambda v: _part(v, 4), "second": lambda v: _part(v, 5),
    }  # fmt: skip
    for name, function in one_day.items():
        connection.create_function(name, 1, function, deterministic=True)
    connection.create_function("slice_func_count", 1, count)
    connection.create_function("concat", -1, _concat)
    connection.create_function("date_format", 2, _formatted)
    connection.create_function("datediff", 2, _days_between)
    connection.create_function(
        "locate", 2, lambda part, text: str(text).lower().find(str(part).lower()) + 1
    )
    connection.create_function("find_in_set", 2, _place_in_set)
    connection.create_function("last_insert_id", 0, lambda: session.last)
    connection.create_function("row_count", 0, lambda: sum(session.counts.values()))
    connection.create_function("database", 0, lambda: session.schema)
    connection.create_function("version", 0, lambda: "8.0.36")
    connection.create_function("user", 0, lambda: "app@localhost")
    connection.create_function("connection_id", 0, lambda: 1)
    connection.create_function("current_timestamp", -1, lambda *_: SQL_NOW)
    connection.create_function("sha1", 1, lambda v: _hashed("sha1", v))
    connection.create_function("sha2", 2, lambda v, bits: _hashed(f"sha{bits or 256}", v))
    connection.create_function("lpad", 3, lambda text, n, pad: str(text).rjust(n, pad)[:n])
    connection.create_function("rpad", 3, lambda text, n, pad: str(text).ljust(n, pad)[:n])


def is_day(value: Any) -> bool:
    """Whether MySQL takes it for a day or a moment."""
    return _read_moment(value) is not None


def _read_moment(value: Any) -> Any:
    import datetime

    numbers = [int(part) for part in re.findall(r"\d+", str(value))]
    if len(numbers) == 1 and len(str(value)) in (8, 14):
        text = str(value)
        numbers = [int(text[:4]), *(int(text[at : at + 2]) for at in range(4, len(text), 2))]
    if len(numbers) < 3:
        return None
    try:
        return datetime.datetime(*numbers[:6])
    except (ValueError, TypeError):
        return None


def _part(value: Any, number: int) -> Any:
    moment = _read_moment(value) if value is not None else None
    return moment.timetuple()[number] if moment else None


def _concat(*values: Any) -> Any:
    if None in values:
        return None
    return "".join(v.decode(errors="replace") if isinstance(v, bytes) else str(v) for v in values)


def _formatted(value: Any, form: str) -> Any:
    moment = _read_moment(value) if value is not None else None
    if moment is None:
        return None
    return moment.strftime(re.sub("%(.)", lambda m: DATE_CODES.get(m[1], m[0]), form))


def _days_between(first: Any, second: Any) -> Any:
    one, two = _read_moment(first), _read_moment(second)
    return (one.date() - two.date()).days if one and two else None


def _place_in_set(value: Any, listed: Any) -> Any:
    parts = str(listed).lower().split(",")
    return parts.index(str(value).lower()) + 1 if str(value).lower() in parts else 0


def _hashed(name: str, value: Any) -> Any:
    import hashlib

    return None if value is None else hashlib.new(name, str(value).encode()).hexdigest()
