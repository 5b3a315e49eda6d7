"""Which functions of a slice have their body run, seen through `sys.setprofile`."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Iterable


class Executed:
    """Collects the code objects of a few modules whose body began to run."""

    def __init__(self, files: frozenset[str], own: frozenset[str], script: str) -> None:
        """Take the files of the slice, the package's module names and the script's module name."""
        self._files = files
        self._own = own
        self._script = script
        self._codes: dict[types.CodeType, str | None] = {}

    def start(self) -> None:
        """Look at every call from now on, in this thread and in new ones."""
        threading.setprofile(self._hook)
        sys.setprofile(self._hook)

    def stop(self) -> None:
        """Look no longer."""
        sys.setprofile(None)
        threading.setprofile(None)  # pyright: ignore[reportArgumentType]

    def found(self) -> list[tuple[str, str]]:
        """Module name and qualified name of each, sorted."""
        # A copy: threads that the calls have started may still be adding.
        codes = list(self._codes.items())
        pairs = ((module, code.co_qualname) for code, module in codes if module)
        return sorted(set(pairs))

    def _hook(self, frame: types.FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code not in self._codes:
            code = frame.f_code
            module = frame.f_globals.get("__name__")
            mine = code.co_filename in self._files or (
                isinstance(module, str)
                and (module == self._script or module.partition(".")[0] in self._own)
            )
            is_function = code.co_flags & 0x2
            self._codes[code] = str(module) if mine and is_function else None


def ratio(kept: Iterable[object], executed: Iterable[object]) -> float | None:
    """How many definitions are kept for each that ran; `None` where none ran."""
    ran = len(list(executed))
    return len(list(kept)) / ran if ran else None
