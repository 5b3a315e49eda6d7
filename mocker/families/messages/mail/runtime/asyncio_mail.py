"""Mail by asyncio: aiosmtplib stays real above its connection, whose other end is in the process."""

from __future__ import annotations

import asyncio
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.network.mail import SmtpServer, open_mailbox


class FedTransport(asyncio.Transport):
    """A connection whose other end is a function: bytes in, bytes out."""

    def __init__(self, loop: Any, protocol: Any, feed: Any, context: Any) -> None:
        super().__init__()
        self.loop, self.protocol, self.feed = loop, protocol, feed
        self.facts = {"sslcontext": context, "peername": ("192.0.2.1", 25)}
        self.is_closed = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """What is known of the connection."""
        found = self.facts.get(name)
        return default if found is None else found

    def write(self, data: Any) -> None:
        """What is answered comes in a moment later."""
        answer = self.feed(bytes(data))
        if answer:
            self.loop.call_soon(self.protocol.data_received, answer)

    def is_closing(self) -> bool:
        """Whether it has ended."""
        return self.is_closed

    def close(self) -> None:
        """That was all."""
        if not self.is_closed:
            self.is_closed = True
            self.loop.call_soon(self.protocol.connection_lost, None)

    abort = close


class MailLoop:
    """An event loop whose connections lead to servers of mail in the process."""

    def __init__(self, loop: Any) -> None:
        self.loop = loop

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loop, name)

    async def create_connection(self, factory: Any, host: Any = None, port: Any = None,
                                ssl: Any = None, **_: Any) -> tuple[Any, Any]:  # fmt: skip
        """A connection to a server that greets."""
        open_mailbox("smtp")
        protocol = factory()
        server = SmtpServer(f"{host}:{port}")
        transport = FedTransport(self.loop, protocol, server.feed, ssl)
        protocol.connection_made(transport)
        self.loop.call_soon(protocol.data_received, b"220 mail.example ready\r\n")
        return transport, protocol

    async def start_tls(self, transport: Any, protocol: Any, context: Any, **_: Any) -> Any:
        """The same connection, now with TLS."""
        transport.facts["sslcontext"] = context
        return transport


def answer_asyncio_mail() -> None:
    """Have every server that aiosmtplib reaches answered."""
    on_import("aiosmtplib", _answer_aiosmtplib)


def _answer_aiosmtplib(aiosmtplib: Any) -> None:
    real = aiosmtplib.SMTP._create_connection

    async def create_connection(self: Any, *arguments: Any, **named: Any) -> Any:
        before, self.loop = self.loop, MailLoop(self.loop)
        try:
            return await real(self, *arguments, **named)
        finally:
            self.loop = before

    replace(aiosmtplib.SMTP, "_create_connection", create_connection)
