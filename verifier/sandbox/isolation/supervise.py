"""The trusted side of one run: start it, drain its output, keep the time, end it.

It works wherever the forker's socket is: in the parent on the host, or in a trusted process inside
a container. Pipes are drained until they close, even after a limit was exceeded.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from .wire import DESCRIPTORS, END, Order, receive

_CHUNK = 1 << 16
_LAST_LINE = f"\n{END}\n".encode()
_STATUS_BYTES = 1 << 14
_DRAIN_SECONDS = 20.0
"""Longest time for killed processes to disappear; more means that the sandbox is broken."""


class OutputLimits(NamedTuple):
    """Limits in bytes on what may come back."""

    output_bytes: int
    record_bytes: int


class Report(NamedTuple):
    """The observed facts of one run."""

    stopped: str = ""
    """The limit that ended it: `timeout`, `output`, or empty."""
    lost: str = ""
    """Why nothing can be said about the script: the sandbox failed."""
    protections: list[str] | None = None
    """Protections in force before the script's first line; `None` if it was not reached."""
    measured: dict[str, Any] | None = None
    """`wait_status`, `cpu_seconds` and `peak_bytes`; `None` if it was ended from outside."""
    stdout: bytes = b""
    stderr: bytes = b""
    records: bytes = b""
    wall_seconds: float = 0.0
    ending: int = -1
    """Descriptor of the tree's first process, for `settle`; -1 if nothing was started."""


class SandboxLost(Exception):  # noqa: N818 - nothing is wrong here: something was lost
    """The script was not started, or the sandbox was lost. The message says why."""


class Runner(NamedTuple):
    """The ways to start a run, and to end it early."""

    start: Callable[[dict[str, int]], int]
    """Takes the other side's descriptors by name; returns a process, or raises `SandboxLost`."""
    stop: Callable[[int], None]
    """Ends the process of the descriptor with all its children."""


def forker_runner(channel: socket.socket, order: Order) -> Runner:
    """Return a runner that uses the forker at the other end of the channel."""

    def start(writing: dict[str, int]) -> int:
        try:
            socket.send_fds(channel, [order.encode()], [writing[name] for name in DESCRIPTORS])
            data, handles = receive(channel, 256)
        except OSError as error:
            raise SandboxLost(f"the sandbox has ended: {error}") from error
        if not handles:
            answer = data.decode("ascii", "replace") or "it has ended"
            raise SandboxLost(f"the sandbox started nothing: {answer}")
        return handles[0]

    def stop(handle: int) -> None:
        signal.pidfd_send_signal(handle, signal.SIGKILL)

    return Runner(start, stop)


More = Callable[[bytes], bytes]
"""Takes the records of a run's first part, and returns its second request; empty if it has none."""


def supervise(
    runner: Runner, order: Order, request: bytes, caps: OutputLimits, more: More | None = None
) -> Report:
    """Run one script, and watch until it is complete; then call `settle`.

    Args:
        runner: starts the script.
        order: limits of the run.
        request: the request that its process reads first.
        caps: limits on the output.
        more: called once, when the first part has ended; its result is sent to the process.

    Raises:
        OSError: this side ran out of descriptors.
    """
    start = time.monotonic()
    reading, writing = _open_channels(request, goes_on=more is not None)
    try:
        try:
            handle = runner.start(writing)
        except SandboxLost as why:
            return Report(lost=str(why))
        finally:
            for descriptor in writing.values():
                os.close(descriptor)
        watch = _Watch(reading, handle, caps, runner.stop, more)
        lost = watch.until_silence(start + order.wall_seconds)
        return watch.report(time.monotonic() - start, lost)
    finally:
        for descriptor in reading.values():
            os.close(descriptor)


def settle(report: Report) -> bool:
    """Wait until no process of the run is left. Return whether that succeeded.

    The first process has reported how the script ended, while the kernel still takes its tree down.
    The outcome need not wait for that, but the next run must.
    """
    if report.ending < 0:
        return True
    poll = select.poll()
    poll.register(report.ending, select.POLLIN)
    has_ended = bool(poll.poll(_DRAIN_SECONDS * 1000))
    os.close(report.ending)
    return has_ended


def _open_channels(request: bytes, *, goes_on: bool) -> tuple[dict[str, int], dict[str, int]]:
    """Return reading ends, and writing ends with the request's file for the other side.

    The channel of records is bidirectional if a second request may follow.
    """
    reading: dict[str, int] = {}
    writing = {"request": os.memfd_create("request")}
    try:
        rest = memoryview(request)
        while rest:
            rest = rest[os.write(writing["request"], rest) :]
        for name in DESCRIPTORS[1:]:
            is_duplex = goes_on and name == "records"
            reading[name], writing[name] = _socket_pair() if is_duplex else os.pipe()
            os.set_blocking(reading[name], False)
    except OSError:
        for descriptor in (*reading.values(), *writing.values()):
            os.close(descriptor)
        raise
    return reading, writing


def _socket_pair() -> tuple[int, int]:
    ours, theirs = socket.socketpair()
    return ours.detach(), theirs.detach()


class _Watch:
    """Waits for four pipes and the clock at once.

    The status pipe is open until the tree's first process has reported the end, the others as long
    as anybody may write to them.
    """

    def __init__(
        self,
        reading: dict[str, int],
        handle: int,
        caps: OutputLimits,
        stop: Callable[[int], None],
        more: More | None,
    ) -> None:
        self._names = {descriptor: name for name, descriptor in reading.items()}
        self._open = set(self._names)
        self._handle = handle
        self._end = stop
        self._more = more
        self._rest: memoryview | None = None
        """The unsent part of the second request; `None` if there is none."""
        self._deadline = 0.0
        self._caps = {
            "status": _STATUS_BYTES,
            "stdout": caps.output_bytes,
            "stderr": caps.output_bytes,
            "records": caps.record_bytes,
        }
        self._received = {name: bytearray() for name in reading}
        self._stopped = ""

    def until_silence(self, deadline: float) -> str:
        """Watch until all pipes are drained and closed. Return what went wrong, or empty."""
        self._deadline = deadline
        poll = select.poll()
        for descriptor in self._open:
            poll.register(descriptor, select.POLLIN)
        while self._open:
            rest = self._deadline - time.monotonic()
            if rest <= 0:
                if self._stopped:
                    return "ended processes do not go away"
                self._stop("timeout")
                continue
            for descriptor, events in poll.poll(rest * 1000 + 1):
                if self._rest is not None and events & select.POLLOUT:
                    self._send(descriptor)
                elif not self._drain(descriptor):
                    poll.unregister(descriptor)
                    self._open.discard(descriptor)
                    continue
                waits = self._rest is not None and self._names[descriptor] == "records"
                poll.modify(descriptor, select.POLLIN | select.POLLOUT if waits else select.POLLIN)
        return ""

    def report(self, seconds: float, lost: str) -> Report:
        """Return all that was seen."""
        status: dict[str, Any] = {}
        for line in bytes(self._received["status"]).splitlines():
            status.update(json.loads(line))
        if "error" in status:
            lost = lost or f"the sandbox could not be set up: {status['error']}"
        has_ended = "wait_status" in status
        if not has_ended and not self._stopped:
            lost = lost or "the sandbox's first process was ended from outside"
        return Report(
            stopped=self._stopped,
            lost=lost,
            protections=status.get("protections"),
            measured=status if has_ended else None,
            stdout=bytes(self._received["stdout"]),
            stderr=bytes(self._received["stderr"]),
            records=bytes(self._received["records"]),
            wall_seconds=seconds,
            ending=self._handle,
        )

    def _drain(self, descriptor: int) -> bool:
        """Read available data and keep what the limit permits. Return whether more may come."""
        name = self._names[descriptor]
        received, cap = self._received[name], self._caps[name]
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return True
        except ConnectionResetError:  # the process ended before it read everything
            return False
        room = cap - len(received)
        received += data[:room]
        if len(data) > room and not self._stopped:
            self._stop("output")
        if self._more and name == "records" and not self._stopped and received.endswith(_LAST_LINE):
            more, self._more = self._more, None
            self._rest = memoryview(more(bytes(received)))
        return bool(data)

    def _send(self, descriptor: int) -> None:
        """Send a part of the second request; close that direction after the last part."""
        assert self._rest is not None
        try:
            self._rest = self._rest[os.write(descriptor, self._rest) :]
        except BlockingIOError:
            return
        except OSError:  # the process has closed its end
            self._rest = self._rest[:0]
        if not self._rest:
            self._rest = None
            with socket.socket(fileno=os.dup(descriptor)) as channel, contextlib.suppress(OSError):
                channel.shutdown(socket.SHUT_WR)

    def _stop(self, reason: str) -> None:
        """End the first process; the kernel then ends all others."""
        self._stopped = reason
        self._deadline = time.monotonic() + _DRAIN_SECONDS
        with contextlib.suppress(ProcessLookupError):
            self._end(self._handle)
