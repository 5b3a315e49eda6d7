"""Answers for aiohttp's client, below its connectors."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.network.http_answers import HttpAnswers, HttpFailure
from .....world.network.http_wire import HttpWire


class WireTransport(asyncio.Transport):
    """What aiohttp's protocol sees of a connection."""

    def __init__(self, protocol: Any, wire: HttpWire) -> None:
        super().__init__()
        self.protocol = protocol
        self.wire = wire
        self.closing = False
        self.loop = asyncio.get_running_loop()

    def write(self, data: Any) -> None:
        """Bytes of a request; the answer comes when the client waits for it."""
        try:
            found = self.wire.feed(bytes(data))
        except HttpFailure:
            self.loop.call_soon(self.protocol.set_exception, TimeoutError())
            return
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

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Names of either end."""
        return {"peername": ("192.0.2.1", 80), "sockname": ("192.0.2.2", 1024)}.get(name, default)

    def pause_reading(self) -> None:
        """All is sent at once."""

    def resume_reading(self) -> None:
        """Likewise."""


def answer_aiohttp(answers: HttpAnswers) -> None:
    """Answer whatever a client session sends."""
    answers.agents = ("Python/",)

    async def connection(self: Any, req: Any, *_: Any, **__: Any) -> Any:
        url = str(req.url)
        if answers.chosen_for(url) == "connection":
            from aiohttp import ClientConnectorError

            body = getattr(req.body, "_value", None) or getattr(req.body, "value", None)
            with suppress(HttpFailure):
                answers.ask(req.method, url, req.headers, body)
            error = ConnectionRefusedError(111, "Connection refused")
            raise ClientConnectorError(req.connection_key, error)
        protocol = self._factory()
        protocol.connection_made(WireTransport(protocol, HttpWire(str(req.url.origin()), answers)))
        return protocol

    def start(aiohttp: Any) -> None:
        for kind in (aiohttp.TCPConnector, aiohttp.UnixConnector, aiohttp.NamedPipeConnector):
            replace(kind, "_create_connection", connection)

    on_import("aiohttp", start)
