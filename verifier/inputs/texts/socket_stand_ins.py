"""Sockets: what comes over them is read piece by piece until it ends, and what is sent is taken.

The members are those of a stand-in, since it is shown what a real one is asked for: `recording` has
it keep what is sent.
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
"""All that comes over a connection, where it stands in an expression for a socket."""
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
    """The members that a socket has in its own way.

    Args:
        shape: what is used of it.
        members: expressions for what is used, as of anything else.
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
    """What the class of a socket is named after: what it is called, and what it is, if accepted."""
    return "connection" if shape.hint == "accept" else shape.hint


def _received(shape: Object) -> bytes:
    """The bytes that fit what is done with what is read."""
    results = (
        entry.shape.result
        for entry in shape.attributes
        if entry.key in _READING and isinstance(entry.shape, Object)
    )
    made = (_as_bytes(each) for each in results if each is not None)
    return next((each for each in made if each), _USUAL)


def _as_bytes(shape: Shape) -> bytes:
    """The bytes of a text, or of the first of a pair; nothing of anything else."""
    match shape:
        case Sequence(parts=((0, first), *_)):
            return _as_bytes(first)
        case _:
            value = None if holds_objects(shape) else value_of(shape)
            text = value.encode() if isinstance(value, str) else value
            return text if isinstance(text, bytes) else b""
