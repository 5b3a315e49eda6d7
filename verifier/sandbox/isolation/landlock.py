"""Landlock: the script's file access, enforced by the kernel in addition to the mounts.

Reading and executing is permitted everywhere (the mounts show only readable files), writing below a
few folders. Network rules are not used: the network namespace is empty.
"""

from __future__ import annotations

import os
import stat
import struct

from . import libc

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_VERSION_FLAG, _PATH_BENEATH = 1, 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_ALL_OF_VERSION_1 = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3

OLDEST = 2
"""Oldest usable version; before it, no file could be moved to another folder."""


def version() -> int:
    """Return the version of the kernel's Landlock; 0 if unusable."""
    try:
        found = libc.syscall("landlock", _CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError:
        return 0
    return found if found >= OLDEST else 0


def restrict(
    found: int,
    writable: tuple[str, ...],
    readable: tuple[str, ...] = ("/",),
    listed: tuple[str, ...] = (),
) -> None:
    """Restrict this process and all its children; requires no-new-privileges.

    Args:
        found: result of `version`.
        writable: folders below which files may be made and changed.
        readable: folders below which files may be read and run.
        listed: further folders below which all names may be seen.
    """
    handled = _ALL_OF_VERSION_1 | _REFER
    if found >= 3:
        handled |= _TRUNCATE
    if found >= 5:
        handled |= _IOCTL_DEVICE
    attributes = struct.pack("=Q", handled)
    if found >= 6:
        attributes += struct.pack("=QQ", 0, _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS)
    ruleset = libc.syscall("landlock", _CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for folder in readable:
            _allow(ruleset, folder, _READ)
        for folder in listed:
            _allow(ruleset, folder, _READ_DIR)
        _allow(ruleset, "/proc", _READ)
        _allow(ruleset, "/dev", (_READ | _WRITE_FILE | _TRUNCATE | _IOCTL_DEVICE) & handled)
        for folder in writable:
            _allow(ruleset, folder, handled & ~(_MAKE_CHAR | _MAKE_BLOCK))
        libc.syscall("landlock", _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, folder: str, rights: int) -> None:
    descriptor = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
        rule = struct.pack("=Qi", rights, descriptor)
        libc.syscall("landlock rule", _ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(descriptor)
