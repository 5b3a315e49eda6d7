"""A file lock: one process at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone(path: Path, *, waits: bool = True) -> Generator[bool]:
    """Hold the lock file. The kernel releases it when the process ends, however it ends.

    Args:
        path: the lock file.
        waits: whether to wait for another process that holds it.

    Yields:
        Whether it is held.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        is_locked = True
    except BlockingIOError:
        is_locked = False
    try:
        yield is_locked
    finally:
        os.close(descriptor)
