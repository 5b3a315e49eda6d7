"""Pause the garbage collector while syntax trees are built and read, and run it rarely
afterwards.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Generator


@contextlib.contextmanager
def paused() -> Generator[None]:
    """Trees are many and hold no circles: looking for garbage among them is time lost."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


_YOUNG = 50_000
"""Objects that are made before the collector looks at them; the interpreter's own is 700."""


@contextlib.contextmanager
def seldom() -> Generator[None]:
    """What is there already is not looked at, and what comes is looked at less often.

    The trees of a repository stay until the end: to go through them again and again, while cases
    are searched for, takes a fifth of the time.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
