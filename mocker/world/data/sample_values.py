"""Values for rows that nobody has written: by the name of a column and by its type."""

from __future__ import annotations

import re
from typing import Any

_NUMBER = re.compile(
    r"(^|_)(id|ids|uid|no|num|number|count|total|age|year|month|day|hour|size|length|level|rank|score"
    r"|points?|qty|quantity|price|cost|amount|balance|rate|weight|height|width|position|order|index"
    r"|duration|seconds|minutes|attempts?|visits?|clicks?|views?|likes?|stock|value|sum|avg|min|max"
    r"|percent|percentage|lat|latitude|lng|lon|longitude|port|xp|coins?|money)$|\d$|[a-z]Id$",
)
_FLAG = re.compile(r"^(is|has|can|was|allow|enable)_|(^|_)(active|enabled|deleted|done|verified)$")
_TIME = re.compile(r"(^|_)(date|time|timestamp|datetime|created|updated|modified)(_|$)|_at$|_on$")


def sample_text(name: str, number: int) -> str:
    """A text that fits a column's name; another for each row."""
    lowered = name.lower()
    if "email" in lowered or "mail" in lowered:
        return f"user{number}@example.com"
    if re.search(r"url|link|href|website", lowered):
        return f"http://there.example/{number}"
    if "phone" in lowered:
        return f"+1555000000{number}"
    if re.search(r"^ip$|_ip$|^ip_|ip_address", lowered):
        return f"127.0.0.{number}"
    if re.search(r"json|metadata|settings|config|payload|tags", lowered):
        return "{}"
    if _TIME.search(lowered):
        return sample_time(number)
    return f"{name} {number}"


def sample_time(number: int) -> str:
    """A moment, as SQL writes it."""
    return f"2026-01-{number:02} 12:00:00"


def sample_value(name: str, declared: str, number: int) -> Any:
    """A value for row `number` (from 1) of a column, in the terms of SQLite."""
    kind = declared.upper()
    if re.search(r"\[\]|JSON", kind):
        return "[]" if "[]" in kind else "{}"
    if "BOOL" in kind or kind.startswith("TINYINT(1)"):
        return number % 2
    if re.search(r"TIMESTAMP|DATETIME", kind):
        return sample_time(number)
    if re.match(r"DATE", kind):
        return sample_time(number)[:10]
    if re.match(r"TIME\b", kind):
        return sample_time(number)[11:]
    if "UUID" in kind:
        return f"00000000-0000-4000-8000-{number:012}"
    if re.search(r"INT|SERIAL", kind):
        return number % 2 if _FLAG.search(name.lower()) else number
    if re.search(r"REAL|FLOA|DOUB|NUMERIC|DECIMAL|MONEY", kind):
        return number + 0.5
    if re.search(r"BLOB|BYTEA|BINARY", kind):
        return f"{name} {number}".encode()
    if re.search(r"CHAR|TEXT|CLOB|STRING", kind):
        if re.search(r"(^|_)u?id$", name.lower()):
            return str(number)
        return shortened(sample_text(name, number), kind)
    if _FLAG.search(name.lower()):
        return number % 2
    if _NUMBER.search(name) or _NUMBER.search(name.lower()):
        return number
    return sample_text(name, number)


def shortened(text: str, kind: str) -> str:
    """A text that fits `VARCHAR(n)`, and still ends in its number."""
    length = re.search(r"\((\d+)\)", kind)
    return text[-int(length[1]) :] if length else text
