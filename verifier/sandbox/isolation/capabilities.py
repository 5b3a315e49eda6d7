"""Linux capabilities: rights such as mounting and making namespaces, which no script may have."""

from __future__ import annotations

import struct

from . import libc

_VERSION_3 = 0x20080522
_LAST_POSSIBLE = 63


def forget_bounding_set() -> None:
    """Prevent later programs of this process tree from gaining capabilities; current ones stay."""
    libc.prctl(libc.PR_CAP_AMBIENT, libc.PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(_LAST_POSSIBLE + 1):
        try:
            libc.prctl(libc.PR_CAPBSET_DROP, capability)
        except OSError:
            if capability == 0:
                raise
            return  # the kernel knows no more


def keep_only(kept: tuple[int, ...]) -> None:
    """Drop every capability of this process but these, for good."""
    mask = sum(1 << number for number in kept)
    low, high = mask & 0xFFFFFFFF, mask >> 32
    data = struct.pack("=6I", low, low, 0, high, high, 0)
    libc.capset(struct.pack("=Ii", _VERSION_3, 0), data)


def drop_all() -> None:
    """Drop every capability of this process, for good."""
    keep_only(())
