"""Restore folders between cases: undo what a case created, changed or removed."""

from __future__ import annotations

import builtins
import os

from . import observed_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..raw import Raw

__builtins__ = dict(vars(builtins))

_KEPT_BYTES = 16 << 20
_KINDS = 0o170000
_FOLDER = 0o040000
_REGULAR = 0o100000
_open, _read, _write, _close = os.open, os.read, os.write, os.close
_unlink, _rmdir, _mkdir, _chmod = os.unlink, os.rmdir, os.mkdir, os.chmod
_lstat, _listdir = os.lstat, os.listdir


_CARRIED = "slice-func-"
"""Prefix of data that scripts lay out, and of files of mocks, which restore these themselves."""


class Folder:
    """A folder that can be restored to its recorded state, and others that lose what is new.

    Args:
        path: the folder.
        others: folders that belong to the script alone, as that of temporary files.
    """

    def __init__(self, path: str, others: Sequence[str] = ()) -> None:
        self._path = path
        self._names = {each: frozenset(_names_in(each)) for each in others}
        self._states = observed_state.files(path)
        self._contents: dict[str, bytes] = {}
        left = _KEPT_BYTES
        for name, found in self._states.items():
            if _kind(found) == _REGULAR and found[1] <= left:
                self._contents[name] = _content(f"{path}/{name}")
                left -= len(self._contents[name])

    def restore(self) -> None:
        """Undo later changes; a file too large to be kept stays as it is."""
        for other, known_names in self._names.items():
            for name in _names_in(other):
                if name not in known_names and not name.startswith(_CARRIED):
                    _remove(f"{other}/{name}")
        now = observed_state.files(self._path)
        if now == self._states:
            return
        known = self._states
        for name in sorted(now):
            if name not in known or _kind(known[name]) != _kind(now[name]):
                _remove(f"{self._path}/{name}")
        now = observed_state.files(self._path)
        for name in sorted(known):
            if now.get(name) != known[name]:
                self._make(name, known[name])
        self._states = observed_state.files(self._path)

    def _make(self, name: str, wanted: Raw) -> None:
        path = f"{self._path}/{name}"
        try:
            if _kind(wanted) == _FOLDER:
                _make_folder(path)
            elif name in self._contents:
                _put(path, self._contents[name])
            _chmod(path, wanted[0] & 0o7777)
        except OSError:
            return


def _names_in(folder: str) -> list[str]:
    try:
        return _listdir(folder)
    except OSError:
        return []


def _remove(path: str) -> None:
    """Remove a file, or a folder with its contents, as far as possible."""
    try:
        if _lstat(path).st_mode & _KINDS != _FOLDER:
            _unlink(path)
            return
        _chmod(path, 0o700)
        for name in _listdir(path):
            _remove(f"{path}/{name}")
        _rmdir(path)
    except (OSError, RecursionError):  # gone already, or another user's
        return


def _kind(found: Raw) -> int:
    return found[0] & _KINDS


def _make_folder(path: str) -> None:
    try:
        _mkdir(path)
    except FileExistsError:
        return


def _content(path: str) -> bytes:
    try:
        descriptor = _open(path, os.O_RDONLY)
    except OSError:
        return b""
    parts: list[bytes] = []
    while part := _read(descriptor, 1 << 20):
        parts.append(part)
    _close(descriptor)
    return b"".join(parts)


def _put(path: str, content: bytes) -> None:
    descriptor = _open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    rest = memoryview(content)
    while rest:
        rest = rest[_write(descriptor, rest) :]
    _close(descriptor)
