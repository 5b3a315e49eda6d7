"""Signs that a value is a socket: connected, or listening."""

from __future__ import annotations

from ..gathered_uses import GatheredUses, gather

SOCKET = "socket.socket"
_SIZED = ("recv", "recv_into", "recvfrom")
"""Methods that are passed a size; `recv` without one belongs to message queues."""


def is_connection(known: GatheredUses) -> bool:
    """Whether bytes are received or sent, or connections accepted, as on a socket."""
    if "sendall" in known.attributes:
        return not _is_awaited(known, "sendall")
    return _accepts_pairs(known) or any(
        label[2] for name in _SIZED if not _is_awaited(known, name) for label in _calls(known, name)
    )


def _calls(known: GatheredUses, name: str) -> list[tuple[object, ...]]:
    found = known.attributes.get(name)
    return [] if found is None else [label for label, _ in gather(found).calls]


def _is_awaited(known: GatheredUses, name: str) -> bool:
    calls = gather(known.attributes[name]).calls if name in known.attributes else []
    return any(gather(below).has("awaited") for _, below in calls)


def _accepts_pairs(known: GatheredUses) -> bool:
    """Whether the result of `accept` is unpacked into a connection and an address."""
    found = known.attributes.get("accept")
    calls = [] if found is None else gather(found).calls
    return any(f.kind == "unpack" and f.value == 2 for _, below in calls for f in below.facts)
