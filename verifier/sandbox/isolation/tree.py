"""One run's process tree: its first process and the script's, until its data arrive."""

from __future__ import annotations

import os
import signal
import socket
from typing import NamedTuple, NoReturn

from . import isolate, libc, wire
from .wire import Order

ALONE = b"alone"
"""Message of the first process when it is the last one of the tree."""


class Run(NamedTuple):
    """The initial state of the process that becomes the script; all rights are dropped."""

    request: int
    status: int
    stdout: int
    stderr: int
    records: int


def first_process(
    order: Order, means: isolate.HostCapabilities, own: socket.socket, for_script: socket.socket
) -> Run:
    """Set up, fork the script's process, wait for it, and end everything that it left."""
    try:
        os.setsid()
        isolate.enter_namespaces(order, means)
        # a first process ignores signals without handler; nobody may inspect this one
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        libc.prctl(libc.PR_SET_DUMPABLE, 0)
        script = os.fork()
    except BaseException as error:  # noqa: BLE001 - whatever it was, the set-up failed
        _fail(_receive(own)[0], error)
    if script == 0:
        own.close()
        libc.prctl(libc.PR_SET_DUMPABLE, 1)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        return _script_process(order, means, for_script)
    for_script.close()
    (status,) = _receive(own)
    report_end_of(script, status)
    if _is_alone():
        own.send(ALONE)
    os._exit(0)  # the kernel ends everything else in the namespace


def report_end_of(script: int, status: int) -> None:
    """Wait for the script's process, and for its orphans meanwhile; report how it ended."""
    while True:
        ended, wait_status, usage = os.wait4(-1, 0)
        if ended == script:
            break
    measured = {
        "wait_status": wait_status,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * 1024,
    }
    wire.write_line(status, measured)
    os.close(status)


def _is_alone() -> bool:
    """Whether the first process has no child left, so that its namespace is otherwise empty."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def _script_process(order: Order, means: isolate.HostCapabilities, own: socket.socket) -> Run:
    """Drop all rights, then wait for the descriptors."""
    failure: BaseException | None = None
    try:
        os.setsid()
        isolate.give_up_rights(order, means)
    except BaseException as error:  # noqa: BLE001 - whatever it was, the set-up failed
        failure = error
    run = Run(*_receive(own))
    if failure is not None:
        _fail(run.status, failure)
    own.close()
    os.dup2(run.stdout, 1)
    os.dup2(run.stderr, 2)
    return run


def _receive(own: socket.socket) -> list[int]:
    """Return the descriptors of a run; end the process if none will come."""
    data, descriptors = wire.receive(own)
    if not data:
        os._exit(0)
    return descriptors


def _fail(status: int, error: BaseException) -> NoReturn:
    wire.write_line(status, {"error": f"{type(error).__name__}: {error}"})
    os._exit(1)
