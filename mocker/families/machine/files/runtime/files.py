"""Files that are not there, and what is written outside the working folder."""

from __future__ import annotations

import builtins
import io
import os
from typing import Any

from .....world.core.as_builtin import AsBuiltin
from .....world.core.world import record, replace, restart_with
from .file_places import (
    _copy_in,
    _full_path,
    _gone_files,
    _is_below_folder,
    _is_there,
    _must_be_new,
    _offered,
    _path_text,
    _place_of,
    _planned,
    _real_open,
    _real_os,
    _told_path,
    _work_folder,
    begin_files_anew,
)
from .file_system import _follow_caller, _reading_os, _replace_os

MAX_NOTED_BYTES = 1 << 16
"""Bytes of a written file that its effect shows."""


class _NotedFile(io.FileIO):
    """A file outside the working folder: what was written is noted when it is closed."""

    named = ""
    target = ""

    def close(self) -> None:
        """Close, then note."""
        before = self.closed
        super().close()
        if not before and self.named:
            note_written(self.named, self.target)


def note_written(named: str, path: str) -> None:
    """Record what a file holds now."""
    try:
        with _real_open(path, "rb") as stream:
            content = stream.read(MAX_NOTED_BYTES)
    except OSError:
        return
    try:
        record("write", _told_path(named), content.decode("utf-8"))
    except UnicodeDecodeError:
        record("write", _told_path(named), f"{os.path.getsize(path)} bytes")


def open_file(
    file: Any,
    mode: str = "r",
    buffering: int = -1,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
    closefd: bool = True,
    opener: Any = None,
) -> Any:
    """`open`, for what is not there and for what lies outside."""
    if opener is not None:  # it opens the file itself, by `os.open`, and notes what it has opened
        return _real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    text = _path_text(file)
    writes = isinstance(mode, str) and any(letter in mode for letter in "wax+")
    place = None if text is None else _place_of(text, writes=writes, opens=True)
    if place is None and writes and text is not None:
        _keep_offered(text, mode)
    if place is None:
        return _real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    if not writes:
        try:
            return _real_open(
                place.path, mode, buffering, encoding, errors, newline, closefd, opener
            )
        except FileNotFoundError as error:
            raise FileNotFoundError(error.errno, error.strerror, file) from None
    if "x" in mode:
        _must_be_new(place)
    elif "w" not in mode:
        _copy_in(place)
    _gone_files.discard(_full_path(place.named))
    raw = _NotedFile(place.path, mode.replace("b", "").replace("t", ""))
    raw.named, raw.target = place.named, place.path
    raw.name = place.named
    if "b" in mode and buffering == 0:
        return raw
    kind = io.BufferedRandom if "+" in mode else io.BufferedWriter
    buffered = kind(raw)
    if "b" in mode:
        return buffered
    wrapped: Any = io.TextIOWrapper(buffered, encoding, errors, newline, buffering == 1)
    wrapped.mode = mode
    return wrapped


def _keep_offered(text: str, mode: str) -> None:
    """An offered file that is appended to or changed moves into the working folder first."""
    full = _full_path(text)
    if "w" in mode or "x" in mode or _is_there(full) or not _is_below_folder(full, _work_folder):
        return
    offered = _planned(text, full, opens=True)
    if offered is not None and os.path.isfile(offered):
        _real_os["makedirs"](os.path.dirname(full), exist_ok=True)
        with _real_open(offered, "rb") as source, _real_open(full, "wb") as sink:
            sink.write(source.read())


def offer_files(plan: dict[str, dict[str, Any]]) -> None:
    """Offer files that are not there; what is written outside the working folder is noted.

    `plan` has for each path or pattern the contents by variant; `None` is a missing file.
    """
    _offered.update(plan)
    restart_with(begin_files_anew)
    opening = AsBuiltin(open_file, "open")
    for owner in (builtins, io):
        replace(owner, "open", opening)
    names = ("stat", "lstat", "access", "readlink", "listxattr", "getxattr")
    _replace_os({name: _reading_os(name) for name in names if name in _real_os})
    _replace_os({"chdir": _follow_caller()})
