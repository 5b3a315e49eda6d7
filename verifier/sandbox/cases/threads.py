"""Threads that a case has left behind: they may end before the next one begins.

A function may leave a thread that ends by itself; with many cases in one process their number would
grow until no further one can be started.
"""

from __future__ import annotations

import builtins
import threading
import time

__builtins__ = dict(vars(builtins))

MOST_LEFT = 8
"""Threads that are not waited for."""
_WAITED = 100
_count, _sleep = threading.active_count, time.sleep


def let_threads_end() -> None:
    """Wait until most have ended, a second at most."""
    for _ in range(_WAITED):
        if _count() <= MOST_LEFT:
            return
        _sleep(0.01)
