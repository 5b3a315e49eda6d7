"""Threads left behind by a case: let them end before the next one begins.

A function may leave a thread that ends by itself. With many cases in one process, their number
would grow until no further thread can be started.
"""

from __future__ import annotations

import builtins
import threading
import time

__builtins__ = dict(vars(builtins))

MOST_LEFT = 8
"""Number of remaining threads that is tolerated."""
_WAITED = 100
_count, _sleep = threading.active_count, time.sleep


def let_threads_end() -> None:
    """Wait until most threads have ended, a second at most."""
    for _ in range(_WAITED):
        if _count() <= MOST_LEFT:
            return
        _sleep(0.01)
