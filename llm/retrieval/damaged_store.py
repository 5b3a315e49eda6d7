"""Stores of what can be made again: a damaged one is made anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")


def with_whole_store(file: Path, use: Callable[[], Result]) -> Result:
    """Return what a use of a database gives; if the file is damaged, remove it and use a new one.

    Raises:
        sqlite3.OperationalError: it is locked, or cannot be written.
    """
    try:
        return use()
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        for each in (file, Path(f"{file}-wal"), Path(f"{file}-shm"), Path(f"{file}-journal")):
            each.unlink(missing_ok=True)
        return use()
