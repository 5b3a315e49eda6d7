"""A folder of the process's own among temporary ones: the first that no living process holds."""

from __future__ import annotations

import os
import shutil
import stat
from typing import Any

_os_before = {
    name: getattr(os, name) for name in ("mkdir", "open", "stat", "listdir", "unlink", "rmdir")
}
_rmtree_before = shutil.rmtree
_held_folders: dict[str, int] = {}
"""Descriptors by path: the system lets go of them however a process ends."""


def own_folder(top: str) -> str:
    """Make such a folder, or take one over that a process has left when it was ended."""
    names = (os.path.join(top, f"slice-func-{number}") for number in range(1 << 20))
    return next(path for path in names if _take_folder(path))


def leave_folder(path: str) -> None:
    """Remove the folder, then let go of it."""
    _rmtree_before(path, ignore_errors=True)
    held = _held_folders.pop(path, None)
    if held is not None:
        os.close(held)


def _take_folder(path: str) -> bool:
    try:
        _os_before["mkdir"](path, 0o700)
        made = True
    except FileExistsError:
        made = False
    try:
        import fcntl
    except ImportError:  # Windows
        return made
    try:
        held = _os_before["open"](path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mine = _is_same_and_mine(held, path)
    except BlockingIOError:
        mine = False
    except OSError:  # a file system without locks
        mine = made
    if not mine:
        os.close(held)
        return False
    _held_folders[path] = held
    _empty(path)
    return True


def _is_same_and_mine(held: int, path: str) -> bool:
    """Whether a folder is still the one of that path, and nobody else's."""
    one, other = os.fstat(held), _os_before["stat"](path, follow_symlinks=False)
    same = (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
    return same and one.st_uid == os.geteuid()


def _empty(folder: str) -> None:
    for name in _os_before["listdir"](folder):
        path = os.path.join(folder, name)
        if stat.S_ISDIR(_os_before["stat"](path, follow_symlinks=False).st_mode):
            _empty(path)
            _os_before["rmdir"](path)
        else:
            _os_before["unlink"](path)


def told_elsewhere(value: Any, spellings: dict[str, str]) -> Any:
    """A value with some folders spelled otherwise, in the order given; also inside of containers."""
    if type(value) is str:
        for folder, other in spellings.items():
            value = value.replace(folder, other)
        return value
    if type(value) is bytes:
        for folder, other in spellings.items():
            value = value.replace(os.fsencode(folder), os.fsencode(other))
        return value
    if type(value) in (list, tuple):
        return type(value)(told_elsewhere(item, spellings) for item in value)
    if type(value) is dict:
        return {key: told_elsewhere(item, spellings) for key, item in value.items()}
    return value
