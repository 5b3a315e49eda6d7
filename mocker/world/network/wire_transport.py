"""The client's end of a connection in an event loop; its other end is a function."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class WireTransport(asyncio.Transport):
    """What a client's protocol sees of a connection: what is answered comes a moment later."""

    def __init__(self, protocol: Any, feed: Callable[[bytes], bytes], **facts: Any) -> None:
        super().__init__()
        self.protocol, self.feed = protocol, feed
        self.facts = {"peername": ("192.0.2.1", 80), "sockname": ("192.0.2.2", 1024), **facts}
        self.closing = False
        self.loop = asyncio.get_running_loop()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What is known of the connection."""
        found = self.facts.get(name)
        return default if found is None else found

    def write(self, data: Any) -> None:
        """Bytes for the other end."""
        found = self.feed(bytes(data))
        if found:
            self.loop.call_soon(self.protocol.data_received, found)

    def writelines(self, list_of_data: Any) -> None:
        """All at once."""
        self.write(b"".join(map(bytes, list_of_data)))

    def is_closing(self) -> bool:
        """Whether it has been closed."""
        return self.closing

    def close(self) -> None:
        """The client needs it no more."""
        if not self.closing:
            self.closing = True
            self.loop.call_soon(self.protocol.connection_lost, None)

    abort = close

    def pause_reading(self) -> None:
        """All is sent at once."""

    resume_reading = pause_reading
