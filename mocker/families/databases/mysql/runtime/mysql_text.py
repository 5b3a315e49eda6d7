"""MySQL's words as SQLite takes them: strings, comments, division, and the rows of an INSERT."""

from __future__ import annotations

import re

MYSQL_STRING = re.compile(
    r"(?P<binary>_binary\s*)?(?P<quote>['\"])(?P<inside>(?:\\.|(?P=quote)(?P=quote)|(?!(?P=quote)).)*)(?P=quote)"
    r"|`[^`]*`|#[^\n]*|--\s[^\n]*|/\*.*?\*/|/(?!\*)|\bDIV\b|\bSEPARATOR\b",
    re.DOTALL | re.IGNORECASE,
)
ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "0": "\0",
    "b": "\b",
    "Z": "\x1a",
    "%": "\\%",
    "_": "\\_",
}


def plain_strings(sql: str) -> str:
    """MySQL's strings, comments and division in SQLite's way."""

    def plain(found: re.Match[str]) -> str:
        if found["quote"] is None:
            text = found[0]
            if text[0] == "`":
                return text
            words = {"/": "*1.0/", "DIV": "/+", "SEPARATOR": ","}
            return words.get(text.upper(), " ")
        quote = found["quote"]
        inside = found["inside"].replace(quote * 2, quote)
        value = re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), inside, flags=re.DOTALL)
        content = value.encode("utf-8", "surrogateescape")
        if found["binary"]:
            return f"X'{content.hex()}'"
        if "\0" in value:
            return f"CAST(X'{content.hex()}' AS TEXT)"
        return "'" + value.replace("'", "''") + "'"

    return MYSQL_STRING.sub(plain, sql)


def names_given(sql: str) -> list[str]:
    """The columns that an INSERT names."""
    found = re.match(r"\s*(?:INSERT|REPLACE)\b[^(]*?\(([^)]*)\)\s*(?:VALUES?|SELECT)\b", sql, re.I)
    return re.findall(r"\w+", found[1]) if found else []


def gives_column(sql: str, column: str) -> bool:
    """Whether a statement gives a value for a column."""
    names = [name.lower() for name in names_given(sql)]
    is_insert = re.match(r"\s*(INSERT|REPLACE)\b", sql, re.IGNORECASE)
    return not (is_insert and names and column.lower() not in names)


def named_rows(sql: str) -> list[str]:
    """The rows that an INSERT gives, without their brackets."""
    start = re.search(r"\bVALUES?\s*(?=\()", sql, re.IGNORECASE)
    if not start:
        return []
    rows, depth = [], 0
    for word in re.findall(r"'(?:[^']|'')*'|\w+|\s+|.", sql[start.end() :], re.DOTALL):
        if word == ")":
            depth -= 1
        if depth:
            rows[-1] += word
        elif word == "(":
            rows.append("")
        elif word not in (")", ",") and word.strip():
            break
        if word == "(":
            depth += 1
    return rows
