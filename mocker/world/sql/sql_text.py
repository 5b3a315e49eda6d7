"""Reading SQL: its words, and the tables and columns that it names."""

from __future__ import annotations

import re
from typing import Any

SQL_WORD = re.compile(
    r"(?P<text>[eEbBxX]?'(?:[^']|'')*')"
    r'|(?P<quoted>"(?:[^"]|"")*"|`[^`]*`)'
    r"|(?P<comment>--[^\n]*|/\*.*?\*/)"
    r"|(?P<mark>\$\d+|%\(\w+\)s|%s|\?\d*|(?<![:\w]):[A-Za-z_]\w*|(?<![@\w])@[A-Za-z_]\w*)"
    r"|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<name>[^\W\d][\w$]*)"
    r"|(?P<space>\s+)"
    r"|(?P<sign>::|%%|<>|->>|->|[<>!]=|\|\||.)",
    re.DOTALL,
)
SQL_START = re.compile(
    r"\s*\(?\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER|DROP|WITH|TRUNCATE|PRAGMA)\b", re.I
)
# words that are no columns; types are not among them: they stand behind a column in CREATE alone
SQL_KEYWORDS = frozenset(
    """
    abort action add after all alter always analyze and any array as asc attach autoincrement
    before begin between both by cascade case cast check collate column commit conflict
    constraint create cross current current_date current_time current_timestamp database default
    deferrable deferred delete desc detach distinct do drop duplicate each else end escape
    except exclude excluded exists explain fail false fetch filter first following for foreign
    from full generated glob group groups having identity if ignore ilike immediate in index
    inner insert instead intersect interval into is isnull join key last lateral leading left
    like limit lock materialized natural next no not nothing notnull null nulls of offset on
    only or order others outer over partition plan pragma preceding primary procedure range
    recursive references regexp rename replace restrict returning right rollback row rows
    savepoint select set show similar skip start table temp temporary then ties to trailing
    transaction trigger true truncate unbounded union unique unknown unlogged update using
    vacuum values view when where window with within without
    """.split()
)
# words that are keywords where tables are made, and names where rows are asked for
SQL_LOOSE_WORDS = frozenset("action column database key plan temp".split())
BEFORE_TABLE = frozenset({"from", "join", "into", "update", "table"})


def sql_words(sql: str) -> list[tuple[str, str]]:
    """Kind and text of each word of SQL, without spaces and comments."""
    found = ((m.lastgroup or "", m.group()) for m in SQL_WORD.finditer(sql))
    return [(kind, text) for kind, text in found if kind not in ("space", "comment")]


def plain_name(kind: str, text: str) -> str:
    """A name without its quotes."""
    return text[1:-1] if kind == "quoted" else text


def sql_verb(sql: str) -> str:
    """The first word of a statement, in capitals."""
    found = re.match(r"(?:\s|\(|--[^\n]*\n|/\*.*?\*/)*(\w+)", sql, re.DOTALL)
    return found[1].upper() if found else ""


class Named:
    """What one statement names: its tables with their columns, which of them it reads."""

    def __init__(self, sql: str) -> None:
        self.words = sql_words(sql)
        self.columns: dict[str, list[str]] = {}
        self.reads: set[str] = set()
        self.created: set[str] = set()
        self.unique: list[list[str]] = []
        self.numbers: set[str] = set()
        self.unnamed = 0
        self._aliases: dict[str, str] = {}
        self._places: set[int] = set()
        self._said = {text.lower() for _, text in self.words}
        self._common = self._common_tables()
        self._find_tables()
        if self.columns:
            self._find_columns()

    def lower(self, at: int) -> str:
        """The word at a place in small letters; empty beyond the end, or in quotes."""
        inside = 0 <= at < len(self.words) and self.words[at][0] in ("name", "sign")
        return self.words[at][1].lower() if inside else ""

    def _is_name(self, at: int) -> bool:
        if not 0 <= at < len(self.words):
            return False
        kind, text = self.words[at]
        if kind == "name" and text.lower() in SQL_LOOSE_WORDS:
            return self.lower(0) == "select"
        return kind == "quoted" or (kind == "name" and text.lower() not in SQL_KEYWORDS)

    def _name(self, at: int) -> str:
        return plain_name(*self.words[at])

    def _common_tables(self) -> set[str]:
        """Names that `WITH name AS (…)` binds."""
        return {
            self._name(at).lower()
            for at in range(len(self.words))
            if self._is_name(at) and self.lower(at + 1) == "as" and self.lower(at + 2) == "("
        }

    def _find_tables(self) -> None:
        inside_from = 0
        depth = 0
        for at, (_, _text) in enumerate(self.words):
            word = self.lower(at)
            depth += (word == "(") - (word == ")")
            if word in BEFORE_TABLE:
                self._table(at + 1, word)
                inside_from = depth + 1 if word == "from" else 0
            elif word in ("where", "group", "order", "limit", "set", "values", "on"):
                inside_from = 0
            elif word == "," and inside_from == depth + 1:
                self._table(at + 1, "from")

    def _table(self, at: int, after: str) -> None:
        while self.lower(at) in ("if", "not", "exists", "only", "lateral"):
            at += 1
        if not self._is_name(at) or (after == "update" and self.lower(at - 2) in ("for", "do")):
            return
        if after == "from" and self.lower(at - 2) in ("distinct", "epoch", "year", "month", "day"):
            return
        self._places.add(at)
        while self.lower(at + 1) == "." and self._is_name(at + 2):
            at += 2
            self._places.add(at)
        if self.lower(at + 1) == "(" and after in ("from", "join"):
            return
        name = self._name(at)
        if name.lower() in self._common:
            return
        self.columns.setdefault(name, [])
        if after in ("from", "join", "update"):
            self.reads.add(name)
        if after == "table" and any(self.lower(p) == "create" for p in range(max(0, at - 7), at)):
            self.created.add(name)
        behind = at + 2 if self.lower(at + 1) == "as" else at + 1
        if after != "table" and self._is_name(behind):
            self._aliases[self._name(behind).lower()] = name
            self._places.add(behind)
        self._aliases.setdefault(name.lower(), name)

    def _find_columns(self) -> None:
        if self.created:
            return
        first = next(iter(self.columns))
        named_after_as: set[str] = set()
        for at in range(len(self.words)):
            if at in self._places or not self._is_name(at):
                continue
            name = self._name(at)
            before, behind = self.lower(at - 1), self.lower(at + 1)
            if before == "as":
                named_after_as.add(name.lower())
            elif before == ".":
                owner = self._aliases.get(self._name(at - 2).lower())
                if owner:
                    self._add(owner, name)
                    self._counts(at - 2, at, name)
            elif (
                behind not in ("(", ".")
                and before not in ("::", "constraint", "collate")
                and name.lower() not in named_after_as
                and name.lower() not in self._common
            ):
                self._add(first, name)
                self._counts(at, at, name)
        self._conflicts(first)
        self._count_values()

    def _add(self, table: str, column: str) -> None:
        known = self.columns[table]
        if column.lower() not in (name.lower() for name in known):
            known.append(column)

    def _counts(self, first: int, last: int, name: str) -> None:
        """Note that a column is used as a number: summed up, or reckoned or compared with one."""
        before, behind = self.lower(first - 1), self.lower(last + 1)
        is_summed = before == "(" and self.lower(first - 2) in ("avg", "sum", "round", "abs")
        is_reckoned = before in ("*", "/", "+", "-") and self.lower(first - 2) not in ("(", ",")
        is_reckoned = is_reckoned or behind in ("*", "/", "+", "-")
        following = self.words[last + 2][0] if last + 2 < len(self.words) else ""
        is_compared = behind in ("<", ">", "=", "<=", ">=", "!", "<>") and following == "number"
        if is_summed or is_compared or (is_reckoned and "interval" not in self._said):
            self.numbers.add(name.lower())

    def _conflicts(self, table: str) -> None:
        """`ON CONFLICT (a, b)` says that there is such a key."""
        for at in range(len(self.words)):
            if (self.lower(at), self.lower(at + 1), self.lower(at + 2)) == ("on", "conflict", "("):
                end = next(p for p in range(at, len(self.words)) if self.lower(p) == ")")
                self.unique.append([self._name(p) for p in range(at + 3, end) if self._is_name(p)])
            elif (self.lower(at), self.lower(at + 1)) == ("on", "duplicate") and self.columns[
                table
            ]:
                self.unique.append(self.columns[table][:1])

    def _count_values(self) -> None:
        """How many values `INSERT INTO t VALUES (…)` gives where it names no columns."""
        for at in range(1, len(self.words)):
            if self.lower(at) != "values" or self.lower(at - 1) == ")" or self.lower(at + 1) != "(":
                continue
            depth = commas = 0
            for place in range(at + 1, len(self.words)):
                word = self.lower(place)
                depth += (word == "(") - (word == ")")
                commas += word == "," and depth == 1
                if depth == 0:
                    break
            self.unnamed = max(self.unnamed, commas + 1)


def tables_of(texts: list[str]) -> dict[str, dict[str, Any]]:
    """Each table that these texts name: its columns, its keys, whether it is read or created."""
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        for sql in text.split(";"):
            if SQL_START.match(sql):
                add_named(found, Named(sql))
    return found


def add_named(found: dict[str, dict[str, Any]], named: Named) -> None:
    """Join what one statement names to what others do."""
    for table, columns in named.columns.items():
        empty: dict[str, Any] = {
            "columns": [],
            "unique": [],
            "read": False,
            "values": 0,
            "numbers": [],
        }
        fact = found.setdefault(table.lower(), empty)
        known = {name.lower() for name in fact["columns"]}
        fact["columns"] += [name for name in columns if name.lower() not in known]
        fact["read"] = fact["read"] or table in named.reads
        fact["numbers"] = sorted(
            {*fact["numbers"], *(named.numbers & {c.lower() for c in columns})}
        )
        if next(iter(named.columns)) == table:
            fact["unique"] += [key for key in named.unique if key not in fact["unique"]]
            fact["values"] = max(fact["values"], named.unnamed)
