"""What a folder held once, so that it can be brought back."""

from __future__ import annotations

import contextlib
import io
import os
import stat
from typing import Any

from .own_folder import _os_before

MAX_KEPT_BYTES = 16 << 20
"""Bytes of files that are kept of one folder; a file beyond them stays as it is."""
_open_before = io.open
_make_folders, _set_mode = os.makedirs, os.chmod


class KeptFolder:
    """What a folder holds when this is made."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._states = _states_below(path)
        self._contents: dict[str, bytes] = {}
        room = MAX_KEPT_BYTES
        for file, state in self._states.items():
            if stat.S_ISREG(state[0]) and state[1] <= room:
                with contextlib.suppress(OSError), _open_before(file, "rb") as stream:
                    self._contents[file] = stream.read()
                room -= state[1]

    def bring_back(self) -> None:
        """Undo what was made, changed or removed since then."""
        now = _states_below(self._path)
        if now == self._states:
            return
        for file in sorted(now, reverse=True):  # what is in a folder, then the folder
            if stat.S_IFMT(self._states.get(file, (0,))[0]) != stat.S_IFMT(now[file][0]):
                _remove_one(file, now[file][0])
        for file in sorted(self._states):
            if now.get(file) != self._states[file]:
                self._make_again(file)
        self._states = _states_below(self._path)

    def _make_again(self, file: str) -> None:
        mode = self._states[file][0]
        with contextlib.suppress(OSError):
            if stat.S_ISDIR(mode):
                _make_folders(file, exist_ok=True)
            elif file in self._contents:
                with _open_before(file, "wb") as stream:
                    stream.write(self._contents[file])
            _set_mode(file, stat.S_IMODE(mode))


def _states_below(folder: str) -> dict[str, tuple[int, ...]]:
    """Path → mode, and of what is no folder size, time of the last change and number."""
    found: dict[str, tuple[int, ...]] = {}
    left = [folder]
    while left:
        with contextlib.suppress(OSError):  # we may not list some folders
            here = left.pop()
            for name in sorted(_os_before["listdir"](here)):
                path = os.path.join(here, name)
                about: Any = _os_before["stat"](path, follow_symlinks=False)
                if stat.S_ISDIR(about.st_mode):
                    found[path] = (about.st_mode,)
                    left.append(path)
                else:
                    found[path] = (about.st_mode, about.st_size, about.st_ctime_ns, about.st_ino)
    return found


def _remove_one(path: str, mode: int) -> None:
    with contextlib.suppress(OSError):
        _os_before["rmdir" if stat.S_ISDIR(mode) else "unlink"](path)
