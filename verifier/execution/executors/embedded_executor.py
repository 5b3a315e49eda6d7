"""The embedded executor: a warm zygote inside bubblewrap; no daemon needed."""

from __future__ import annotations

import atexit
import json
import os
import platform
import select
import socket
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from ...errors import SandboxError
from ...sandbox.isolation import seccomp, wire
from ...sandbox.isolation.supervise import Report, forker_runner, settle, supervise
from .host import bubblewrap
from .host.control_groups import NO_GROUP, Group, make_group
from .host.other_user import as_other_user, next_slot, user_of
from .host.run_outcome import outcome_of
from .host.wire_format import caps_of, more_of, order_of, request_of
from .interface import NOT_PRELOADED, Capabilities, Job, Outcome, Profile

_START_SECONDS = 60.0
_ANSWER_SECONDS = 30.0
_CLOSE_SECONDS = 5.0
_MESSAGE_BYTES = 2000
# bubblewrap ends with the *thread* that started it, so this one lives as long as the process
_starter = ThreadPoolExecutor(1, "sandbox-starter")


@dataclass(frozen=True, slots=True)
class _Zygote:
    """A zygote that is ready."""

    process: subprocess.Popen[bytes]
    channel: socket.socket
    group: Group
    errors: int
    """Descriptor of the file with the sandbox's own standard error."""
    protections: tuple[str, ...]
    lacks: tuple[str, ...]
    end: Callable[[], None]
    """Ends it and everything below it."""


class EmbeddedExecutor:
    """Runs each job as a fork of one zygote, and starts a new zygote if one was lost."""

    name = "embedded"

    def __init__(self) -> None:
        self._profile = Profile()
        self._zygote: _Zygote | None = None
        self._last = Report()

    def start(self, profile: Profile) -> None:
        """Start the zygote. Raise an error that says why if it fails."""
        self.close()
        self._profile = profile
        self._zygote = _start(profile)

    def run(self, job: Job) -> Outcome:
        """Run one job in a process tree of its own."""
        try:
            return self._run(job)
        except SandboxError as error:
            detail = str(error)
        except OSError as error:  # for example, the parent ran out of descriptors or processes
            detail = f"the sandbox cannot be used: {error}"
        self.close()
        return Outcome("infrastructure", detail=detail)

    def _run(self, job: Job) -> Outcome:
        if not self._settle():
            self.close()
        if self._zygote is None:
            self.start(self._profile)
        zygote = self._zygote
        assert zygote is not None
        order = order_of(job.limits)
        zygote.group.limit(order)
        runner = forker_runner(zygote.channel, order)
        more = more_of(job)
        request = request_of(job, goes_on=more is not None)
        report = supervise(runner, order, request, caps_of(job.limits), more)
        self._last = report
        promised, also = zygote.protections, zygote.group.protections
        outcome = outcome_of(report, job.limits, promised=promised, also=also)
        outcome = zygote.group.explain(outcome)
        if outcome.end == "infrastructure":
            detail = f"{outcome.detail}\n{_messages(zygote.errors)}".strip()
            outcome = replace(outcome, detail=detail)
            self.close()
        return outcome

    def close(self) -> None:
        """End the zygote and all below it."""
        zygote, self._zygote = self._zygote, None
        if zygote is not None:
            atexit.unregister(zygote.end)
            zygote.end()
        self._settle()

    def _settle(self) -> bool:
        last, self._last = self._last, Report()
        return settle(last)

    def capabilities(self) -> Capabilities:
        """Return the protections in force, once started."""
        zygote = self._zygote
        if zygote is None:
            return Capabilities(self.name, (), ("nothing is known before the start",))
        return Capabilities(
            self.name, (*zygote.protections, *zygote.group.protections), zygote.lacks
        )

    @property
    def process_id(self) -> int | None:
        """Return the process id of the outer sandbox, for tests that end it."""
        return self._zygote.process.pid if self._zygote else None


EXECUTOR = EmbeddedExecutor


def _start(profile: Profile) -> _Zygote:
    if not seccomp.is_known(platform.machine()):
        raise SandboxError(
            f"no system-call filter for {platform.machine()}", "use another executor"
        )
    slot = next_slot()
    with ExitStack() as ending:  # undone in reverse order
        group = make_group(slot)
        ending.callback(group.remove)
        errors = os.memfd_create("errors")
        ending.callback(os.close, errors)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ending.callback(ours.close)
        with theirs:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            process = _starter.submit(_spawn, profile, theirs, errors, slot, group).result()
        ending.callback(_wait, process)
        ending.callback(ours.close)  # the forker exits when the socket closes
        try:
            ready = _shake_hands(ours, group, process)
        except (OSError, ValueError) as error:
            ours.close()
            _wait(process)
            message = _messages(errors) or str(error)
            raise SandboxError(f"the sandbox does not start: {message}") from error
        protections = tuple(ready["protections"])
        end = ending.pop_all().close
        atexit.register(end)
        return _Zygote(process, ours, group, errors, protections, _lacks(ready, group), end)


def _spawn(
    profile: Profile, theirs: socket.socket, errors: int, slot: int, group: Group
) -> subprocess.Popen[bytes]:
    has_memory_group = group is not NO_GROUP
    words, inherited = bubblewrap.command(
        profile, theirs.fileno(), has_memory_group=has_memory_group
    )
    if os.geteuid() == 0:
        words = as_other_user(user_of(slot), bubblewrap.sources(words), words)
    try:
        return subprocess.Popen(  # noqa: S603 - this is the sandbox
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={"PATH": os.defpath},
            pass_fds=(theirs.fileno(), *inherited),
        )
    finally:
        for descriptor in inherited:
            os.close(descriptor)


def _shake_hands(
    channel: socket.socket, group: Group, process: subprocess.Popen[bytes]
) -> dict[str, Any]:
    """Put the zygote into its control groups before it grows, and receive its offer."""
    channel.settimeout(_START_SECONDS)
    _await_message(channel, process)
    hello, sender = wire.receive_with_sender(channel)
    if hello != b"hello":
        raise ValueError("no answer")
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    group.adopt(sender)
    channel.send(b"go")
    _await_message(channel, process)
    answer = channel.recv(1 << 16)
    if not answer:
        raise ValueError("it ended while it loaded its modules")
    channel.settimeout(_ANSWER_SECONDS)
    group.measure()
    return json.loads(answer)


def _await_message(channel: socket.socket, process: subprocess.Popen[bytes]) -> None:
    """Wait for a message, or for the end of the process: one that it left may hold the socket.

    Raises:
        ValueError: the process has ended, or nothing came in time.
    """
    ending = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(channel, select.POLLIN)
        poll.register(ending, select.POLLIN)
        found = {descriptor for descriptor, _ in poll.poll(_START_SECONDS * 1000)}
    finally:
        os.close(ending)
    if channel.fileno() not in found:
        raise ValueError("it has ended" if found else "no answer")


def _lacks(ready: dict[str, Any], group: Group) -> tuple[str, ...]:
    lacks = list(group.lacks)
    if not ready["landlock"]:
        lacks.append("Landlock: the kernel has none")
    if ready["missing"]:
        lacks.append(NOT_PRELOADED + ", ".join(ready["missing"]))
    return tuple(lacks)


def _messages(errors: int) -> str:
    return os.pread(errors, _MESSAGE_BYTES, 0).decode("utf-8", "replace").strip()


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_CLOSE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
