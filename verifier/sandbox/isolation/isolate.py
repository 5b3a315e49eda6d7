"""Isolate one script: namespaces and mounts first, then limits, then dropping all rights.

`enter_namespaces` runs in the first process of a new pid namespace, which keeps its rights and
waits; `give_up_rights` in its child, which becomes the script.
"""

from __future__ import annotations

import fcntl
import os
import resource
import socket
import struct
from typing import NamedTuple

from . import capabilities, landlock, libc, seccomp
from .wire import Order

WORKING_FOLDER = "/box"
OWN_FOLDERS = ("/tmp", "/dev/shm")  # noqa: S108 - in a mount of the script's own
_WRITABLE = (WORKING_FOLDER, *OWN_FOLDERS)
_STORE = "/store"
_NAMESPACES = libc.CLONE_NEWNS | libc.CLONE_NEWIPC | libc.CLONE_NEWUTS | libc.CLONE_NEWNET
_NOTHING_THERE = libc.MS_RDONLY | libc.MS_NOSUID | libc.MS_NODEV | libc.MS_NOEXEC
_PROC = libc.MS_NOSUID | libc.MS_NODEV | libc.MS_NOEXEC
_SET_INTERFACE_FLAGS, _UP_AND_RUNNING = 0x8914, 0x41
_PAGE = resource.getpagesize()
_OUR_PROCESSES = 6
"""Processes of the sandbox that count as the same user's: the outer first one, the zygote, the
forker, the template, and the first processes of this run and the previous one."""
_GRACE_SECONDS = 1
"""Seconds between the catchable and the uncatchable signal."""


class HostCapabilities(NamedTuple):
    """The isolation features of this machine, determined once before the first script."""

    landlock_version: int
    filter_program: bytes
    covered: tuple[str, ...]
    """Visible folders that lie where the script's own folders will be mounted."""


def find_means(machine: str, *, has_memory_group: bool, shown: list[str]) -> HostCapabilities:
    """Return the means of isolation.

    Args:
        machine: the architecture, as `platform.machine()` names it.
        has_memory_group: whether a memory group limits files in anonymous memory.
        shown: folders that scripts may read.
    """
    program = seccomp.program(machine, deny_memfd=not has_memory_group)
    covered = [each for each in shown if each.startswith(tuple(f"{own}/" for own in _WRITABLE))]
    return HostCapabilities(landlock.version(), program, tuple(sorted(covered)))


def protections(means: HostCapabilities) -> tuple[str, ...]:
    """Return names of the protections that `enter_namespaces` and `give_up_rights` establish."""
    named = (
        "user namespace", "pid namespace", "mount namespace", "network namespace",
        "ipc namespace", "uts namespace", "read-only files", "disk cap", "rlimits",
        "no new privileges", "capabilities dropped", "seccomp",
    )  # fmt: skip
    return (*named, "landlock") if means.landlock_version else named


def enter_namespaces(order: Order, means: HostCapabilities) -> None:
    """Give the script its own file system, network, `/proc` and names."""
    libc.unshare(_NAMESPACES)
    libc.mount("none", "/", None, libc.MS_REC | libc.MS_PRIVATE)
    descriptors = [os.open(each, os.O_PATH | os.O_CLOEXEC) for each in means.covered]
    _mount_own_folders(order)
    for number, path in enumerate(means.covered):
        descriptor = descriptors[number]
        os.makedirs(path, exist_ok=True)
        libc.mount(f"/proc/self/fd/{descriptor}", path, None, libc.MS_BIND | libc.MS_REC)
        os.close(descriptor)
    libc.mount("proc", "/proc", "proc", _PROC)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh22x", b"lo", _UP_AND_RUNNING)
        fcntl.ioctl(control, _SET_INTERFACE_FLAGS, request)


def _mount_own_folders(order: Order) -> None:
    options = f"size={order.disk_bytes},nr_inodes={order.files},mode=0755"
    libc.mount("tmpfs", _STORE, "tmpfs", libc.MS_NOSUID | libc.MS_NODEV, options)
    for folder in _WRITABLE:  # one file system for all, so that one limit covers them
        part = _STORE + "/" + folder.rpartition("/")[2]
        os.mkdir(part, 0o777 if folder != WORKING_FOLDER else 0o755)
        libc.mount(part, folder, None, libc.MS_BIND)
    # covered, since unmounting would wait until no processor uses it
    libc.mount("tmpfs", _STORE, "tmpfs", _NOTHING_THERE, "size=4k,nr_inodes=1,mode=0")


def give_up_rights(order: Order, means: HostCapabilities) -> None:
    """Set the limits, then drop every right; what follows is the script's."""
    set_limits(order)
    # the script must not change which process dies first when memory runs out
    libc.mount("proc", "/proc", None, _PROC | libc.MS_REMOUNT | libc.MS_BIND | libc.MS_RDONLY)
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    if means.landlock_version:
        landlock.restrict(means.landlock_version, _WRITABLE)
    capabilities.drop_all()
    seccomp.install(means.filter_program)


def set_limits(order: Order) -> None:
    """Limit what this process and each of its children may use."""
    score = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    os.write(score, b"1000")
    os.close(score)
    sizes = os.open("/proc/self/statm", os.O_RDONLY)
    present = int(os.read(sizes, 100).split()[0]) * _PAGE
    os.close(sizes)
    seconds = max(1, -int(-order.cpu_seconds // 1))
    limits = {
        resource.RLIMIT_CPU: (seconds, seconds + _GRACE_SECONDS),
        resource.RLIMIT_AS: present + order.memory_bytes,
        resource.RLIMIT_FSIZE: order.file_bytes,
        resource.RLIMIT_NOFILE: order.open_files,
        resource.RLIMIT_NPROC: order.processes + _OUR_PROCESSES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_MEMLOCK: 1 << 16,
        resource.RLIMIT_SIGPENDING: 1024,
    }
    for which, value in limits.items():
        _, hard = resource.getrlimit(which)
        pair = value if isinstance(value, tuple) else (value, value)
        allowed = hard if hard != resource.RLIM_INFINITY else pair[1]
        resource.setrlimit(which, (min(pair[0], allowed), min(pair[1], allowed)))
