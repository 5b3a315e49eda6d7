"""What a server of MySQL does with a statement, over SQLite: its words, numbers, counts, failures."""

from __future__ import annotations

import re
from typing import Any

from .....world.core.plain_data import plain_values
from .....world.core.world import record
from .....world.sql.sql_memory import RawSqlite
from .....world.sql.sql_server import ServerResult, ServerSession, split_statements
from .....world.sql.sql_text import Named, sql_verb
from .....world.sql.sql_translation import sqlite_values, translated
from .mysql_failures import MySQLError, mysql_failure
from .mysql_functions import mysql_functions
from .mysql_tables import mysql_table
from .mysql_text import named_rows, plain_strings
from .mysql_types import MySQLColumn, expression_type, mysql_column, selected

MYSQL_VERSION = "8.0.36"
OWN_AFFAIRS = re.compile(
    r"\s*(SET\s+(NAMES|AUTOCOMMIT|SESSION|sql_mode|time_zone|@@session\.)|SELECT\s+@@session\.)",
    re.I,
)
"""What libraries tell a server of themselves; it is no effect."""
SERVER_VARIABLES = {
    "sql_mode": "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES", "version": MYSQL_VERSION,
    "time_zone": "SYSTEM", "character_set_client": "utf8mb4", "max_allowed_packet": 67108864,
    "tx_isolation": "REPEATABLE-READ", "transaction_isolation": "REPEATABLE-READ",
}  # fmt: skip


class MySQLSession(ServerSession):
    """One connection to a server of MySQL."""

    def __init__(self, name: str) -> None:
        super().__init__(name, self._closed, {}, is_postgres=False)
        self.autocommit = True
        self.last = 0
        self.counts = {"insert": 0, "update": 0, "delete": 0}
        RawSqlite(self.raw).execute("PRAGMA foreign_keys = ON")
        RawSqlite(self.raw).execute("PRAGMA recursive_triggers = ON")
        mysql_functions(self.raw, self)

    @property
    def schema(self) -> str:
        """The name of the database."""
        return self.name.rpartition("/")[2]

    def _closed(self, _kind: str, message: str) -> Exception:
        return MySQLError(2013, "HY000", message)

    def reset(self) -> None:
        """As a connection that is given back to its pool."""
        self._end("ROLLBACK")
        self.autocommit = True

    def marks(self, sql: str) -> int:
        """How many parameters a statement has."""
        return re.sub(r"'[^']*'", "", plain_strings(sql)).count("?")

    def run_all(self, sql: str) -> list[ServerResult]:
        """Run the statements of one query."""
        self._note(sql, [])
        parts = [part for part in split_statements(plain_strings(sql)) if part.strip()]
        if not any(map(sql_verb, parts)):
            raise MySQLError(1065, "42000", "Query was empty")
        results = [self._one(part, []) for part in parts]
        if len(results) == 1:
            results[0].said = sql
        return results

    def run(self, sql: str, values: Any = None, style: str = "") -> ServerResult:
        """Run one statement with its parameters."""
        del style
        self._note(sql, values or [])
        return self._one(plain_strings(sql), values or [])

    def _note(self, sql: str, values: Any) -> None:
        is_idle = sql in ("COMMIT", "ROLLBACK") and not self.begun
        if not is_idle and not OWN_AFFAIRS.match(sql):
            record("query", self.name, sql, plain_values(values))

    def _one(self, sql: str, values: Any) -> ServerResult:
        with self.lock:
            verb = sql_verb(sql)
            own = self._own(sql, verb)
            if own is None:
                try:
                    own = self._changing(sql, values, verb)
                except self.raw.Error as error:
                    raise mysql_failure(self, error, sql, values) from None
            own.sql = own.said = sql
            return own

    def _own(self, sql: str, verb: str) -> ServerResult | None:
        """What concerns the connection itself."""
        if verb == "SET":
            switch = re.search(r"\bautocommit\s*=\s*'?(\w+)", sql, re.IGNORECASE)
            if switch:
                self.autocommit = switch[1].upper() in ("1", "ON", "TRUE")
                self._end("COMMIT" if self.autocommit else "")
        elif verb in ("BEGIN", "START"):
            self._end("COMMIT")
            RawSqlite(self.raw).execute("BEGIN")
            self.begun = True
        elif verb in ("COMMIT", "ROLLBACK") and not re.match(
            r"\s*ROLLBACK\s+(WORK\s+)?TO", sql, re.I
        ):
            self._end(verb)
        else:
            asked = re.fullmatch(r"\s*SELECT\s+@@(?:\w+\.)?(\w+)\s*;?\s*", sql, re.IGNORECASE)
            if not asked:
                return None
            known = {**SERVER_VARIABLES, "autocommit": int(self.autocommit)}
            return ServerResult([sql.split()[1]], [(known.get(asked[1].lower()),)], 1, 0, verb)
        return ServerResult([], [], 0, 0, verb)

    def _end(self, how: str) -> None:
        self.begun = False
        if self.raw.in_transaction and how:
            RawSqlite(self.raw).execute(how)

    # ------------------------------------------------------------------- one statement

    def _changing(self, sql: str, values: Any, verb: str) -> ServerResult:
        is_own = verb in ("CREATE", "ALTER", "DROP", "TRUNCATE", "RENAME")
        text = self._text(sql, verb)
        if is_own:
            self._end("COMMIT")  # MySQL commits of itself where tables change
        starts = not (self.begun or self.autocommit or is_own)
        named = Named(text)
        if verb not in ("SAVEPOINT", "RELEASE", "ROLLBACK"):
            self.database.prepare(self.raw, text)
        if starts:
            RawSqlite(self.raw).execute("BEGIN")
        try:
            result = self._counted(text, values, verb, named)
        except self.raw.Error:
            if starts:
                self._end("ROLLBACK")
            raise
        if starts:
            self.begun = bool(named.columns)
            if not self.begun:
                self._end("COMMIT")
        return result

    def _text(self, sql: str, verb: str) -> str:
        if re.match(r"\s*CREATE\s+(TEMPORARY\s+)?TABLE\b", sql, re.IGNORECASE):
            return mysql_table(sql, self._is_there)
        if verb in ("DESC", "DESCRIBE") or re.match(r"\s*SHOW\s+(FULL\s+)?COLUMNS", sql, re.I):
            table = re.search(r"(?:DESC\w*|FROM|IN)\s+`?(\w+)", sql, re.IGNORECASE)
            return DESCRIBED.format(table[1] if table else "")
        if re.match(r"\s*SHOW\s+TABLES", sql, re.IGNORECASE):
            return (
                f'SELECT name AS "Tables_in_{self.schema}" FROM sqlite_master WHERE type = '
                "'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            )
        return translated(sql)

    def _is_there(self, table: str) -> bool:
        is_made = table.lower() in self.database.made
        return not is_made and bool(RawSqlite(self.raw).columns(table))

    def _counted(self, text: str, values: Any, verb: str, named: Named) -> ServerResult:
        table = next(iter(named.columns), "")
        is_insert = verb in ("INSERT", "REPLACE")
        counts = is_insert or verb == "UPDATE"
        if counts:
            self._watch(table)
        has_number = is_insert and self._numbered(table, named)
        try:
            cursor = self.raw.execute(text, sqlite_values(values))
        except self.raw.IntegrityError as error:
            if has_number and re.match("UNIQUE|FOREIGN", str(error)):
                self._take_numbers(table, 1)  # a number that was given out does not come back
            raise
        finally:
            if counts:
                self._unwatch()
        columns = [part[0] for part in cursor.description or ()]
        if text.startswith("SELECT 1 WHERE 0"):
            columns = []
        rows = cursor.fetchall()
        count = len(rows) if columns else max(cursor.rowcount, 0)
        last = 0
        if verb == "UPDATE":
            count = self.counts["update"]
        elif is_insert:
            new, changed = self.counts["insert"], self.counts["update"]
            count = new + 2 * changed + self.counts["delete"]
            if has_number:
                last = self._inserted(table, cursor.lastrowid, new)
                self._take_numbers(table, max(1, len(named_rows(text))) - new if new else 1)
        elif verb in ("CREATE", "DROP", "ALTER", "TRUNCATE"):
            count = 0
        return ServerResult(columns, rows, count, last, verb)

    # ------------------------------------------------------------------- counts and numbers

    def _watch(self, table: str) -> None:
        """Count what a statement really changes, as MySQL does."""
        self.counts.update(insert=0, update=0, delete=0)
        raw = RawSqlite(self.raw)
        columns = [f'"{name}"' for name, _ in raw.columns(table)]
        if not columns:
            return
        differs = " OR ".join(f"OLD.{c} IS NOT NEW.{c} COLLATE BINARY" for c in columns)
        for event, when in (("insert", ""), ("delete", ""), ("update", f"WHEN {differs}")):
            raw.execute(
                f'CREATE TEMP TRIGGER slice_func_{event} AFTER {event} ON "{table}" {when}'
                f" BEGIN SELECT slice_func_count('{event}'); END"
            )

    def _unwatch(self) -> None:
        for event in self.counts:
            RawSqlite(self.raw).execute(f"DROP TRIGGER IF EXISTS temp.slice_func_{event}")

    def _numbered(self, table: str, named: Named) -> bool:
        """Whether rows get numbers by themselves."""
        raw = RawSqlite(self.raw)
        made = raw.execute("SELECT sql FROM sqlite_master WHERE lower(name) = ?", (table.lower(),))
        if not made:
            return False
        found = re.search(r'"?(\w+)"?\s+INTEGER\s+PRIMARY\s+KEY(\s+AUTOINCREMENT)?', made[0][0])
        del named
        if not found or not (found[2] or table.lower() in self.database.made):
            return False
        known = self.database.numbers.get(table.lower(), 0)
        if found[2] and known:
            there = raw.execute(
                "SELECT seq FROM sqlite_sequence WHERE lower(name) = ?", (table.lower(),)
            )
            if not there:
                raw.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, known))
            elif there[0][0] < known:
                raw.execute(
                    "UPDATE sqlite_sequence SET seq = ? WHERE lower(name) = ?",
                    (known, table.lower()),
                )
        return True

    def _inserted(self, table: str, last: Any, new: int) -> int:
        """The number of the first row that a statement has put in."""
        if new:
            self.last = int(last or 0) - new + 1
            numbers = self.database.numbers
            numbers[table.lower()] = max(numbers.get(table.lower(), 0), int(last or 0))
            return self.last
        return int(last or 0) if self.counts["update"] else 0

    def _take_numbers(self, table: str, count: int) -> None:
        numbers = self.database.numbers
        if not numbers.get(table.lower()):
            found = RawSqlite(self.raw).execute(f'SELECT max(rowid) FROM "{table}"')
            numbers[table.lower()] = found[0][0] or 0
        numbers[table.lower()] += max(count, 0)

    # ------------------------------------------------------------------- results and failures

    def typed(self, result: Any) -> list[MySQLColumn]:
        """The columns of a result with MySQL's names and types."""
        declared = {}
        raw = RawSqlite(self.raw)
        for table in Named(translated(result.sql)).columns:
            for name, kind in raw.columns(table):
                declared.setdefault(name.lower(), kind)
        expressions, names = selected(result.sql), selected(result.said)
        if not len(expressions) == len(names) == len(result.columns):
            expressions = names = [(name, name) for name in result.columns]
        kinds = [expression_type(expression, declared) for expression, _ in expressions]
        return [
            mysql_column(name, kinds[at], [row[at] for row in result.rows])
            for at, (_, name) in enumerate(names)
        ]


DESCRIBED = """\
SELECT name AS "Field", lower(type) AS "Type", iif("notnull" OR pk, 'NO', 'YES') AS "Null",
iif(pk, 'PRI', '') AS "Key", dflt_value AS "Default", '' AS "Extra" FROM pragma_table_info('{}')"""
