"""System calls that Python has no function for, each as one small checked function."""

from __future__ import annotations

import ctypes
import os
from typing import NoReturn

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18

PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4

_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
_libc.mount.argtypes = [ctypes.c_char_p] * 3 + [ctypes.c_ulong, ctypes.c_char_p]
_libc.unshare.argtypes = [ctypes.c_int]
_libc.setns.argtypes = [ctypes.c_int, ctypes.c_int]
_libc.syscall.restype = ctypes.c_long


def _checked(result: int, what: str) -> int:
    if result == -1:
        _fail(what)
    return result


def _fail(what: str) -> NoReturn:
    number = ctypes.get_errno()
    raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    """Leave the named namespaces for new ones (pid: for the next child)."""
    if _libc.unshare(flags) == -1:  # no text is made before: the template's memory must not change
        _fail(f"unshare({flags:#x})")


def setns(descriptor: int, flags: int) -> None:
    """Enter the namespace of a descriptor."""
    _checked(_libc.setns(descriptor, flags), "setns")


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mount `source` on `target`."""
    encoded = kind.encode() if kind else None
    done = _libc.mount(
        source.encode(), target.encode(), encoded, flags, options.encode() if options else None
    )
    _checked(done, f"mount({source} on {target})")


def prctl(option: int, second: int = 0, third: int = 0) -> int:
    """Return the result of `prctl`."""
    return _checked(_libc.prctl(option, second, third, 0, 0), f"prctl({option})")


def capset(header: bytes, data: bytes) -> None:
    """Set the calling thread's capabilities."""
    _checked(_libc.capset(header, data), "capset")


def syscall(what: str, number: int, *arguments: int | bytes | None) -> int:
    """Return the result of a system call by number; integers are passed as machine words."""
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *words), what)


def address_of(data: bytes) -> tuple[int, object]:
    """Return the address of a copy of the bytes, and the object that keeps it alive."""
    buffer = ctypes.create_string_buffer(data, len(data))
    return ctypes.addressof(buffer), buffer
