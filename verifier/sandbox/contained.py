"""The first process of a container: start the zygote, take jobs on standard input, send reports.

It stays outside the user namespace that the zygote makes for itself, so scripts neither see nor
reach it. It is started by its own path, since the image has a copy of this folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import select
import socket
import sys
import threading
from typing import Any

from . import zygote
from .isolation import capabilities, frames, libc
from .isolation.absent import ABSENT
from .isolation.supervise import OutputLimits, Report, forker_runner, settle, supervise
from .isolation.wire import Order

_INNER_USER = 1000
_RIGHTS = (5, 8, 12, 21)  # kill, setpcap, net_admin, sys_admin: all that the zygote needs
_MOST_REQUEST_BYTES = 1 << 30
_COVERED = ("/sys", "/dev/mqueue")
_NOTHING_THERE = libc.MS_RDONLY | libc.MS_NOSUID | libc.MS_NODEV | libc.MS_NOEXEC
_READ_ONLY = libc.MS_BIND | libc.MS_REMOUNT | libc.MS_RDONLY | libc.MS_NOSUID | libc.MS_NODEV
_SCRATCH = "/mnt"
_GROUPS = "/sys/fs/cgroup"
_MEMORY = (f"{_GROUPS}/memory/memory.usage_in_bytes", f"{_GROUPS}/memory.current")
_EVENTS = (f"{_GROUPS}/memory/memory.oom_control", f"{_GROUPS}/memory.events")
_NO_NAMESPACE = "a user namespace with mounts is needed inside the container, and is refused"
_REMEDY = (
    "the kernel's settings user.max_user_namespaces, kernel.unprivileged_userns_clone and "
    "kernel.apparmor_restrict_unprivileged_userns can be the reason, or a security profile"
)


def main(arguments: str, *covered: str) -> None:
    """Serve until standard input closes; never return.

    Args:
        arguments: JSON with the zygote's settings, except its descriptor.
        covered: folders that scripts must not read.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        ours.close()
        _become_zygote(arguments, covered, theirs.detach())
    theirs.close()
    threading.Thread(target=_end_with_input, daemon=True).start()  # after the only fork here
    _write(frames.pack(_shake_hands(ours)))
    while True:
        try:
            head, (request,) = frames.unpack(_read, _MOST_REQUEST_BYTES)
        except EOFError:
            os._exit(0)
        report = _run(ours, Order(**head["order"]), OutputLimits(**head["caps"]), request)
        _write(_message(report))
        if not settle(report):
            os._exit(1)


def digest() -> str:
    """Return a digest of this folder's sources."""
    folder = os.path.dirname(__file__)
    state = hashlib.sha256()
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                with open(f"{place}/{name}", "rb") as file:
                    state.update(f"{name}\0".encode() + file.read() + b"\0")
    return state.hexdigest()


def _end_with_input() -> None:
    """End everything once the input is closed, even in the middle of a run."""
    poll = select.poll()
    poll.register(0, 0)  # only to see whether the other end closed
    poll.poll()
    os._exit(0)  # the kernel ends all other processes of the container


def _become_zygote(arguments: str, covered: tuple[str, ...], descriptor: int) -> None:
    """Become the zygote, with rights in its own user namespace and without the streams."""
    empty = os.open("/dev/null", os.O_RDWR)
    os.dup2(empty, 0)
    os.dup2(empty, 1)
    os.close(empty)
    os.environ.pop("HOSTNAME", None)  # added by the daemon
    try:
        _enter_namespaces(covered)
    except OSError as error:
        os.write(2, f"{_NO_NAMESPACE}: {error}\n{_REMEDY}\n".encode())
        os._exit(1)
    zygote.main(json.dumps({**json.loads(arguments), "descriptor": descriptor}))
    os._exit(0)


def _enter_namespaces(covered: tuple[str, ...]) -> None:
    """Enter a new user namespace, and cover what scripts must not see."""
    user, group = os.geteuid(), os.getegid()
    libc.unshare(libc.CLONE_NEWUSER | libc.CLONE_NEWNS)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{_INNER_USER} {user} 1"),
        ("gid_map", f"{_INNER_USER} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    libc.mount("none", "/", None, libc.MS_REC | libc.MS_PRIVATE)
    for folder in (*_COVERED, *_foreign_folders()):
        if os.path.isdir(folder):
            libc.mount("tmpfs", folder, "tmpfs", _NOTHING_THERE, "size=4k,nr_inodes=1,mode=0555")
    if covered:
        _hide(covered)
    capabilities.keep_only(_RIGHTS)


def _hide(paths: tuple[str, ...]) -> None:
    """Cover files and folders; a covered module cannot be imported."""
    libc.mount("tmpfs", _SCRATCH, "tmpfs", libc.MS_NOSUID | libc.MS_NODEV, "size=64k,mode=0755")
    for name, text in (("absent", ABSENT), ("empty", "")):
        with open(f"{_SCRATCH}/{name}", "w", encoding="ascii") as file:
            file.write(text)
    for kind in ("folder", "package"):
        os.mkdir(f"{_SCRATCH}/{kind}")
    with open(f"{_SCRATCH}/package/__init__.py", "w", encoding="ascii") as file:
        file.write(ABSENT)
    for path in paths:
        if os.path.isdir(path):
            name = "package" if os.path.exists(f"{path}/__init__.py") else "folder"
        else:
            name = "absent" if path.endswith(".py") else "empty"
        libc.mount(f"{_SCRATCH}/{name}", path, None, libc.MS_BIND)
        libc.mount("none", path, None, _READ_ONLY)


def _foreign_folders() -> list[str]:
    """Return folders of an image's installation with third-party code or wheels."""
    names = ["ensurepip/_bundled", "test"]
    if sys.prefix != sys.base_prefix:  # otherwise the installed packages are the environment
        names += ["site-packages", "dist-packages"]
    library = os.path.dirname(os.__file__)
    return [f"{library}/{name}" for name in names]


def _shake_hands(channel: socket.socket) -> dict[str, Any]:
    """Let the zygote load its modules. Return its offer; empty if it has ended."""
    try:
        channel.recv(64)
        channel.send(b"go")
        offer = channel.recv(1 << 16)
    except OSError:
        offer = b""
    ready: dict[str, Any] = json.loads(offer) if offer else {"error": "the zygote has ended"}
    return {**ready, "digest": digest(), "used_bytes": int(_first_line(_MEMORY) or 0)}


def _run(channel: socket.socket, order: Order, caps: OutputLimits, request: bytes) -> Report:
    try:
        return supervise(forker_runner(channel, order), order, request, caps)
    except OSError as error:
        return Report(lost=f"the sandbox has nothing left: {error}")


def _message(report: Report) -> bytes:
    head = report._asdict()
    parts = [head.pop(name) for name in ("stdout", "stderr", "records")]
    del head["ending"]
    return frames.pack({**head, "oom_kills": _count_kills()}, *parts)


def _count_kills() -> int:
    """Return how many processes of the container ran out of memory."""
    for line in _text(_EVENTS).splitlines():
        name, _, value = line.partition(" ")
        if name == "oom_kill":
            return int(value)
    return 0


def _first_line(paths: tuple[str, ...]) -> str:
    return _text(paths).partition("\n")[0]


def _text(paths: tuple[str, ...]) -> str:
    for path in paths:
        try:
            with open(path, encoding="ascii") as file:
                return file.read()
        except OSError:
            continue
    return ""


def _read(size: int) -> bytes:
    pieces: list[bytes] = []
    while size:
        piece = os.read(0, min(size, 1 << 20))
        if not piece:
            raise EOFError
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _write(data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(1, rest) :]
