"""Collect which line of the target followed which, inside the sandbox, by `sys.settrace`.

An arc is a pair of line numbers of one frame: the previous line and the one that ran. Entering code
that begins on line n is written as -n, and so is leaving it. This is coverage.py's notation, and
the parent analyses the arcs with its parser. Code in the sandbox could forge arcs, so they only
describe trusted cases and never decide about a candidate.

Begin collecting once the script is loaded: code that runs while it loads belongs to no call.
"""

from __future__ import annotations

import opcode
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from sys import gettrace, settrace
from types import CodeType, FrameType
from typing import Any

Arc = tuple[int, int]

# Copies, because the traced code may replace module attributes.
_trace_threads = threading.settrace
_RESUMABLE = 0x20 | 0x80 | 0x200  # generators, coroutines, asynchronous generators
_RESUME = opcode.opmap.get("RESUME")
_YIELDS = (opcode.opmap.get("YIELD_VALUE"), opcode.opmap.get("YIELD_FROM"))
# Position of a suspended generator's frame: on the yield, in 3.13 on the RESUME after it.
_TO_RESUME = 0 if sys.version_info[:2] == (3, 13) else 2


class Collector:
    """The arcs of all code that begins within some lines of a file, in all threads."""

    def __init__(self, filename: str, first: int, last: int) -> None:
        self._filename = filename
        self._first = first
        self._last = last
        self._files: dict[str, bool] = {}
        self._found: set[Arc] = set()
        self._is_on = False
        self._previous: Any = None

    def start(self) -> None:
        """Trace code that is entered or resumed from now on."""
        self._is_on = True
        self._previous = gettrace()
        _trace_threads(self._call)
        settrace(self._call)

    @property
    def trace(self) -> Callable[..., Any]:
        """Return the trace function for code that counts although tracing is suspended."""
        return self._call

    def stop(self) -> None:
        """Stop tracing and restore the previous tracer; do nothing if tracing has not started."""
        if not self._is_on:
            return
        settrace(self._previous)
        _trace_threads(self._previous)
        self._is_on = False

    def arcs(self) -> list[Arc]:
        """Return the arcs collected so far, sorted."""
        return sorted(self._found.copy())  # a remaining thread may still add arcs

    def _call(self, frame: FrameType, _event: str, _arg: object) -> Callable[..., Any] | None:
        """Choose the code to trace whenever a frame is entered or resumed."""
        code = frame.f_code
        is_ours = self._files.get(code.co_filename)
        if is_ours is None:
            is_ours = self._files[code.co_filename] = self._is_ours(code.co_filename)
        if is_ours and self._first <= code.co_firstlineno <= self._last and self._is_on:
            return _tracer(frame, self._found.add)
        frame.f_trace_lines = False  # so that the interpreter skips line events
        return None

    def _is_ours(self, filename: str) -> bool:
        """Whether this is the file; a relative name matches every path that ends with it."""
        wanted = self._filename
        return filename == wanted or (wanted[:1] != "/" and filename.endswith("/" + wanted))


@contextmanager
def collecting(filename: str, first: int, last: int) -> Generator[Collector]:
    """Return a context manager that collects the arcs of the code in these lines.

    Args:
        filename: File name of the code. A relative one matches every path that ends with it, since
            a carried module has a file name below a temporary folder.
        first: First line of the target, decorators included.
        last: Its last line.
    """
    collector = Collector(filename, first, last)
    collector.start()
    try:
        yield collector
    finally:
        collector.stop()


def _tracer(frame: FrameType, add: Callable[[Arc], None]) -> Callable[..., Any]:
    """Return the trace function of one frame, from one entry to the next exit."""
    code = frame.f_code
    entry = -code.co_firstlineno
    before = frame.f_lineno if _is_resumed(frame, code) else entry

    def trace(frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        nonlocal before
        if event == "line":
            line = frame.f_lineno
            add((before, line))
            before = line
        elif event == "return" and not _is_suspended(frame, code):
            add((before, entry))
        return trace

    return trace


def _is_resumed(frame: FrameType, code: CodeType) -> bool:
    """Whether the frame ran before."""
    if not code.co_flags & _RESUMABLE:
        return False
    if _RESUME is None:
        return frame.f_lasti >= 0
    return code.co_code[frame.f_lasti + 1] != 0  # RESUME 0 is the entry, others follow a yield


def _is_suspended(frame: FrameType, code: CodeType) -> bool:
    """Whether a frame that returns will run on later: it yields or awaits."""
    if not code.co_flags & _RESUMABLE:
        return False
    text, at = code.co_code, frame.f_lasti
    if _RESUME is None:  # before 3.11
        return text[at] == _YIELDS[0] or text[at + 2 : at + 3] == bytes([_YIELDS[1] or 0])
    at += _TO_RESUME
    return at < len(text) and text[at] == _RESUME
