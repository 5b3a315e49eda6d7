"""Libraries of Windows, reached through ctypes."""

from __future__ import annotations

import ctypes

from .....world.core.world import replace
from .....world.stubs.stubs import Stub


def stub_windows(names: tuple[str, ...]) -> None:
    """Give ctypes what it has on Windows only."""
    for name in names:
        if not hasattr(ctypes, name.removeprefix("ctypes.")):
            replace(ctypes, name.removeprefix("ctypes."), Stub(name))
