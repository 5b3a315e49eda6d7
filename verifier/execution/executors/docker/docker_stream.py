"""The attached streams of a container: its input, and its two outputs."""

from __future__ import annotations

import socket
import struct
import threading
import time
from typing import Any

_HEADER = struct.Struct(">BxxxI")
_ERRORS = 2
_CHUNK = 1 << 20
_MESSAGE_BYTES = 2000


class ContainerStreams:
    """Standard input, output and errors of one container, on one socket."""

    def __init__(self, stream: Any) -> None:  # noqa: ANN401 - its type follows the transport
        """Take over the result of the SDK's `attach_socket`."""
        self._stream = stream  # closes the connection when collected
        self._socket: socket.socket = getattr(stream, "_sock", stream)
        self._printed = bytearray()
        self._errors = bytearray()
        self._deadline = 0.0

    def expect_within(self, seconds: float) -> None:
        """Set the time limit for everything that follows."""
        self._deadline = time.monotonic() + seconds

    def send(self, data: bytes) -> None:
        """Write to standard input."""
        self._set_timeout()
        self._socket.sendall(data)

    def read(self, size: int) -> bytes:
        """Read exactly so many bytes of standard output.

        Raises:
            EOFError: the container ended first.
            OSError: it takes too long, or the daemon is gone.
        """
        while len(self._printed) < size:
            self._take()
        data = bytes(self._printed[:size])
        del self._printed[:size]
        return data

    def stderr_head(self) -> str:
        """Return the beginning of standard error."""
        return self._errors.decode("utf-8", "replace").strip()

    def end_input(self) -> None:
        """Close standard input."""
        self._socket.shutdown(socket.SHUT_WR)

    def draining(self, seconds: float) -> threading.Thread:
        """Return a thread that reads until the container ends: a full stream would block it."""

        def drain() -> None:
            self.expect_within(seconds)
            try:
                while True:
                    self._take()
                    self._printed.clear()
            except (EOFError, OSError):
                pass

        thread = threading.Thread(target=drain, name="container-drain", daemon=True)
        thread.start()
        return thread

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()
        self._stream.close()

    def _take(self) -> None:
        """Read one piece of either stream."""
        which, size = _HEADER.unpack(self._receive(_HEADER.size))
        while size:
            piece = self._receive(min(size, _CHUNK))
            size -= len(piece)
            if which == _ERRORS:
                self._errors += piece[: _MESSAGE_BYTES - len(self._errors)]
            else:
                self._printed += piece

    def _receive(self, size: int) -> bytes:
        pieces: list[bytes] = []
        while size:
            self._set_timeout()
            piece = self._socket.recv(size)
            if not piece:
                raise EOFError("the container has ended")
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _set_timeout(self) -> None:
        rest = self._deadline - time.monotonic()
        if rest <= 0:
            raise TimeoutError("the container does not answer")
        self._socket.settimeout(rest)
