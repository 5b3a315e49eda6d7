"""Messages between supervisor and forker: small datagrams with descriptors on a socket.

One `Order` starts one run. It carries limits and descriptors, but nothing of the script: request
and results bypass the forker through the descriptors.
"""

from __future__ import annotations

import array
import json
import os
import socket
import struct
from typing import Any, NamedTuple

ORDER_SIZE = 1024
"""Fixed size of an order, so that limits of other lengths move no address."""

DESCRIPTORS = ("request", "status", "stdout", "stderr", "records")
"""Names of the descriptors with an order, in this order."""

END = '{"kind":"end"}'
"""The last record of an observed run, or of a part of it."""

_INTEGER = array.array("i").itemsize
_CREDENTIALS = struct.Struct("=3i")


class Order(NamedTuple):
    """The forker's instructions for one run."""

    wall_seconds: float
    cpu_seconds: float
    memory_bytes: int
    processes: int
    open_files: int
    file_bytes: int
    disk_bytes: int
    files: int

    def encode(self) -> bytes:
        """Return the datagram."""
        return json.dumps(self._asdict()).encode().ljust(ORDER_SIZE)


def decode_order(data: bytes) -> Order:
    """Return the order in a datagram."""
    fields: dict[str, Any] = json.loads(data)
    return Order(**fields)


def receive(channel: socket.socket, size: int = 65536) -> tuple[bytes, list[int]]:
    """Receive one datagram with its descriptors; empty at the end of the connection."""
    room = socket.CMSG_SPACE(8 * _INTEGER)
    data, ancillary, _flags, _address = channel.recvmsg(size, room, socket.MSG_CMSG_CLOEXEC)
    descriptors = array.array("i")
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(content[: len(content) - len(content) % _INTEGER])
    return data, list(descriptors)


def receive_with_sender(channel: socket.socket) -> tuple[bytes, int]:
    """Receive one datagram, and the sender's process id in the receiver's namespace.

    The socket must ask for credentials (`SO_PASSCRED`) before the datagram is sent.
    """
    room = socket.CMSG_SPACE(_CREDENTIALS.size)
    data, ancillary, _flags, _address = channel.recvmsg(65536, room)
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            return data, _CREDENTIALS.unpack(content)[0]
    return data, 0


def read_all(descriptor: int) -> bytes:
    """Return the content of a file from its beginning."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    pieces: list[bytes] = []
    while piece := os.read(descriptor, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def write_line(descriptor: int, value: dict[str, Any]) -> None:
    """Write one JSON line, short enough to be atomic."""
    os.write(descriptor, json.dumps(value).encode() + b"\n")
