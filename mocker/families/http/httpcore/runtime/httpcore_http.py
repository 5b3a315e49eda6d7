"""Answers for httpcore, in place of what its backends connect to."""

from __future__ import annotations

import importlib
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.network.http_answers import HttpAnswers, HttpFailure
from .....world.network.http_wire import HttpWire


class CoreStream:
    """What httpcore sees of a connection."""

    def __init__(self, httpcore: Any, host: str, port: int, answers: HttpAnswers) -> None:
        self.httpcore = httpcore
        self.address = (host, port)
        self.wire = self._wire("http", answers)
        self.waiting = b""
        self.timed_out = False

    def _wire(self, scheme: str, answers: HttpAnswers) -> HttpWire:
        host, port = self.address
        return HttpWire(f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}", answers)

    def read(self, max_bytes: int, timeout: Any = None) -> bytes:
        """What waits, unless it is late."""
        if self.timed_out:
            raise self.httpcore.ReadTimeout("timed out")
        found, self.waiting = self.waiting[:max_bytes], self.waiting[max_bytes:]
        return found

    def write(self, buffer: bytes, timeout: Any = None) -> None:
        """Bytes of a request; a failure shows where the library would see it."""
        try:
            self.waiting += self.wire.feed(bytes(buffer))
        except HttpFailure as failure:
            if str(failure) == "connection":
                raise self.httpcore.ConnectError("[Errno 111] Connection refused") from None
            self.timed_out = True

    def close(self) -> None:
        """Nothing is open."""

    def start_tls(self, *_: Any, **__: Any) -> Any:
        """The same, for the origin with TLS; what a proxy leads to has it already."""
        if self.wire.origin == self._wire("http", self.wire.answers).origin:
            self.wire = self._wire("https", self.wire.answers)
        return self

    def get_extra_info(self, info: str) -> Any:
        """Addresses that are kept for documentation."""
        return {"client_addr": ("192.0.2.2", 49152), "server_addr": ("192.0.2.1", 443)}.get(info)


class AwaitedCoreStream:
    """The same in an event loop."""

    def __init__(self, stream: CoreStream) -> None:
        self.stream = stream

    async def read(self, max_bytes: int, timeout: Any = None) -> bytes:
        """What waits."""
        return self.stream.read(max_bytes)

    async def write(self, buffer: bytes, timeout: Any = None) -> None:
        """Bytes of a request."""
        self.stream.write(buffer)

    async def aclose(self) -> None:
        """Nothing is open."""

    async def start_tls(self, *_: Any, **__: Any) -> Any:
        """The same, for the origin with TLS."""
        self.stream.start_tls()
        return self

    def get_extra_info(self, info: str) -> Any:
        """Addresses."""
        return self.stream.get_extra_info(info)


def answer_httpcore(answers: HttpAnswers) -> None:
    """Answer every connection of its own backends; those that are handed in stay as they are."""

    def start(httpcore: Any) -> None:
        def connect(self: Any, host: str, port: int, *_: Any, **__: Any) -> Any:
            return CoreStream(httpcore, host, port, answers)

        async def connect_awaited(self: Any, host: str, port: int, *_: Any, **__: Any) -> Any:
            return AwaitedCoreStream(CoreStream(httpcore, host, port, answers))

        replace(httpcore.SyncBackend, "connect_tcp", connect)
        auto = importlib.import_module("httpcore._backends.auto")
        for kind in (auto.AutoBackend, httpcore.AnyIOBackend, httpcore.TrioBackend):
            replace(kind, "connect_tcp", connect_awaited)

    on_import("httpcore", start)
