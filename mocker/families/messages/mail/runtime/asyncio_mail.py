"""Mail by asyncio: aiosmtplib stays real above its connection, whose other end is in the process."""

from __future__ import annotations

from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.network.mail import SmtpServer, open_mailbox
from .....world.network.wire_transport import WireTransport


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
        transport = WireTransport(
            protocol, server.feed, sslcontext=ssl, peername=("192.0.2.1", 25), sockname=None
        )
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
