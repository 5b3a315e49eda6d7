"""Cursors of the DB-API over a session: what every driver's own cursor does alike."""

from __future__ import annotations

from typing import Any

from .sql_server import ServerResult, composed


class ServerCursor:
    """A cursor that keeps the rows of its last statement; drivers add their own ways."""

    def start(self, session: Any, connection: Any) -> None:
        """Begin with no result."""
        self.s_session, self.s_connection = session, connection
        self.s_result = ServerResult([], [], -1, None, "")
        self.s_at, self.s_size, self.s_closed, self.s_query = 0, 1, False, None

    connection = property(lambda self: self.s_connection)
    rowcount = property(lambda self: self.s_result.count)
    arraysize = property(lambda self: self.s_size, lambda self, n: setattr(self, "s_size", n))

    def run(self, sql: Any, values: Any = None) -> None:
        """Execute one statement."""
        if self.s_closed:
            raise self.s_session.raises("closed", "cursor already closed")
        self.s_at, self.s_query = 0, composed(sql)
        self.s_result = ServerResult([], [], -1, None, "")
        self.s_result = self.s_session.run(self.s_query, values)

    def run_many(self, sql: Any, rows: Any) -> None:
        """Execute one statement for each row."""
        count, last = 0, None
        for values in rows:
            self.run(sql, values)
            count += max(self.s_result.count, 0)
            last = self.s_result.last
        self.s_result = ServerResult([], [], count, last, self.s_result.verb)

    def shaped(self, row: Any) -> Any:
        """A row as the driver gives it."""
        return row

    def next_rows(self, count: int | None) -> list[Any]:
        """The next rows."""
        if not self.s_result.columns and self.s_session.is_postgres:
            raise self.s_session.raises("nothing", "no results to fetch")
        end = len(self.s_result.rows) if count is None else self.s_at + count
        found = self.s_result.rows[self.s_at : end]
        self.s_at += len(found)
        return [self.shaped(row) for row in found]

    def fetchone(self) -> Any:
        """The next row or `None`."""
        found = self.next_rows(1)
        return found[0] if found else None

    def fetchmany(self, size: Any = None) -> Any:
        """Some rows."""
        return self.next_rows(size or self.s_size)

    def fetchall(self) -> Any:
        """The rows that are left."""
        return self.next_rows(None)

    def __iter__(self) -> Any:
        return iter(self.next_rows(None))

    def __next__(self) -> Any:
        row = self.fetchone()
        if row is None:
            raise StopIteration
        return row

    def close(self) -> None:
        """Nothing more runs."""
        self.s_closed = True

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
