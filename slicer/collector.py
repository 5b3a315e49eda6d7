"""The garbage collector, paused while syntax trees are built and read."""

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
