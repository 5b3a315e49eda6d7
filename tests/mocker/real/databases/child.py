"""Run in a process of its own: load a program, call into it, print the value and the effects.

python child.py real|mock SCRIPT CALL   → JSON: [value, effects]

`real` watches what the drivers are told; `mock` takes the effect log of the script.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import re
import sys
import types
from pathlib import Path

LOG: list[list[object]] = []


def plain(value):
    """As the log of a mocked script has it."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if value is None or type(value) in (bool, int, float, str):
        return value
    return str(value)


def watch_psycopg2():
    """Record what cursors and connections of psycopg2 are told."""
    import psycopg2
    from psycopg2 import extensions, extras

    def text(cursor, query):
        return (
            query
            if isinstance(query, str)
            else (query.decode() if isinstance(query, bytes) else query.as_string(cursor))
        )

    class Cursor(extensions.cursor):
        def execute(self, query, vars=None):
            LOG.append(["query", text(self, query), plain(vars or [])])
            super().execute(query, vars)

        def executemany(self, query, rows):
            for row in rows:
                self.execute(query, row)

    class Connection(extensions.connection):
        def cursor(self, *arguments, cursor_factory=None, **options):
            factory = cursor_factory or extensions.cursor
            made = type("Watched", (factory,), {}) if factory is not extensions.cursor else Cursor
            if factory is not extensions.cursor:

                def execute(this, query, vars=None):
                    LOG.append(["query", text(this, query), plain(vars or [])])
                    return factory.execute(this, query, vars)

                made.execute = execute
            return super().cursor(*arguments, cursor_factory=made, **options)

        def _ends(self, what):
            if self.get_transaction_status() != extensions.TRANSACTION_STATUS_IDLE:
                LOG.append(["query", what, []])

        def commit(self):
            self._ends("COMMIT")
            super().commit()

        def rollback(self):
            self._ends("ROLLBACK")
            super().rollback()

    connect = psycopg2.connect
    psycopg2.connect = lambda *a, **o: connect(*a, connection_factory=Connection, **o)
    assert extras


def watch_asyncpg():
    """Record what connections of asyncpg are told."""
    import asyncpg

    class Connection(asyncpg.Connection):
        async def execute(self, query, *values, **options):
            if "pg_advisory_unlock_all" in query:  # what a pool does when it takes one back
                return await super().execute(query, *values, **options)
            LOG.append(["query", query, plain(values)])
            return await super().execute(query, *values, **options)

        async def executemany(self, query, rows, **options):
            rows = list(rows)
            LOG.extend(["query", query, plain(row)] for row in rows)
            return await super().executemany(query, rows, **options)

        async def fetch(self, query, *values, **options):
            LOG.append(["query", query, plain(values)])
            return await super().fetch(query, *values, **options)

        async def fetchrow(self, query, *values, **options):
            LOG.append(["query", query, plain(values)])
            return await super().fetchrow(query, *values, **options)

        async def fetchval(self, query, *values, **options):
            LOG.append(["query", query, plain(values)])
            return await super().fetchval(query, *values, **options)

    connect, pool = asyncpg.connect, asyncpg.create_pool
    asyncpg.connect = lambda *a, **o: connect(*a, connection_class=Connection, **o)
    asyncpg.create_pool = lambda *a, **o: pool(*a, connection_class=Connection, **o)


def watch_psycopg():
    """Record what cursors and connections of psycopg are told."""
    import psycopg

    def noting(function):
        def execute(self, query, params=None, **options):
            LOG.append(["query", query, plain(params or [])])
            return function(self, query, params, **options)

        return execute

    def many(self, query, rows, **options):
        for row in rows:
            self.execute(query, row)

    def ending(function, what):
        def call(self):
            if self.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                LOG.append(["query", what, []])
            return function(self)

        return call

    psycopg.Cursor.execute = noting(psycopg.Cursor.execute)
    psycopg.Cursor.executemany = many
    psycopg.Connection.commit = ending(psycopg.Connection.commit, "COMMIT")
    psycopg.Connection.rollback = ending(psycopg.Connection.rollback, "ROLLBACK")


def watch_pymysql():
    """Record what connections of pymysql tell their server."""
    from pymysql import connections
    from pymysql.constants import COMMAND, SERVER_STATUS

    plainly = connections.Connection._execute_command

    def tell(self, command, sql):
        if command == COMMAND.COM_QUERY and self._sock:
            is_begun = self.server_status & SERVER_STATUS.SERVER_STATUS_IN_TRANS
            # the library does not look at the status that comes with rows
            note(sql, is_begun or getattr(self, "has_read", False))
            self.has_read = not self.get_autocommit() and " FROM " in str(sql)
        plainly(self, command, sql)

    connections.Connection._execute_command = tell


def watch_connector():
    """Record what connections of mysql.connector tell their server."""
    import mysql.connector
    from mysql.connector import pooling

    pooling.CMySQLConnection = None  # the library in C is not watched
    kind = mysql.connector.MySQLConnection
    plainly, executing, preparing = kind.cmd_query, kind.cmd_stmt_execute, kind.cmd_stmt_prepare
    statements = {}

    def query(self, sql, *rest, **options):
        before = len(LOG)
        note(sql, self.in_transaction)
        try:
            return plainly(self, sql, *rest, **options)
        except mysql.connector.OperationalError:
            del LOG[before:]  # nobody was told
            raise

    def prepare(self, sql, **options):
        found = preparing(self, sql, **options)
        statements[found["statement_id"]] = sql.decode()
        return found

    def execute(self, number, data=(), *rest, **options):
        LOG.append(["query", statements[number], plain(data)])
        return executing(self, number, data, *rest, **options)

    kind.cmd_query, kind.cmd_stmt_execute, kind.cmd_stmt_prepare = query, execute, prepare


def note(sql, is_begun):
    """Note what a server of MySQL is told, but for what libraries say of themselves."""
    said = sql if isinstance(sql, str) else sql.decode("utf-8", "surrogateescape")
    own = re.match(r"SET (NAMES|AUTOCOMMIT|@@session)|SELECT @@session", said)
    if not own and (is_begun or said not in ("COMMIT", "ROLLBACK")):
        LOG.append(["query", said, []])


def main():
    """Load, call, print."""
    side, script, call = sys.argv[1:]
    source = Path(script).read_text(encoding="utf-8")
    if side == "real":
        for name, watch in (
            ("psycopg2", watch_psycopg2), ("asyncpg", watch_asyncpg), ("psycopg", watch_psycopg),
            ("pymysql", watch_pymysql), ("mysql.connector", watch_connector),
        ):  # fmt: skip
            if f"import {name}\n" in source:
                watch()
    module = types.ModuleType("program")
    sys.modules["program"] = module
    exec(compile(source, script, "exec", dont_inherit=True), vars(module))
    code = compile(call, "<call>", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    value = eval(code, vars(module))
    if inspect.iscoroutine(value):

        async def run():
            return await value

        value = asyncio.run(run())
    effects = LOG
    if side == "mock":
        effects = [[kind, *arguments] for kind, _, *arguments in vars(module)["_effects"]]
    print(json.dumps([repr(value), effects]))


main()
