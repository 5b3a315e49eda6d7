"""Rows of a server in memory with the types that their columns were declared with."""

from __future__ import annotations

import re
from typing import Any

from .sql_memory import RawSqlite
from .sql_text import Named, sql_words

NAMED_CALL = re.compile(
    r"\b(avg|max|min|sum|coalesce)\s*\(\s*(?:\w+\.)?\"?(\w+)\"?[^()]*\)\s+AS\s+\"?(\w+)", re.I
)


def typed_rows(
    connection: Any, types: dict[str, Any], sql: str, columns: list[str], rows: list[Any]
) -> list[Any]:
    """The rows of a statement, converted by what its tables say of their columns."""
    converters = row_converters(connection, types, sql, columns)
    if not any(converters):
        return [tuple(row) for row in rows]
    return [converted(row, converters) for row in rows]


def row_converters(
    connection: Any, types: dict[str, Any], sql: str, columns: list[str]
) -> list[Any]:
    """What converts the values of each column; `None` where they are as they should be."""
    kinds = _declared_kinds(connection, sql)
    return [_converter(types, name, kinds) for name in columns]


def converted(row: Any, converters: list[Any]) -> tuple[Any, ...]:
    """A row with its values converted."""
    return tuple(
        convert(value) if convert is not None and value is not None else value
        for convert, value in zip(converters, row, strict=True)
    )


def _declared_kinds(connection: Any, sql: str) -> dict[str, str]:
    """Declared type by name of column, and by the names that the statement gives them."""
    raw = RawSqlite(connection)
    kinds: dict[str, str] = {}
    for table in Named(sql).columns:
        for name, declared in raw.columns(table):
            kinds.setdefault(name.lower(), declared.upper())
    for function, column, name in NAMED_CALL.findall(sql):
        inner = kinds.get(column.lower(), "")
        kinds.setdefault(name.lower(), "AVERAGE" if function.lower() == "avg" else inner)
    words = [text.strip('"').lower() for _, text in sql_words(sql)]
    for at in range(1, len(words) - 1):
        if words[at] == "as" and words[at - 1] in kinds:
            kinds.setdefault(words[at + 1], kinds[words[at - 1]])
    return kinds


def _converter(types: dict[str, Any], column: str, kinds: dict[str, str]) -> Any:
    name = column.lower()
    inside = re.fullmatch(r"(max|min|coalesce|sum)\(\s*(?:\w+\.)?\"?(\w+)\"?.*\)", name)
    if name.startswith(("exists", "not exists")):
        return types.get("bool")
    if re.match(r"(now|current_timestamp|datetime)\b", name):
        return types.get("datetime")
    if name.startswith("avg("):
        return types.get("average")
    declared = kinds.get(inside[2] if inside else name, "")
    kind = declared_kind(declared)
    convert = types.get(kind)
    scale = re.search(r"\(\s*\d+\s*,\s*(\d+)\s*\)", declared)
    if kind == "decimal" and convert is not None and scale:
        return lambda value: convert(f"{value:.{scale[1]}f}")
    return convert


def declared_kind(declared: str) -> str:
    """Which conversion a declared type asks for."""
    patterns = (
        ("average", r"AVERAGE"), ("array", r"\[\]"),
        ("bool", r"BOOL|TINYINT\(1\)"), ("aware", r"TIMESTAMPTZ"),
        ("datetime", r"TIMESTAMP|DATETIME"), ("date", r"DATE\b"), ("time", r"TIME\b"),
        ("decimal", r"NUMERIC|DECIMAL|MONEY"), ("json", r"JSON"), ("uuid", r"UUID"),
        ("bytes", r"BYTEA|BLOB|BINARY"), ("float", r"REAL|FLOAT|DOUBLE"),
    )  # fmt: skip
    return next((kind for kind, pattern in patterns if re.match(pattern, declared)), "") or (
        "array" if "[]" in declared else ""
    )


def server_types(**more: Any) -> dict[str, Any]:
    """Conversions that most drivers share, and those of one driver."""
    import datetime
    import decimal
    import json

    def moment(value: Any) -> Any:
        return datetime.datetime.fromisoformat(value).replace(tzinfo=None)

    def aware(value: Any) -> Any:
        found = datetime.datetime.fromisoformat(value)
        return found if found.tzinfo else found.replace(tzinfo=datetime.UTC)

    def average(value: Any) -> Any:
        return decimal.Decimal(f"{value:.16f}")

    return {
        "bool": bool,
        "datetime": moment,
        "aware": aware,
        "date": lambda value: datetime.date.fromisoformat(str(value)[:10]),
        "time": datetime.time.fromisoformat,
        "decimal": lambda value: decimal.Decimal(str(value)),
        "average": average,
        "json": lambda value: json.loads(value) if isinstance(value, str) else value,
        "array": lambda value: json.loads(value) if isinstance(value, str) else value,
        "float": float,
        **more,
    }
