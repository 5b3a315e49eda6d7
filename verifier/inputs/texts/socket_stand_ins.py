"""Socket stand-ins: received bytes are read piece by piece to the end, sent bytes are accepted.

Only the members that the code uses are defined. `recording_stand_ins` lets them record what is
sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ....mocker.shapes.kinds.connection_signs import SOCKET
from ....mocker.shapes.shape import Object, Sequence, Shape, holds_objects
from ....mocker.shapes.shape_values import value_of

SOCKETS = frozenset({SOCKET, "ssl.SSLSocket", "socket.SocketType"})
RECEIVED = re.compile(
    r"""(?<='received': __import__\("io"\)\.BytesIO\()"""
    r"""(b'(?:[^'\\]|\\.)*'|b"(?:[^"\\]|\\.)*")(?=\))"""
)
"""Matches the received bytes in an expression for a socket."""
_ADDRESS = "('127.0.0.1', 5000)"
_READING = {
    "recv": "lambda self, size, *flags: self.received.read(size)",
    "recvfrom": f"lambda self, size, *flags: (self.received.read(size), {_ADDRESS})",
    "recv_into": "lambda self, buffer, *size: self.received.readinto(buffer)",
}
_OTHERS = {
    "send": "lambda self, data, *flags: len(data)",
    "sendall": "lambda self, data, *flags: None",
    "sendto": "lambda self, data, *address: len(data)",
    "getpeername": f"lambda self: {_ADDRESS}",
    "getsockname": f"lambda self: {_ADDRESS}",
}
_USUAL = b"text-1"


def socket_members(shape: Object, members: Mapping[str, str]) -> dict[str, str]:
    """Return the members that a socket defines in its own way.

    Args:
        shape: shape of the socket.
        members: expressions for its members by the general rules.
    """
    found = {name: text for name, text in (_READING | _OTHERS).items() if name in members}
    if found.keys() & _READING.keys():
        found["received"] = f'__import__("io").BytesIO({_received(shape)!r})'
    _, bracket, pair = members.get("accept", "").partition("[")
    if bracket and pair.endswith("]"):
        found["waiting"] = f"[({pair.rpartition(', ')[0]}, {_ADDRESS})]"
        found["accept"] = "lambda self: self.waiting.pop()"
    return found


def socket_name(shape: Object) -> str:
    """Return the name of a socket's class: its hint, or `connection` if accepted."""
    return "connection" if shape.hint == "accept" else shape.hint


def _received(shape: Object) -> bytes:
    """Return the bytes that fit the uses of what is read."""
    results = (
        entry.shape.result
        for entry in shape.attributes
        if entry.key in _READING and isinstance(entry.shape, Object)
    )
    made = (_as_bytes(each) for each in results if each is not None)
    return next((each for each in made if each), _USUAL)


def _as_bytes(shape: Shape) -> bytes:
    """Return the bytes of a text, or of the first item of a pair; nothing for anything else."""
    match shape:
        case Sequence(parts=((0, first), *_)):
            return _as_bytes(first)
        case _:
            value = None if holds_objects(shape) else value_of(shape)
            text = value.encode() if isinstance(value, str) else value
            return text if isinstance(text, bytes) else b""
