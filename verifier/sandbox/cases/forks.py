"""Work in forks of this process, which stays as it is after loading the script.

A fork sends lines through a pipe of its own, and ends with all its children.
"""

from __future__ import annotations

import builtins
import importlib
import itertools
import os
import select
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn, TypeAlias

    from ..raw import Raw

    Send: TypeAlias = Callable[[str], None]

__builtins__ = dict(vars(builtins))

_islice = itertools.islice
_clock, _sleep = time.perf_counter, time.sleep
_fork, _read, _write, _kill, _killpg = os.fork, os.read, os.write, os.kill, os.killpg
_leave, _pipe, _close, _wait, _getpid = os._exit, os.pipe, os.close, os.wait4, os.getpid
_open, _dup2, _setpgid = os.open, os.dup2, os.setpgid
_signal, _set_timer, _select = signal.signal, signal.setitimer, select.select
_MOST_BYTES = 32 << 20
"""Largest output of one fork."""
_END = "end"
WAITING = 10.0
"""How many times as long the clock may take while there is progress, since the machine may be
busy."""


class Forked:
    """What a fork has sent, and how it ended."""

    __slots__ = ("cpu", "imported", "is_late", "lines", "seconds", "status")

    def __init__(self, lines: list[str], imported: list[str] | None, is_late: bool) -> None:
        self.lines = lines
        """Its lines, without an incomplete one."""
        self.imported = imported
        """Installed and carried modules that it imported; `None` if it did not end by itself."""
        self.is_late = is_late
        self.status = 0
        """Its wait status."""
        self.cpu = self.seconds = 0.0
        """Its processor seconds and wall-clock seconds."""

    @property
    def end(self) -> str:
        """Return `ended`, or `timeout`, or `died`."""
        if self.imported is not None:
            return "ended"
        number = self.status & 0x7F
        is_late = self.is_late or number in (signal.SIGPROF, signal.SIGVTALRM)
        return "timeout" if is_late else "died"

    def die_alike(self) -> NoReturn:
        """End this process as the fork has ended."""
        number = self.status & 0x7F
        if number:
            _signal(number, signal.SIG_DFL)
            _kill(_getpid(), number)
        _leave(self.status >> 8)


def run_in_fork(
    work: Callable[[Send], None],
    channel: int,
    *,
    seconds: float | None = None,
    is_quiet: bool = False,
) -> Forked:
    """Run some work in a fork and return what it sent.

    Args:
        work: takes a function that sends a line without newlines.
        channel: the descriptor for records, which the fork does not get.
        seconds: limit in processor time, and a multiple of it on the clock; `None` for no limit but
            those of this process.
        is_quiet: whether standard output and error are discarded.
    """
    start = _clock()
    reader, writer = _pipe()
    child = _forked()
    if child == 0:
        _close(reader)
        _work_and_exit(work, writer, (1, 2, channel) if is_quiet else (channel,), seconds)
    _close(writer)
    until = None if seconds is None else start + seconds * WAITING
    data, is_late = _received(reader, until)
    _close(reader)
    *lines, _ = data.decode("utf-8", "replace").split("\n")
    imported = None
    if lines[-1:] == [_END]:
        *lines, names, _ = lines
        imported = names.split()
    found = Forked(lines, imported, is_late)
    found.status, found.cpu = _ended(child)
    found.seconds = _clock() - start
    return found


def _work_and_exit(
    work: Callable[[Send], None], writer: int, discarded: tuple[int, ...], seconds: float | None
) -> None:
    """Work and exit; nothing of it returns into this process."""
    own = _getpid()

    def send(text: str) -> None:
        if _getpid() != own:
            _leave(0)  # a fork made by the target that has not ended
        data = text.encode("utf-8", "surrogatepass") + b"\n"
        while data:
            data = data[_write(writer, data) :]

    try:
        _alone(discarded, seconds)
        known = len(sys.modules)
        work(send)
        send(f"{' '.join(imported_after(known))}\n{_END}")
    finally:
        _leave(0)


def imported_after(before: int) -> list[str]:
    """Return names of modules after the first `before` ones, both installed and carried ones.

    It touches no older module: a fork that touches an object copies its page.
    """
    if len(sys.modules) <= before:
        return []
    places = (f"{sys.prefix}/", f"{sys.base_prefix}/")
    carried = carried_modules()
    new = list(_islice(reversed(sys.modules.items()), len(sys.modules) - before))
    return [
        name
        for name, module in reversed(new)
        if name in carried or str(vars(module).get("__file__") or "").startswith(places)
    ]


def carried_modules() -> set[str]:
    """Return names of the modules that the script carries."""
    return {
        name
        for finder in sys.meta_path
        if "slice_identity" in getattr(finder, "__dict__", ())
        for name in getattr(finder, "names", ())
    }


def import_here(names: list[str]) -> bool:
    """Import modules so that later forks need not. Return whether there were any."""
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException:  # noqa: BLE001, S112 - a package may raise anything while it loads
            continue
    return bool(names)


def _forked() -> int:
    """Fork; retry while ended forks still occupy process slots."""
    for _ in range(100):
        try:
            return _fork()
        except BlockingIOError:
            _sleep(0.02)
    return _fork()


def _alone(descriptors: tuple[int, ...], seconds: float | None) -> None:
    """Lead an own process group, discard some output, and end when time is up."""
    _setpgid(0, 0)
    nowhere = _open("/dev/null", os.O_WRONLY)
    for descriptor in descriptors:
        if descriptor >= 0:
            _dup2(nowhere, descriptor)
    _close(nowhere)
    for number in (signal.SIGPROF, signal.SIGVTALRM, signal.SIGALRM):
        _signal(number, signal.SIG_DFL)
    if seconds is not None:
        _set_timer(signal.ITIMER_PROF, seconds)


def _ended(child: int) -> tuple[int, float]:
    """Kill a fork with its children. Return its wait status, and its processor seconds."""
    for end in (_killpg, _kill):
        try:
            end(child, signal.SIGKILL)
        except OSError:  # it has no group yet, or is gone
            continue
    _, status, usage = _wait(child, 0)
    return status, usage.ru_utime + usage.ru_stime


def _received(reader: int, until: float | None) -> tuple[bytes, bool]:
    """Return all data until the other end closes, and whether time was up first."""
    parts: list[bytes] = []
    left_bytes = _MOST_BYTES
    left: Raw = None
    while left_bytes > 0:
        if until is not None:
            left = until - _clock()
            if left <= 0 or not _select([reader], [], [], left)[0]:
                return b"".join(parts), True
        data = _read(reader, 1 << 16)
        parts.append(data)
        if not data or data.endswith(f"\n{_END}\n".encode()):
            return b"".join(parts), False
        left_bytes -= len(data)
    return b"".join(parts), False
