"""Answers on disk, keyed by the content of their requests, so that none is paid for twice.

A request is locked while it is under way, so that no other process sends the same one. The kernel
releases the lock when the process ends in any way.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path

from .questions import Reply, ToolCall

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    text TEXT NOT NULL,
    finish TEXT NOT NULL,
    refusal TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    seconds REAL NOT NULL,
    calls TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (
    run TEXT PRIMARY KEY,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    usd REAL NOT NULL
) WITHOUT ROWID;
"""
_COLUMNS = "text, finish, refusal, input_tokens, output_tokens, seconds, calls"
_BUSY_SECONDS = 60.0
_OPENING = "opening"
_LOCK_DIGITS = 3
"""Two of 64 requests under way rarely share one of 4,096 locks, and wait for each other."""


class Cache:
    """A file of answers, which any number of processes and threads may use at once."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._local = threading.local()
        file.parent.mkdir(parents=True, exist_ok=True)
        self._open()

    def get(self, key: str) -> Reply | None:
        """Return the stored answer, if any."""
        found = self._open().execute(f"SELECT {_COLUMNS} FROM replies WHERE key = ?", (key,))  # noqa: S608
        row = found.fetchone()
        if row is None:
            return None
        text, finish, refusal, input_tokens, output_tokens, seconds, calls = row
        called = tuple(ToolCall(*each) for each in json.loads(calls or "[]"))
        return Reply(text, finish, refusal, input_tokens, output_tokens, seconds, called)

    def put(self, key: str, model: str, reply: Reply) -> None:
        """Store an answer; it is durable when this returns."""
        *plain, calls = astuple(reply)
        row = (key, model, *plain, json.dumps(calls) if calls else "")
        with self._open() as database:
            database.execute(
                f"INSERT OR IGNORE INTO replies (key, model, {_COLUMNS}) "  # noqa: S608
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def spend(
        self, run: str, amounts: tuple[int, int, float], bounds: tuple[float, float, float]
    ) -> bool:
        """Add calls, tokens and USD to a run's spending; return whether the bounds allow it."""
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            found = database.execute("SELECT calls, tokens, usd FROM spent WHERE run = ?", (run,))
            known = found.fetchone() or (0, 0, 0.0)
            sums = tuple(a + b for a, b in zip(known, amounts, strict=True))
            if any(each > bound for each, bound in zip(sums, bounds, strict=True)):
                return False
            database.execute("INSERT OR REPLACE INTO spent VALUES (?, ?, ?, ?)", (run, *sums))
        return True

    @contextmanager
    def locked(self, key: str) -> Generator[None]:
        """Hold the lock of this key, which it shares with few other keys."""
        folder = self._file.with_name(f"{self._file.name}.locks")
        folder.mkdir(exist_ok=True)
        descriptor = os.open(folder / key[:_LOCK_DIGITS], os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _open(self) -> sqlite3.Connection:
        """Return this thread's connection; after a fork, a new one."""
        known: tuple[int, sqlite3.Connection] | None = getattr(self._local, "open", None)
        if known is not None and known[0] == os.getpid():
            return known[1]
        database = sqlite3.connect(self._file, timeout=_BUSY_SECONDS)
        with self.locked(_OPENING):  # a change of the journal mode does not wait for locks
            database.execute("PRAGMA journal_mode = WAL")
            database.executescript(_SCHEMA)
            columns = {row[1] for row in database.execute("PRAGMA table_info(replies)")}
            if "calls" not in columns:  # a file of a version without tools
                database.execute("ALTER TABLE replies ADD COLUMN calls TEXT NOT NULL DEFAULT ''")
        self._local.open = os.getpid(), database
        return database
