"""SQL of PostgreSQL and MySQL, said in the words of SQLite."""

from __future__ import annotations

import re
from typing import Any

from .sql_text import SQL_WORD, plain_name, sql_verb

# statements that concern a server's own affairs
SERVER_ONLY = re.compile(
    r"\s*(SET\s|USE\s|GRANT|REVOKE|LOCK|UNLOCK|LISTEN|UNLISTEN|NOTIFY|VACUUM|ANALYZE|COMMENT\s+ON|DO\s"
    r"|FLUSH|RESET\s|DISCARD|REFRESH|CLUSTER|CALL\s|DECLARE\s|COPY\s"
    r"|(CREATE|DROP|ALTER)\s+(OR\s+REPLACE\s+)?"
    r"(DATABASE|SCHEMA|EXTENSION|TYPE|ROLE|USER|FUNCTION|PROCEDURE|SEQUENCE|DOMAIN|POLICY|PUBLICATION"
    r"|TRIGGER|TABLESPACE|MATERIALIZED))",
    re.IGNORECASE,
)
SERIAL = re.compile(r"(BIG|SMALL)?SERIAL\d?\Z", re.I)
TYPE_WORDS = frozenset("varying precision with without time zone unsigned".split())
SqlWords = list[tuple[str, str]]


def translated(sql: str, *, style: str = "") -> str:
    """One statement in SQLite's words; `SELECT 1 WHERE 0` for what only a server can do.

    Args:
        sql: as the slice gives it.
        style: `format` or `pyformat` for `%s` and `%(name)s`, `numeric` for `$1`; else marks stay.
    """
    if SERVER_ONLY.match(sql):
        return "SELECT 1 WHERE 0"
    words: SqlWords = [(m.lastgroup or "", m.group()) for m in SQL_WORD.finditer(sql)]
    words = [word for word in words if word[0] != "comment"]
    if style:
        words = [_mark(kind, text) for kind, text in words]
    words = _without_casts(words)
    text = "".join(text for _, text in words)
    if sql_verb(sql) == "CREATE":
        text = _created(text)
    for pattern, replacement in PHRASES:
        text = pattern.sub(replacement, text)
    return _shown(text)


def _mark(kind: str, text: str) -> tuple[str, str]:
    if text == "%s":
        return kind, "?"
    if text.startswith("%("):
        return kind, ":" + text[2:-2]
    if text.startswith("$") and kind == "mark":
        return kind, "?" + text[1:]
    return kind, "%" if text == "%%" else text.replace("%%", "%") if kind == "text" else text


def _without_casts(words: SqlWords) -> SqlWords:
    """Without `::type`, and with times as SQLite takes them."""
    kept: SqlWords = []
    at = 0
    while at < len(words):
        kind, text = words[at]
        if text == "::":
            at = _behind_type(words, at + 1)
        elif kind == "name" and text.lower() == "interval" and at + 2 < len(words):
            at = _interval(words, at, kept)
        elif kind == "text" and text[0] in "eE" and len(text) > 1:
            kept.append((kind, text[1:].replace("\\n", "\n").replace("\\'", "''")))
            at += 1
        elif kind == "quoted" and text.startswith("`"):
            kept.append((kind, '"' + plain_name(kind, text) + '"'))
            at += 1
        else:
            kept.append((kind, text))
            at += 1
    return kept


def _behind_type(words: SqlWords, at: int) -> int:
    while at < len(words) and words[at][0] == "space":
        at += 1
    at += 1
    while at < len(words):
        kind, text = words[at]
        following = words[at + 1][1].lower() if at + 1 < len(words) else ""
        if text in ("[", "]") or (kind == "name" and text.lower() in TYPE_WORDS):
            at += 1
        elif kind == "space" and following in TYPE_WORDS:
            at += 2
        elif text == "(":
            at = next(p for p in range(at, len(words)) if words[p][1] == ")") + 1
        else:
            break
    return at


def _interval(words: SqlWords, at: int, kept: SqlWords) -> int:
    """`moment - INTERVAL '3 days'` and `moment - INTERVAL 3 DAY` as `datetime(moment, …)`."""
    rest = [
        (place, word) for place, word in enumerate(words[at + 1 :], at + 1) if word[0] != "space"
    ]
    place, (kind, text) = rest[0]
    length = text if kind != "text" else f"'{text[1:-1]}'"
    if kind != "text" or re.fullmatch(r"'\s*-?\d+\s*'", text):
        number, unit = text.strip("' "), rest[1][1][1]
        place, length = rest[1][0], f"'{number} {unit.lower()}s'"
        if kind == "mark":
            length = f"{number} || ' {unit.lower()}s'"
    while kept and kept[-1][0] == "space":
        kept.pop()
    sign = kept.pop()[1] if kept and kept[-1][1] in ("+", "-") else ""
    if not sign:
        kept.append(("text", length))
        return place + 1
    operand = _operand(kept)
    kept += [("name", "datetime("), *operand, ("text", f", '{sign}' || {length})")]
    return place + 1


def _operand(kept: SqlWords) -> SqlWords:
    """Take the value that the words end with: a name, a mark, a call, or something in brackets."""
    taken: SqlWords = []
    depth = 0
    while kept:
        word = kept.pop()
        taken.insert(0, word)
        depth += (word[1] == ")") - (word[1] == "(")
        before = kept[-1] if kept else ("", "")
        is_done = depth == 0 and word[0] != "space" and word[1] != "."
        if is_done and before[1] != "." and not (word[1] == "(" and before[0] == "name"):
            break
    return taken


# ----------------------------------------------------------------------------- CREATE

_COLUMN_NOISE = re.compile(
    r"\s+(COMMENT\s+'[^']*'|ON\s+UPDATE\s+(CURRENT_TIMESTAMP(\(\d*\))?|NOW\(\))"
    r"|CHARACTER\s+SET\s+\w+|COLLATE\s+\"?[\w.]+\"?|UNSIGNED|ZEROFILL|USING\s+\w+(?=\s*\())",
    re.IGNORECASE,
)
_OWN_KEY = re.compile(
    r"(BIGINT|INTEGER|INT|SMALLINT|MEDIUMINT|TINYINT)(\(\d+\))?(?=(\s|NOT|NULL)*\s("
    r"AUTO_INCREMENT|GENERATED\s+(ALWAYS|BY\s+DEFAULT)\s+AS\s+IDENTITY))",
    re.IGNORECASE,
)
_OWN_KEY_WORDS = re.compile(
    r"\s+(AUTO_INCREMENT|GENERATED\s+(ALWAYS|BY\s+DEFAULT)\s+AS\s+IDENTITY(\s*\([^)]*\))?)", re.I
)
_DEFAULT_CALL = re.compile(r"(DEFAULT\s+)([A-Za-z_]\w*\s*\([^()]*(?:\([^()]*\)[^()]*)*\))", re.I)
_TABLE_END = re.compile(
    r"\)\s*(ENGINE|DEFAULT\s+CHARSET|CHARSET|AUTO_INCREMENT|COLLATE|COMMENT|ROW_FORMAT|PARTITION"
    r"|INHERITS|TABLESPACE|WITH\s*\().*\Z",
    re.IGNORECASE | re.DOTALL,
)
_KEY_LINE = re.compile(
    r",\s*(?:(UNIQUE)\s+)?(?:FULLTEXT\s+)?(?:KEY|INDEX)\s+\"?\w*\"?\s*(\([^)]*\))", re.IGNORECASE
)


def _created(text: str) -> str:
    text = re.sub(r"(CREATE\s+)UNLOGGED\s+", r"\1", text, flags=re.I)
    text = re.sub(r"CREATE\s+OR\s+REPLACE\s+VIEW", "CREATE VIEW IF NOT EXISTS", text, flags=re.I)
    text = re.sub(r"(CREATE\s+(?:UNIQUE\s+)?INDEX\s+)CONCURRENTLY\s+", r"\1", text, flags=re.I)
    text = re.sub(r"(\bON\s+[\w\".]+\s+)USING\s+\w+", r"\1", text, flags=re.I)
    if not re.match(r"\s*CREATE\s+(TEMP\w*\s+)?TABLE", text, re.I):
        return text
    text = _COLUMN_NOISE.sub("", text)
    text = _OWN_KEY.sub("INTEGER", text)
    text = _OWN_KEY_WORDS.sub("", text)
    text = re.sub(r"\b(BIG|SMALL)?SERIAL\d?\b", "INTEGER", text, flags=re.I)
    text = re.sub(r"\b(BIGINT|INT)(?=\s+PRIMARY\s+KEY)", "INTEGER", text, flags=re.I)
    text = re.sub(r"\b(TIMESTAMP|TIME)(\(\d\))?\s+WITH\s+TIME\s+ZONE", r"\1TZ", text, flags=re.I)
    text = re.sub(r"\b(TIMESTAMP|TIME)(\(\d\))?\s+WITHOUT\s+TIME\s+ZONE", r"\1", text, flags=re.I)
    text = re.sub(r"\b(\w+)(\(\d+\))?\s*((?:\[\d*\])+)", r'"\1[]"', text)
    text = re.sub(r"\b(ENUM|SET)\s*\(\s*'[^)]*\)", "TEXT", text, flags=re.I)
    text = _KEY_LINE.sub(lambda m: f", UNIQUE {m[2]}" if m[1] else "", text)
    text = _DEFAULT_CALL.sub(r"\1(\2)", text)
    return _TABLE_END.sub(")", text)


# ----------------------------------------------------------------------------- the rest

_ON_CONFLICT = "ON CONFLICT DO UPDATE SET"
PHRASES = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\bpublic\s*\.\s*(?=[\w\"])|\"public\"\.", ""),
        (r"\bINSERT\s+IGNORE\b", "INSERT OR IGNORE"),
        (r"\bON\s+DUPLICATE\s+KEY\s+UPDATE\b", _ON_CONFLICT),
        (r"\bVALUES\s*\(\s*(\"?[A-Za-z_]\w*\"?)\s*\)(?!\s*,\s*\()", r"excluded.\1"),
        (r"\bON\s+CONFLICT\s+ON\s+CONSTRAINT\s+\w+", "ON CONFLICT"),
        (r"\bNOT\s+ILIKE\b", "NOT MATCH"),
        (r"\bILIKE\b", "MATCH"),
        (r"\bRLIKE\b", "REGEXP"),
        (r"(?<=\s)!~\*?(?=\s)", "NOT REGEXP"),
        (r"(?<=\s)~\*?(?=\s)", "REGEXP"),
        (r"(<>|!=)\s*ALL\s*\(\s*([?:]\w*)\s*\)", r"NOT IN (SELECT value FROM json_each(\2))"),
        (r"=\s*ANY\s*\(\s*([?:]\w*)\s*\)", r"IN (SELECT value FROM json_each(\1))"),
        (r"\bTRUNCATE\s+(?:TABLE\s+)?(\S+?)(?=[\s;]|\Z)[^;]*", r"DELETE FROM \1"),
        (r"\bFOR\s+(?:NO\s+KEY\s+)?(?:UPDATE|SHARE)(?:\s+OF\s+\w+)?"
         r"(?:\s+(?:SKIP\s+LOCKED|NOWAIT))?", ""),
        (r"\bLOCK\s+IN\s+SHARE\s+MODE\b", ""),
        (r"\bSTART\s+TRANSACTION\b[^;]*", "BEGIN"),
        (r"\bBEGIN\s+(?:WORK|TRANSACTION)?\s*ISOLATION[^;]*", "BEGIN"),
        (r"\bSTRING_AGG\s*\(", "group_concat("),
        (r"\bARRAY_AGG\s*\(", "json_group_array("),
        (r"\bJSON_AGG\s*\(", "json_group_array("),
        (r"\bJSONB?_BUILD_OBJECT\s*\(", "json_object("),
        (r"\bEXTRACT\s*\(\s*EPOCH\s+FROM\s+", "strftime('%s', "),
        (r"\bEXTRACT\s*\(\s*YEAR\s+FROM\s+", "0 + strftime('%Y', "),
        (r"\bEXTRACT\s*\(\s*MONTH\s+FROM\s+", "0 + strftime('%m', "),
        (r"\bEXTRACT\s*\(\s*DAY\s+FROM\s+", "0 + strftime('%d', "),
        (r"\bEXTRACT\s*\(\s*HOUR\s+FROM\s+", "0 + strftime('%H', "),
        (r"\b(DROP\s+TABLE\s[^;]*?)\s+(?:CASCADE|RESTRICT)\b", r"\1"),
        (r"\b(ALTER\s+TABLE\s+)IF\s+EXISTS\s+", r"\1"),
        (r"\bADD\s+COLUMN\s+IF\s+NOT\s+EXISTS\b", "ADD COLUMN"),
        (r"\bdate_sub\s*\(\s*([^,]+),\s*'([^']+)'\s*\)", r"datetime(\1, '-' || '\2')"),
        (r"\bdate_add\s*\(\s*([^,]+),\s*'([^']+)'\s*\)", r"datetime(\1, '+' || '\2')"),
        (r"\bDEFAULT\s+VALUES\b", "DEFAULT VALUES"),
        (r"\bUNIX_TIMESTAMP\s*\(\s*\)", "strftime('%s', 'now')"),
        (r"\bIF\s*\(", "iif("),
    )
)  # fmt: skip


def _shown(text: str) -> str:
    """`SHOW TABLES` and the like, asked of SQLite's own tables."""
    if re.match(r"\s*SHOW\s+TABLES", text, re.I):
        return "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    found = re.match(r"\s*(?:SHOW\s+COLUMNS\s+FROM|DESCRIBE|DESC)\s+\"?(\w+)", text, re.I)
    if found:
        return f"SELECT name, type FROM pragma_table_info('{found[1]}')"
    if re.match(r"\s*SHOW\b", text, re.I):
        return "SELECT 1 WHERE 0"
    return text


def sqlite_values(values: Any) -> Any:
    """Parameters as SQLite stores them."""
    if isinstance(values, dict):
        return {key: sqlite_value(value) for key, value in values.items()}
    return [sqlite_value(value) for value in values]


def sqlite_value(value: Any) -> Any:
    """A value as SQLite stores it: moments and lists as text."""
    import datetime
    import decimal
    import enum
    import json
    import uuid

    if value is None or isinstance(value, (str, bytes, int, float)):
        return value.value if isinstance(value, enum.Enum) else value
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (list, tuple, dict, set)):
        return json.dumps(sorted(value) if isinstance(value, set) else value, default=str)
    if isinstance(value, (decimal.Decimal, uuid.UUID)):
        return str(value)
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, enum.Enum):
        return sqlite_value(value.value)
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    for name in ("adapted", "obj", "str_", "string"):  # wrappers of drivers, as psycopg2's Json
        if hasattr(value, name):
            return sqlite_value(getattr(value, name))
    return str(value)
