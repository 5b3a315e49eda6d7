"""What calls really call: watches a package's own test suite.

Runs inside the package's environment, with the settings as JSON in the first argument. Each call
from one Python function to another, both inside the watched folder, is written as the place where
the call ends and the function that began to run. Calls that a library or a builtin makes in between
(`sorted(items, key=f)`) are not the caller's own, and are left out.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

Place = tuple[str, int, int]
"""File, line and column where a call ends, as `ast` counts them."""
Callee = tuple[str, int, str]
"""File, line of the first decorator or of the `def`, and name."""


class Watcher:
    """A profile function that collects who calls whom."""

    def __init__(self, folder: str) -> None:
        self._folder = folder + os.sep
        self._inside: dict[CodeType, str | None] = {}
        self._ends: dict[CodeType, list[tuple[int | None, int | None]]] = {}
        self._busy: set[FrameType] = set()
        """Frames in which a builtin is running."""
        self.found: dict[tuple[Place, Callee], None] = {}

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """One event of the interpreter."""
        if event == "call":
            path = self._path(frame.f_code)
            caller = frame.f_back
            if path is not None and caller is not None and caller not in self._busy:
                self._note(caller, frame.f_code, path)
        elif event == "c_call":
            if self._path(frame.f_code) is not None:
                self._busy.add(frame)
        elif event in ("c_return", "c_exception"):
            self._busy.discard(frame)

    def _note(self, caller: FrameType, code: CodeType, path: str) -> None:
        origin = self._path(caller.f_code)
        if origin is None:
            return
        ends = self._ends.get(caller.f_code)
        if ends is None:
            ends = [(end, column) for _, end, _, column in caller.f_code.co_positions()]
            self._ends[caller.f_code] = ends
        line, column = ends[caller.f_lasti // 2]
        if line is not None and column is not None:
            callee = (path, code.co_firstlineno, code.co_name)
            self.found[(origin, line, column), callee] = None

    def _path(self, code: CodeType) -> str | None:
        if code not in self._inside:
            path = os.path.realpath(code.co_filename)
            inside = path.startswith(self._folder)
            self._inside[code] = path.removeprefix(self._folder) if inside else None
        return self._inside[code]


def main() -> int:
    """Run the suite and write what was seen."""
    settings: dict[str, Any] = json.loads(sys.argv[1])
    os.chdir(settings["folder"])
    sys.path[:0] = [settings["folder"], str(Path(settings["folder"]) / settings["root"])]
    import pytest

    watcher = Watcher(os.path.realpath(settings["folder"]))
    threading.setprofile(watcher)
    sys.setprofile(watcher)
    try:
        status = pytest.main(["-q", *settings["arguments"]])
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    found = [[list(place), list(callee)] for place, callee in watcher.found]
    Path(settings["output"]).write_text(json.dumps(sorted(found)), encoding="utf-8")
    return 0 if int(status) in (0, 1) else int(status)


if __name__ == "__main__":
    sys.exit(main())
