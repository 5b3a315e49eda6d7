"""Pause the garbage collector during work on syntax trees, and run it rarely later."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Generator


@contextlib.contextmanager
def paused() -> Generator[None]:
    """Pause the collector: trees are many and hold no cycles, so collecting wastes time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


_YOUNG = 50_000
"""Number of allocations before the collector runs; the interpreter's default is 700."""


@contextlib.contextmanager
def seldom() -> Generator[None]:
    """Freeze existing objects, and run the collector less often for new ones.

    The trees of a repository live until the end. Traversing them again and again during the search
    for cases takes a fifth of the time.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
