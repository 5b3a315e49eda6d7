"""Answers for http.client, and for urllib and urllib3 that stand on it."""

from __future__ import annotations

from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.network.http_answers import HttpAnswers, HttpFailure
from .....world.network.http_wire import HttpWire
from .....world.network.wire_socket import WireSocket


class HttpSocket(WireSocket):
    """What http.client sees of a connection."""

    def __init__(self, wire: HttpWire) -> None:
        super().__init__(wire.feed)
        self.timed_out = False

    def sendall(self, data: Any, *_: Any) -> None:
        """Bytes of a request; a failure shows where the library would see it."""
        try:
            super().sendall(data)
        except HttpFailure as failure:
            if str(failure) == "connection":
                raise ConnectionRefusedError(111, "Connection refused") from None
            self.timed_out = True

    def recv(self, size: int = 8192, *_: Any) -> bytes:
        """The answer, unless it is late."""
        if self.timed_out:
            raise TimeoutError("timed out")
        return super().recv(size)


def answer_http_client(answers: HttpAnswers) -> None:
    """Answer every connection that is made by http.client, urllib and urllib3."""
    answers.agents = ("Python-urllib/", "python-urllib3/")

    def connect(scheme: str) -> Any:
        def connect(self: Any) -> None:
            host = f"[{self.host}]" if ":" in self.host else self.host
            self.sock = HttpSocket(HttpWire(f"{scheme}://{host}:{self.port}", answers))
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
