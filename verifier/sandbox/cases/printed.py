"""Capture what a call prints: everything on descriptors 1 and 2, from any library or process."""

from __future__ import annotations

import builtins
import io
import os
import sys
import tempfile

from ..encoders.kinds.encode_library import without_addresses

__builtins__ = dict(vars(builtins))

_dup, _dup2, _close, _lseek, _read = os.dup, os.dup2, os.close, os.lseek, os.read
_END = os.SEEK_END
_memory_file = getattr(os, "memfd_create", None)
_temporary_file = tempfile.TemporaryFile
_MAX_BYTES = 4 << 20


class Capture:
    """Captures standard output and error, separately, between `start` and `stop`."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, int, int]] = []

    def start(self) -> None:
        """Begin to capture output."""
        _flush()
        for number in (1, 2):
            try:
                saved, captured = _dup(number), _file()
                _dup2(captured, number)
            except OSError:  # the stream was closed, so nothing can be printed on it
                continue
            self._kept.append((number, saved, captured))

    def stop(self) -> tuple[str, str]:
        """Return the captured standard output and error, and restore both."""
        _flush()
        texts = {1: "", 2: ""}
        for number, saved, captured in self._kept:
            try:
                _dup2(saved, number)
                texts[number] = _content(captured)
            except OSError:  # closed by the code that ran
                texts[number] = "(lost)"
            for descriptor in (saved, captured):
                try:
                    _close(descriptor)
                except OSError:
                    continue
        self._kept = []
        return texts[1], texts[2]


def _file() -> int:
    if _memory_file is not None:
        try:
            return _memory_file("printed")
        except OSError:  # refused where no memory group would count it
            pass
    with _temporary_file() as file:
        return _dup(file.fileno())


def _content(descriptor: int) -> str:
    if not _lseek(descriptor, 0, _END):
        return ""
    _lseek(descriptor, 0, 0)
    parts: list[bytes] = []
    while sum(map(len, parts)) < _MAX_BYTES:
        part = _read(descriptor, 1 << 16)
        if not part:
            break
        parts.append(part)
    return without_addresses(b"".join(parts).decode("utf-8", "backslashreplace"))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        if type(stream) is io.TextIOWrapper:
            try:
                stream.flush()
            except (OSError, ValueError):
                continue
