"""Columns of MySQL's results: which type one has, and its values as they go over the wire."""

from __future__ import annotations

import re
import struct
from typing import Any

MYSQL_KINDS = (
    ("TINYINT|BOOL(EAN)?", 1), ("SMALLINT", 2), ("MEDIUMINT", 9), ("BIGINT|SERIAL", 8), ("INT(EGER)?", 3),
    ("DEC(IMAL)?|NUMERIC|FIXED", 246), ("FLOAT", 4), ("DOUBLE|REAL", 5), ("DATETIME", 12),
    ("TIMESTAMP", 7), ("DATE", 10), ("TIME", 11), ("YEAR", 13), ("CHAR(ACTER)?", 254),
    ("ENUM|SET", 254), ("VARCHAR", 253), ("VARBINARY", 253), ("BINARY", 254),
    (r"\w*TEXT|JSON", 252), (r"\w*BLOB", 252),
)  # fmt: skip
WHOLE = {1: "<b", 2: "<h", 9: "<i", 3: "<i", 8: "<q", 13: "<h"}


class MySQLColumn:
    """A column of a result: name, number of its type, and digits behind the point."""

    def __init__(self, name: str, kind: int, scale: int, *, is_binary: bool) -> None:
        self.name, self.kind, self.scale, self.is_binary = name, kind, scale, is_binary

    def packet(self) -> bytes:
        """The definition as it goes over the wire."""
        name = self.name.encode("utf-8", "surrogateescape")
        parts = [b"def", b"", b"", b"", name, name]
        head = b"".join(_counted(part) for part in parts)
        charset = 63 if self.is_binary or self.kind not in (252, 253, 254) else 45
        flags = 128 if self.is_binary else 0
        scale = self.scale if self.kind == 246 else 0
        return head + b"\x0c" + struct.pack("<HIBHBH", charset, 255, self.kind, flags, scale, 0)


def mysql_column(name: str, declared: str, values: list[Any]) -> MySQLColumn:
    """A column of a declared type; where there is none, what its values are like decides."""
    declared = declared.upper()
    for pattern, kind in MYSQL_KINDS:
        if re.match(rf"({pattern})(?![A-Z])|({pattern})_TEXT", declared):
            scale = re.search(r"\(\s*\d+\s*,\s*(\d+)\s*\)", declared)
            is_binary = "BLOB" in declared or "BINARY" in declared
            return MySQLColumn(name, kind, int(scale[1]) if scale else 0, is_binary=is_binary)
    kinds = {type(value) for value in values if value is not None}
    if bytes in kinds:
        return MySQLColumn(name, 252, 0, is_binary=True)
    if kinds and kinds <= {int, float, bool}:
        return MySQLColumn(name, 5 if float in kinds else 8, 0, is_binary=False)
    return MySQLColumn(name, 253 if kinds else 6, 0, is_binary=False)


def text_value(value: Any, column: MySQLColumn) -> bytes:
    """A value as a text with its length before it."""
    return b"\xfb" if value is None else _counted(_written(value, column))


def binary_value(value: Any, column: MySQLColumn) -> bytes:
    """A value as results of prepared statements have it."""
    if value is None:
        return b""
    if column.kind in WHOLE:
        return struct.pack(WHOLE[column.kind], int(value))
    if column.kind in (4, 5):
        return struct.pack("<f" if column.kind == 4 else "<d", float(value))
    if column.kind in (7, 10, 12):
        numbers = [int(part) for part in re.findall(r"\d+", str(value))[:6]]
        numbers += [0] * (3 - len(numbers))
        packed = struct.pack("<H", numbers[0]) + bytes(numbers[1:])
        return bytes([len(packed)]) + packed
    if column.kind == 11:
        hours, minutes, seconds = (int(part) for part in re.findall(r"\d+", f"{value}:0")[:3])
        negative = str(value).startswith("-")
        return b"\x08" + struct.pack("<BIBBB", negative, hours // 24, hours % 24, minutes, seconds)
    return _counted(_written(value, column))


def _written(value: Any, column: MySQLColumn) -> bytes:
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if column.kind == 246:
        return _decimal(value, column.scale).encode()
    text = str(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        text = str(int(value))
    elif column.kind == 10:
        text = text[:10]
    elif column.kind in (7, 12):
        text = text.replace("T", " ")
        text = text if len(text) > 10 else f"{text} 00:00:00"
    elif column.kind == 11 and text.count(":") == 1:
        text += ":00"
    return text.encode("utf-8", "surrogateescape")


def _decimal(value: Any, scale: int) -> str:
    import decimal

    exact = decimal.Decimal(str(value))
    return str(exact.quantize(decimal.Decimal(1).scaleb(-scale), decimal.ROUND_HALF_UP))


def _counted(content: bytes) -> bytes:
    size = len(content)
    if size < 251:
        return bytes([size]) + content
    return b"\xfe" + struct.pack("<Q", size) + content


# ----------------------------------------------------------------------------- expressions


def selected(sql: str) -> list[tuple[str, str]]:
    """What a query selects: the expression and the name of each column; empty if there is a `*`."""
    found = re.match(r"\s*SELECT\s+(?:DISTINCT\s+|ALL\s+)?", sql, re.IGNORECASE)
    if not found:
        return []
    items = [item.strip() for item in _items(sql[found.end() :])]
    if any(item == "*" or item.endswith(".*") for item in items):
        return []
    return [_named(item) for item in items]


def _items(text: str) -> list[str]:
    items, depth, quote = [""], 0, ""
    for word in re.findall(r"\w+|\s+|.", text, re.DOTALL):
        if quote:
            quote = "" if word == quote else quote
        elif word in "'\"`":
            quote = word
        elif depth == 0 and word.upper() in ("FROM", "LIMIT", "UNION", "WHERE", "ORDER", ";"):
            break
        elif depth == 0 and word == ",":
            items.append("")
            continue
        depth += (word == "(") - (word == ")") if not quote else 0
        items[-1] += word
    return items


def _named(item: str) -> tuple[str, str]:
    alias = re.search(r"\s+AS\s+[`'\"]?(\w+)[`'\"]?\Z", item, re.IGNORECASE)
    if alias:
        return item[: alias.start()], alias[1]
    bare = re.fullmatch(r"(?:[`\w]+\.)?`?(\w+)`?", item)
    if bare and not item.isdigit():
        return item, bare[1]
    behind = re.fullmatch(r"(.*[\w)`])\s+`?([A-Za-z_]\w*)`?", item, re.DOTALL)
    if behind and behind[2].upper() != "END":
        return behind[1], behind[2]
    text = re.fullmatch(r"'(.*)'", item, re.DOTALL)
    return item, text[1] if text else item


def expression_type(expression: str, declared: dict[str, str]) -> str:
    """The declared type of a column, or the type of what is reckoned from columns."""
    plain = re.fullmatch(r"(?:[`\w]+\.)?`?(\w+)`?", expression)
    if plain:
        return declared.get(plain[1].lower(), "")
    call = re.fullmatch(r"(\w+)\s*\((.*)\)", expression.strip(), re.DOTALL)
    name = call[1].upper() if call else ""
    names = re.findall(r"\w+", re.sub(r"'[^']*'", "", call[2] if call else expression))
    inner = next((declared[word.lower()] for word in names if word.lower() in declared), "")
    is_real = re.match(r"FLOAT|DOUBLE|REAL", inner.upper())
    digits = re.search(r",\s*(\d+)\s*\)", inner) if re.match("DEC|NUM", inner.upper()) else None
    scale = int(digits[1]) if digits else 0
    if name in ("SUM", "AVG"):
        return "DOUBLE" if is_real else f"DECIMAL(65,{scale + 4 * (name == 'AVG')})"
    if name in ("MAX", "MIN", "COALESCE", "IFNULL", "NULLIF"):
        return inner
    if name in ("NOW", "CURRENT_TIMESTAMP", "SYSDATE", "STR_TO_DATE", "TIMESTAMP"):
        return "DATETIME"
    if name in ("DATE", "CURDATE", "CURRENT_DATE", "LAST_DAY"):
        return "DATE"
    if name in ("DATE_ADD", "DATE_SUB"):
        return inner
    if name == "ROUND" and not is_real:
        wanted = re.search(r",\s*(\d+)\s*\Z", call[2]) if call else None
        return f"DECIMAL(65,{wanted[1]})" if wanted else ""
    if not name and "*1.0/" in expression and not is_real:
        return f"DECIMAL(65,{scale + 4})"
    return inner if not name and scale and re.search(r"[*+-]", expression) else ""
