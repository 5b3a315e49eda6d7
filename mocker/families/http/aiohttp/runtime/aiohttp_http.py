"""Answers for aiohttp's client, below its connectors."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.network.http_answers import HttpAnswers, HttpFailure
from .....world.network.http_wire import HttpWire
from .....world.network.wire_transport import WireTransport


class HttpTransport(WireTransport):
    """What aiohttp's protocol sees of a connection."""

    def write(self, data: Any) -> None:
        """Bytes of a request; a late answer shows where the library would see it."""
        try:
            super().write(data)
        except HttpFailure:
            self.loop.call_soon(self.protocol.set_exception, TimeoutError())


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
        wire = HttpWire(str(req.url.origin()), answers)
        protocol.connection_made(HttpTransport(protocol, wire.feed))
        return protocol

    def start(aiohttp: Any) -> None:
        for kind in (aiohttp.TCPConnector, aiohttp.UnixConnector, aiohttp.NamedPipeConnector):
            replace(kind, "_create_connection", connection)

    on_import("aiohttp", start)
