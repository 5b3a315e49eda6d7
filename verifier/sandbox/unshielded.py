"""A run without namespaces: limits and filters only, for machines that offer no more.

Started as a program for each script. This process stays outside the limits: it waits for the
script, adopts its orphans, and ends all of them.
"""

from __future__ import annotations

import json
import os
import platform
import signal
from typing import Any, NoReturn

from . import tasks
from .isolation import isolate, landlock, libc, seccomp, tree, wire

_BECOME_SUBREAPER = 36
_ROUNDS = 1000


def main(arguments: str) -> None:
    """Run one script and end with it.

    Args:
        arguments: JSON with the descriptors `request`, `status` and `records`, the `order`, the
            working `folder`, what may be read (`readable`), and the folders that may be
            listed (`listed`).
    """
    given: dict[str, Any] = json.loads(arguments)
    libc.prctl(_BECOME_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, lambda _number, _frame: _end_all())
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    script = os.fork()
    if script == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _become_script(given)
    for name in ("request", "records"):
        os.close(given[name])
    os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
    os.dup2(1, 2)
    tree.report_end_of(script, given["status"])
    _end_all()


def protections() -> tuple[str, ...]:
    """Return the names of the protections in force."""
    named = ("rlimits", "no new privileges", "seccomp")
    return (*named, "landlock") if landlock.version() else named


def _become_script(given: dict[str, Any]) -> None:
    status: int = given["status"]
    try:
        isolate.set_limits(wire.Order(**given["order"]))
        libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
        version = landlock.version()
        if version:
            landlock.restrict(
                version, (given["folder"],), tuple(given["readable"]), tuple(given["listed"])
            )
        machine = platform.machine()
        seccomp.install(seccomp.program(machine, deny_memfd=True, deny_internet=True))
        request: dict[str, Any] = json.loads(wire.read_all(given["request"]))
        tasks.prepare(request)
        wire.write_line(status, {"protections": protections()})
    except BaseException as error:  # noqa: BLE001 - whatever it was, the set-up failed
        wire.write_line(status, {"error": f"{type(error).__name__}: {error}"})
        os._exit(1)
    tasks.perform(request, given["records"])


def _end_all() -> NoReturn:
    """End every descendant of this process, then this process."""
    for _ in range(_ROUNDS):
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as listed:
            children = [int(number) for number in listed.read().split()]
        if not children:
            break
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)
    os._exit(0)
