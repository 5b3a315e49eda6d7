"""The client's end of a connection whose other end is a function: bytes in, bytes out."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any


class WireSocket:
    """What a client library sees of a connection."""

    def __init__(self, feed: Callable[[bytes], bytes], greeting: bytes = b"") -> None:
        self.feed = feed
        self.waiting = greeting

    def sendall(self, data: Any, *_: Any) -> None:
        """What is answered waits to be read."""
        self.waiting += self.feed(bytes(data))

    def send(self, data: Any, *_: Any) -> int:
        """All is taken at once."""
        self.sendall(data)
        return len(data)

    write = send

    def recv(self, size: int = 8192, *_: Any) -> bytes:
        """What waits; nothing more is the end."""
        found, self.waiting = self.waiting[:size], self.waiting[size:]
        return found

    read = recv

    def makefile(self, mode: str = "r", buffering: Any = None, **named: Any) -> Any:
        """A file that reads what waits, and writes."""
        raw = WireFile(self)
        file: Any = io.BufferedRWPair(raw, raw) if "w" in mode else io.BufferedReader(raw)
        return file if "b" in mode else io.TextIOWrapper(file, **named)

    def settimeout(self, *_: Any) -> None:
        """Nothing ever takes time."""

    setblocking = setsockopt = shutdown = close = settimeout

    def gettimeout(self) -> None:
        """None is set."""

    def getpeername(self) -> tuple[str, int]:
        """An address that is kept for documentation."""
        return ("192.0.2.1", 443)

    def getsockname(self) -> tuple[str, int]:
        """Likewise."""
        return ("192.0.2.2", 49152)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # what a connection with TLS has besides

    def getpeercert(self, binary_form: bool = False) -> Any:
        """A certificate that nobody has signed."""
        return b"" if binary_form else {"subject": ((("commonName", "example.com"),),)}

    def unwrap(self) -> Any:
        """The same without TLS."""
        return self


class WireFile(io.RawIOBase):
    """The bytes that wait at a connection, as a file."""

    def __init__(self, connection: WireSocket) -> None:
        super().__init__()
        self.connection = connection

    def readable(self) -> bool:
        """It is."""
        return True

    def writable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """What waits, as far as there is room."""
        found = self.connection.recv(len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def write(self, data: Any) -> int:
        """All is taken."""
        self.connection.sendall(bytes(data))
        return len(data)
