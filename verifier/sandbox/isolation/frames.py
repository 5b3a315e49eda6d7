"""Messages on a byte stream: a JSON object, followed by raw byte strings.

The protocol between the parent and the first process of a container.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

_SIZE = struct.Struct(">I")
_MOST_HEAD_BYTES = 1 << 20


def pack(head: dict[str, Any], *parts: bytes) -> bytes:
    """Return one message."""
    text = json.dumps({"head": head, "sizes": [len(part) for part in parts]}).encode()
    return b"".join((_SIZE.pack(len(text)), text, *parts))


def unpack(read: Callable[[int], bytes], most_bytes: int) -> tuple[dict[str, Any], list[bytes]]:
    """Read the next message.

    Args:
        read: returns exactly so many bytes, or raises at the end of the stream.
        most_bytes: largest total size of the parts.

    Raises:
        ValueError: the data is no message.
    """
    (size,) = _SIZE.unpack(read(_SIZE.size))
    if size > _MOST_HEAD_BYTES:
        raise ValueError("the head of a message is too long")
    message: dict[str, Any] = json.loads(read(size))
    sizes: list[int] = message["sizes"]
    if sum(sizes) > most_bytes or any(each < 0 for each in sizes):
        raise ValueError("a message is too long")
    return message["head"], [read(each) for each in sizes]
