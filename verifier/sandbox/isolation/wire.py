"""Messages between who wants a run and the forker: small datagrams with descriptors on a socket.

One `Order` starts one run. It carries limits and descriptors, nothing of the script: request and
results go past the forker, through what the descriptors stand for.
"""

from __future__ import annotations

import array
import json
import os
import socket
import struct
from typing import Any, NamedTuple

ORDER_SIZE = 1024
"""Every order has this size, so that limits of other lengths move no address."""

DESCRIPTORS = ("request", "status", "stdout", "stderr", "records")
"""What comes with an order, in this order."""

END = '{"kind":"end"}'
"""The last record of a run that may be observed, or of a part of it."""

_INTEGER = array.array("i").itemsize
_CREDENTIALS = struct.Struct("=3i")


class Order(NamedTuple):
    """What the forker is told of a run."""

    wall_seconds: float
    cpu_seconds: float
    memory_bytes: int
    processes: int
    open_files: int
    file_bytes: int
    disk_bytes: int
    files: int

    def encode(self) -> bytes:
        """The datagram."""
        return json.dumps(self._asdict()).encode().ljust(ORDER_SIZE)


def decode_order(data: bytes) -> Order:
    """The order in a datagram."""
    fields: dict[str, Any] = json.loads(data)
    return Order(**fields)


def receive(channel: socket.socket, size: int = 65536) -> tuple[bytes, list[int]]:
    """One datagram and the descriptors that came with it; empty at the end of the connection."""
    room = socket.CMSG_SPACE(8 * _INTEGER)
    data, ancillary, _flags, _address = channel.recvmsg(size, room, socket.MSG_CMSG_CLOEXEC)
    descriptors = array.array("i")
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(content[: len(content) - len(content) % _INTEGER])
    return data, list(descriptors)


def receive_with_sender(channel: socket.socket) -> tuple[bytes, int]:
    """One datagram and the process that sent it, numbered as in the receiver's namespace.

    The socket must ask for credentials (`SO_PASSCRED`) before the datagram is sent.
    """
    room = socket.CMSG_SPACE(_CREDENTIALS.size)
    data, ancillary, _flags, _address = channel.recvmsg(65536, room)
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            return data, _CREDENTIALS.unpack(content)[0]
    return data, 0


def read_all(descriptor: int) -> bytes:
    """Content of a file from its beginning."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    pieces: list[bytes] = []
    while piece := os.read(descriptor, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def write_line(descriptor: int, value: dict[str, Any]) -> None:
    """Write one JSON line; short enough to go out in one piece."""
    os.write(descriptor, json.dumps(value).encode() + b"\n")
