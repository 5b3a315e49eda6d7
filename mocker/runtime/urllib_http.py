"""Answers for http.client, and for urllib and urllib3 that stand on it."""

from __future__ import annotations

import io
from typing import Any

from .http_answers import HttpAnswers, HttpFailure
from .http_wire import HttpWire
from .on_import import on_import
from .world import replace


class WireSocket:
    """What http.client sees of a connection."""

    def __init__(self, wire: HttpWire) -> None:
        self.wire = wire
        self.waiting = b""
        self.timed_out = False

    def sendall(self, data: Any) -> None:
        """Bytes of a request; what is answered waits to be read."""
        try:
            self.waiting += self.wire.feed(bytes(data))
        except HttpFailure as failure:
            if str(failure) == "connection":
                raise ConnectionRefusedError(111, "Connection refused") from None
            self.timed_out = True

    def makefile(self, *_: Any, **__: Any) -> Any:
        """The bytes that wait."""
        if self.timed_out:
            raise TimeoutError("timed out")
        waiting, self.waiting = self.waiting, b""
        return io.BufferedReader(io.BytesIO(waiting))  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_, **__: None


def answer_http_client(answers: HttpAnswers) -> None:
    """Answer every connection that is made by http.client, urllib and urllib3."""

    def connect(scheme: str) -> Any:
        def connect(self: Any) -> None:
            host = f"[{self.host}]" if ":" in self.host else self.host
            self.sock = WireSocket(HttpWire(f"{scheme}://{host}:{self.port}", answers))
            if getattr(self, "_tunnel_host", None):
                self._tunnel()

        return connect

    def start(client: Any) -> None:
        replace(client.HTTPConnection, "connect", connect("http"))
        if hasattr(client, "HTTPSConnection"):
            replace(client.HTTPSConnection, "connect", connect("https"))

    def start_urllib3(connection: Any) -> None:
        replace(connection.HTTPConnection, "connect", connect("http"))
        replace(connection.HTTPSConnection, "connect", connect_verified)
        is_connected = property(lambda self: self.sock is not None)
        for kind in (connection.HTTPConnection, connection.HTTPSConnection):
            replace(kind, "is_connected", is_connected)

    secure = connect("https")

    def connect_verified(self: Any) -> None:
        secure(self)
        self.is_verified = True

    on_import("http.client", start)
    on_import("urllib3.connection", start_urllib3)
