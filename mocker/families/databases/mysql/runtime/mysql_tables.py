"""CREATE TABLE as MySQL means it: what a column takes is checked, letters are alike in any case."""

from __future__ import annotations

import re
from collections.abc import Callable

from .....world.sql.sql_translation import translated

WHOLE_NUMBERS = {
    "TINYINT": 8,
    "SMALLINT": 16,
    "MEDIUMINT": 24,
    "INT": 32,
    "INTEGER": 32,
    "BIGINT": 64,
}
COLUMN = re.compile(
    r"\s*[`\"]?(\w+)[`\"]?\s+(\w+)\s*(\((?:'(?:[^']|'')*'|[^()'])*\))?(.*)\Z", re.DOTALL
)
NOISE = re.compile(
    r"\b(CHARACTER\s+SET\s+\w+|CHARSET\s+\w+|COLLATE\s+\w+|COMMENT\s+'(?:[^']|'')*'|UNSIGNED|SIGNED"
    r"|ZEROFILL|ON\s+UPDATE\s+\w+(\s*\(\d*\))?|REFERENCES\s+\S+\s*\([^)]*\)"
    r"|ON\s+(DELETE|UPDATE)\s+(CASCADE|SET\s+NULL|NO\s+ACTION|RESTRICT)|VISIBLE|STORED|FIRST)\b",
    re.IGNORECASE,
)


def mysql_table(sql: str, is_there: Callable[[str], bool]) -> str:
    """A statement that makes a table, for SQLite."""
    head = re.match(r"(.*?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?)([`\"\w.]+)\s*(?=\()", sql, re.I | re.S)
    if not head:
        return translated(sql)  # AS SELECT, LIKE
    table = re.findall(r"\w+", head[2])[-1]
    items = table_items(sql[head.end() :])
    columns = {m[1].lower(): m for m in map(COLUMN.match, items) if m and not _is_key(m[0])}
    own = next((name for name, m in columns.items() if "AUTO_INCREMENT" in m[4].upper()), "")
    parts: list[str] = []
    checks: list[str] = []
    for item in items:
        found = COLUMN.match(item)
        if _is_key(item):
            parts += _mysql_key(
                item, own, lambda name: name.lower() == table.lower() or is_there(name)
            )
        elif found:
            parts.append(_mysql_column_text(found, own))
            checks += _mysql_checks(found)
    made = re.sub(r"\bTEMPORARY\b", "TEMP", head[1], flags=re.IGNORECASE)
    last = [
        part
        for part in parts
        if re.match(r"\s*(UNIQUE|PRIMARY|CONSTRAINT|FOREIGN|CHECK)", part, re.I)
    ]
    first = [part for part in parts if part not in last]
    return f'{made}"{table}" ({", ".join([*first, *checks, *last])})'


def table_items(text: str) -> list[str]:
    """What stands between the brackets, at its commas."""
    items, depth = [""], 0
    for word in re.findall(r"'(?:[^']|'')*'|`[^`]*`|\w+|\s+|.", text, re.DOTALL):
        depth -= word == ")"
        if depth == 0 and word == ")":
            break
        if depth == 1 and word == ",":
            items.append("")
        elif depth:
            items[-1] += word
        depth += word == "("
    return [item.strip() for item in items if item.strip()]


def _is_key(item: str) -> bool:
    words = r"\s*(PRIMARY\s+KEY|UNIQUE|KEY|INDEX|FULLTEXT|SPATIAL|CONSTRAINT|FOREIGN|CHECK)\b"
    return bool(re.match(words, item, re.IGNORECASE))


def _mysql_key(item: str, own: str, is_there: Callable[[str], bool]) -> list[str]:
    item = re.sub(r"\bUSING\s+\w+", "", item, flags=re.IGNORECASE)
    foreign = re.search(r"REFERENCES\s+(?:[`\"]?\w+[`\"]?\.)?[`\"]?(\w+)", item, re.IGNORECASE)
    if foreign:
        return [translated(item)] if is_there(foreign[1]) else []
    if re.search(r"\bCHECK\b", item, re.IGNORECASE):
        return [translated(item)]
    inside = re.search(r"\((.*)\)", item, re.DOTALL)
    names = re.findall(r"[`\"]?([A-Za-z_]\w*)[`\"]?\s*(?:\(\d+\))?", inside[1] if inside else "")
    names = [name for name in names if name.upper() not in ("ASC", "DESC")]
    listed = ", ".join(f'"{name}"' for name in names)
    if re.search(r"\bPRIMARY\b", item, re.IGNORECASE):
        is_own = [name.lower() for name in names] == [own]
        return [] if is_own else [f"PRIMARY KEY ({listed})"]
    return [f"UNIQUE ({listed})"] if re.search(r"\bUNIQUE\b", item, re.IGNORECASE) else []


def _mysql_column_text(found: re.Match[str], own: str) -> str:
    name, kind, size, rest = found[1], found[2].upper(), found[3] or "", found[4]
    if name.lower() == own:
        return f'"{name}" INTEGER PRIMARY KEY AUTOINCREMENT'
    rest = NOISE.sub(" ", rest)
    rest = re.sub(r"\bUNIQUE\s+KEY\b", "UNIQUE", rest, flags=re.IGNORECASE)
    rest = re.sub(r"(DEFAULT\s+)([A-Za-z_]\w*\s*\([^()]*\))", r"\1(\2)", rest, flags=re.IGNORECASE)
    if kind in ("BOOL", "BOOLEAN"):
        kind, size = "TINYINT", "(1)"
    if kind in ("ENUM", "SET", "JSON"):
        kind, size = f"{kind}_TEXT", ""
    is_text = re.search(r"CHAR|TEXT", kind) and kind != "JSON_TEXT"
    return f'"{name}" {kind}{size} {"COLLATE NOCASE" if is_text else ""} {rest}'


def _mysql_checks(found: re.Match[str]) -> list[str]:
    """What MySQL refuses to store in such a column, each under a name that tells why."""
    name, kind, size, rest = found[1], found[2].upper(), found[3] or "", found[4].upper()
    if "AUTO_INCREMENT" in rest:
        return []
    column = f'"{name}"'
    wanted: list[tuple[str, str]] = []
    if kind in ("VARCHAR", "CHAR") and size:
        wanted = [("long", f"length({column}) <= {size}")]
    elif kind == "ENUM":
        wanted = [("choice", f"{column} COLLATE NOCASE IN {size}")]
    elif kind in WHOLE_NUMBERS:
        bits = WHOLE_NUMBERS[kind]
        low, high = -(1 << bits - 1), (1 << bits - 1) - 1
        if "UNSIGNED" in rest:
            low, high = 0, min((1 << bits) - 1, (1 << 63) - 1)
        wanted = [
            ("number", f"typeof({column}) <> 'text'"),
            ("range", f"{column} BETWEEN {low} AND {high}"),
        ]
    elif kind in ("DECIMAL", "NUMERIC", "DEC"):
        digits = [int(part) for part in re.findall(r"\d+", size)] + [0]
        limit = 10 ** ((digits[0] or 10) - digits[1]) if digits[0] else 10**10
        wanted = [("number", f"typeof({column}) <> 'text'"), ("range", f"abs({column}) < {limit}")]
    elif kind in ("FLOAT", "DOUBLE"):
        wanted = [("number", f"typeof({column}) <> 'text'")]
    elif kind in ("DATE", "DATETIME", "TIMESTAMP"):
        wanted = [("day", f"slice_func_is_day({column})")]
    return [f'CONSTRAINT "{why} {name}" CHECK ({column} IS NULL OR {test})' for why, test in wanted]
