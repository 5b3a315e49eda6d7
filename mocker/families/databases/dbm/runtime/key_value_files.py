"""Files of keys and values: `dbm`, and `shelve` above it; each path is a dictionary in memory."""

from __future__ import annotations

import dbm
import importlib
import os
from collections.abc import MutableMapping
from typing import Any

from .....world.core.world import record, replace, restart_with


class _Kept(MutableMapping[Any, Any]):
    """One opened file; what it holds stays for whoever opens it next."""

    def __init__(self, path: str, held: dict[bytes, bytes], writable: bool) -> None:
        self._path = path
        self._held: Any = held
        self._writable = writable

    def __getitem__(self, key: Any) -> bytes:
        return self._open()[_encoded(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._change("write", key)[_encoded(key)] = _encoded(value)

    def __delitem__(self, key: Any) -> None:
        del self._change("delete", key)[_encoded(key)]

    def __iter__(self) -> Any:
        return iter(list(self._open()))

    def __len__(self) -> int:
        return len(self._open())

    def keys(self) -> Any:
        return list(self._open())

    def sync(self) -> None:
        self._open()

    def close(self) -> None:
        self._held = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> dict[bytes, bytes]:
        if self._held is None:
            raise dbm.error[0]("DBM object has already been closed")
        return self._held

    def _change(self, what: str, key: Any) -> dict[bytes, bytes]:
        held = self._open()
        if not self._writable:
            raise dbm.error[0]("the database is opened for reading only")
        home = os.path.expanduser("~") + os.sep
        told = self._path.replace(home, "~/", 1) if self._path.startswith(home) else self._path
        record(what, told, _encoded(key))
        return held


def keep_keys_in_memory() -> None:
    """Open no file of keys and values: each path is empty until something is put there."""
    files: dict[str, dict[bytes, bytes]] = {}
    restart_with(files.clear)

    def opened(file: Any, flag: str = "r", mode: int = 0o666) -> Any:
        path = os.fspath(file)
        path = path.decode() if isinstance(path, bytes) else path
        if flag[:1] == "n":
            files[path] = {}
        elif flag[:1] in ("r", "w") and path not in files:
            raise dbm.error[0](
                2, f"db file doesn't exist; use 'c' or 'n' flag to create a new db: {path}"
            )
        return _Kept(path, files.setdefault(path, {}), flag[:1] != "r")

    def what(file: Any) -> Any:
        return "dbm.dumb" if os.fspath(file) in files else None

    replace(dbm, "open", opened)
    replace(dbm, "whichdb", what)
    for name in ("dbm.gnu", "dbm.ndbm", "dbm.dumb", "dbm.sqlite3"):
        try:
            replace(importlib.import_module(name), "open", opened)
        except ImportError:
            continue


def _encoded(value: Any) -> bytes:
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, str):
        return value.encode()
    raise TypeError("keys and values must be bytes or strings")
