"""Missing paths in the working folder that a case looks up.

A function that first checks whether a file exists raises no error that names it.
"""

from __future__ import annotations

import builtins
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..raw import Raw

__builtins__ = dict(vars(builtins))

_MOST = 8
_LONGEST = 100
_lstat = os.lstat
_fspath: Callable[[Raw], Raw] = os.fspath
_CODE = (".py", ".pyc", ".pyi", ".so")
_READS = frozenset({"open", "os.listdir", "os.scandir"})


class PathRequests:
    """Records these paths between `start` and `stop`, in order."""

    def __init__(self, folder: str) -> None:
        self._folder = f"{folder}/"
        self._is_on = False
        self.paths: list[str] = []
        # a plain function: for a bound method CPython looks up a missing attribute at every event,
        # and each call of `id` is an event
        sys.addaudithook(lambda event, args: event in _READS and self._on_event(event, args))

    def start(self) -> None:
        """Begin recording."""
        self.paths = []
        self._is_on = True
        os.stat, os.lstat = self._asking(os.stat), self._asking(os.lstat)

    def stop(self) -> None:
        """Restore the functions, unless other code has replaced them since."""
        self._is_on = False
        os.stat = getattr(os.stat, "asks", os.stat)
        os.lstat = getattr(os.lstat, "asks", os.lstat)

    def _asking(self, function: Raw) -> Raw:
        def asked(path: Raw, *args: Raw, **named: Raw) -> Raw:
            try:
                return function(path, *args, **named)
            except OSError:
                self._note(path)
                raise

        asked.asks = function  # type: ignore[attr-defined]
        return asked

    def _on_event(self, event: str, args: Raw) -> None:
        if self._is_on and not (event == "open" and (args[2] or 0) & os.O_CREAT):
            self._note(args[0])

    def _note(self, path: Raw) -> None:
        try:
            text = _fspath(path)
        except TypeError:
            return
        if type(text) is not str or len(self.paths) == _MOST or not self._is_on:
            return
        text = text.removeprefix(self._folder)
        is_inside = text[:1] not in ("", "/", "~") and ".." not in text and len(text) <= _LONGEST
        if not is_inside or text in self.paths or text.endswith(_CODE) or _is_there(text):
            return
        self.paths.append(text)


def _is_there(path: str) -> bool:
    try:
        _lstat(path)
    except (OSError, ValueError):
        return False
    return True
