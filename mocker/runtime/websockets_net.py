"""Web sockets: connections that answer each message once, and then end."""

from __future__ import annotations

import json
from typing import Any

from .http_answers import shown_bytes
from .on_import import on_import
from .world import choices, chosen_name, record, replace


class SocketTalk:
    """One conversation: a message waits at first and after each that is sent; then it is over.

    The case chooses for `websockets`: a variant of the answer, `connection`, `timeout` or `closed`.
    """

    def __init__(self, uri: str, answers: dict[str, Any]) -> None:
        self.uri = str(uri)
        self.answers = answers
        self.waiting = True
        name = choices.get("websockets", "default")
        self.variant = chosen_name("websockets", name, *answers, "connection", "timeout", "closed")
        record("request", f"websocket {self.uri}")
        if self.variant == "connection":
            raise ConnectionRefusedError(111, "Connection refused")
        if self.variant == "timeout":
            raise TimeoutError("timed out during opening handshake")
        if self.variant == "closed":
            self.waiting = False

    def sent(self, content: Any) -> None:
        """Note a message."""
        text = content if isinstance(content, str) else shown_bytes(bytes(content))
        record("message", f"websocket {self.uri}", text)
        self.waiting = self.variant != "closed"

    def take(self) -> Any:
        """The message that waits; `None` at the end."""
        if not self.waiting:
            return None
        self.waiting = False
        value = self.answers.get(self.variant, self.answers["default"])
        return value if isinstance(value, (str, bytes)) else json.dumps(value)


def answer_websockets(answers: dict[str, Any]) -> None:
    """Have every connection of websockets, websocket-client and aiohttp answered."""
    on_import("websockets.asyncio.client", lambda module: _answer_asynchronous(module, answers))
    on_import("websockets.legacy.client", lambda module: _answer_legacy(module, answers))
    on_import("websockets.sync.client", lambda module: _answer_synchronous(module, answers))
    on_import("websocket", lambda module: _answer_client(module, answers))
    on_import("aiohttp", lambda module: _answer_aiohttp_sockets(module, answers))


def _closed(talk: SocketTalk) -> Exception:
    from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK
    from websockets.frames import Close

    if talk.variant == "closed":
        return ConnectionClosedError(None, None)
    return ConnectionClosedOK(Close(1000, ""), Close(1000, ""), rcvd_then_sent=True)


def _asynchronous(base: Any) -> Any:
    """A connection like those of `websockets`, with a conversation behind it."""

    class Conversation(base):
        state = 1
        close_code = None
        close_reason = None
        subprotocol = None
        local_address = ("192.0.2.2", 49152)
        remote_address = ("192.0.2.1", 443)
        open = True
        closed = False
        latency = 0.0
        request = response = None

        def __init__(self, talk: SocketTalk) -> None:
            self.talk = talk

        async def recv(self, decode: Any = None) -> Any:
            found = self.talk.take()
            if found is None:
                self.state, self.close_code, self.open, self.closed = 3, 1000, False, True
                raise _closed(self.talk)
            return found

        async def send(self, message: Any, text: Any = None) -> None:
            if isinstance(message, (str, bytes, bytearray, memoryview)):
                self.talk.sent(message)
                return
            if hasattr(message, "__aiter__"):
                self.talk.sent("".join([part async for part in message]))
            else:
                self.talk.sent("".join(message))

        async def close(self, code: int = 1000, reason: str = "") -> None:
            self.state, self.close_code, self.open, self.closed = 3, code, False, True

        async def wait_closed(self) -> None:
            await self.close()

        async def ping(self, data: Any = None) -> Any:
            import asyncio

            done = asyncio.get_running_loop().create_future()
            done.set_result(0.0)
            return done

        async def pong(self, data: Any = b"") -> None:
            pass

        async def __aenter__(self) -> Any:
            return self

        async def __aexit__(self, *_: object) -> None:
            await self.close()

        def __aiter__(self) -> Any:
            return self

        async def __anext__(self) -> Any:
            found = self.talk.take()
            if found is None:
                await self.close()
                if self.talk.variant == "closed":
                    raise _closed(self.talk)
                raise StopAsyncIteration
            return found

    return Conversation


def _answer_asynchronous(client: Any, answers: dict[str, Any]) -> None:
    kind = _asynchronous(client.ClientConnection)

    async def opened(self: Any) -> Any:
        self.connection = kind(SocketTalk(self.uri, answers))
        return self.connection

    async def left(self: Any, *_: object) -> None:
        await self.connection.close()

    async def again(self: Any) -> Any:
        yield await opened(self)  # whoever connects for ever does so once

    replace(client.connect, "__await__", lambda self: opened(self).__await__())
    replace(client.connect, "__aenter__", opened)
    replace(client.connect, "__aexit__", left)
    replace(client.connect, "__aiter__", again)


def _answer_legacy(client: Any, answers: dict[str, Any]) -> None:
    kind = _asynchronous(client.WebSocketClientProtocol)

    async def opened(self: Any, *_: object) -> Any:
        return kind(SocketTalk(self._uri, answers))

    async def left(self: Any, *_: object) -> None:
        pass

    async def again(self: Any) -> Any:
        yield await opened(self)

    def init(self: Any, uri: str, **named: Any) -> None:
        self._uri = uri

    replace(client.Connect, "__init__", init)
    replace(client.Connect, "__await__", lambda self: opened(self).__await__())
    replace(client.Connect, "__aenter__", opened)
    replace(client.Connect, "__aexit__", left)
    replace(client.Connect, "__aiter__", again)


def _answer_synchronous(client: Any, answers: dict[str, Any]) -> None:
    class Conversation(client.ClientConnection):
        close_code = None
        close_reason = None
        subprotocol = None
        state = 1

        def __init__(self, talk: SocketTalk) -> None:
            self.talk = talk

        def recv(self, timeout: Any = None, decode: Any = None) -> Any:
            found = self.talk.take()
            if found is None:
                raise _closed(self.talk)
            return found

        def send(self, message: Any, text: Any = None) -> None:
            is_one = isinstance(message, (str, bytes, bytearray, memoryview))
            self.talk.sent(message if is_one else "".join(message))

        def close(self, code: int = 1000, reason: str = "") -> None:
            self.state, self.close_code = 3, code

        def ping(self, data: Any = None, ack_on_close: bool = False) -> Any:
            import threading

            done = threading.Event()
            done.set()
            return done

        def pong(self, data: Any = b"") -> None:
            pass

        def __iter__(self) -> Any:
            while (found := self.talk.take()) is not None:
                yield found

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            self.close()

    def connect(uri: str, **_: Any) -> Any:
        return Conversation(SocketTalk(uri, answers))

    replace(client, "connect", connect)


def _answer_client(websocket: Any, answers: dict[str, Any]) -> None:
    kind = websocket.WebSocket

    def connect(self: Any, url: str, **_: Any) -> None:
        try:
            self._talk = SocketTalk(url, answers)
        except TimeoutError as error:
            raise websocket.WebSocketTimeoutException(str(error)) from None
        self.connected = True

    def receive(self: Any, control_frame: bool = False) -> Any:
        found = self._talk.take() if self.connected else None
        if found is None:
            self.connected = False
            raise websocket.WebSocketConnectionClosedException("Connection is already closed.")
        content = found.encode() if isinstance(found, str) else found
        code = (
            websocket.ABNF.OPCODE_TEXT if isinstance(found, str) else websocket.ABNF.OPCODE_BINARY
        )
        return code, websocket.ABNF(1, 0, 0, 0, code, 0, content)

    def send_frame(self: Any, frame: Any) -> int:
        if not self.connected:
            raise websocket.WebSocketConnectionClosedException("socket is already closed.")
        if frame.opcode in (websocket.ABNF.OPCODE_TEXT, websocket.ABNF.OPCODE_BINARY):
            data = frame.data
            self._talk.sent(
                data.decode() if isinstance(data, bytes) and frame.opcode == 1 else data
            )
        return len(frame.data)

    def close(self: Any, *_: Any, **__: Any) -> None:
        self.connected = False

    def run_forever(self: Any, *_: Any, **__: Any) -> bool:
        self.keep_running, self.sock = True, kind()
        try:
            self.sock.connect(self.url)
            self._callback(self.on_open)
            while self.keep_running:
                code, frame = self.sock.recv_data_frame()
                data = frame.data.decode() if code == websocket.ABNF.OPCODE_TEXT else frame.data
                self._callback(self.on_data, data, code, True)
                self._callback(self.on_message, data)
        except websocket.WebSocketConnectionClosedException as error:
            if self.sock._talk.variant == "closed":
                self._callback(self.on_error, error)
        except Exception as error:
            self._callback(self.on_error, error)
            self._callback(self.on_close, None, None)
            return True
        self.keep_running = False
        self._callback(self.on_close, 1000, "")
        return False

    replace(kind, "connect", connect)
    replace(kind, "recv_data_frame", receive)
    replace(kind, "send_frame", send_frame)
    for name in ("close", "shutdown", "abort", "send_close", "settimeout"):
        replace(kind, name, close if name != "settimeout" else lambda self, timeout: None)
    replace(websocket.WebSocketApp, "run_forever", run_forever)


def _answer_aiohttp_sockets(aiohttp: Any, answers: dict[str, Any]) -> None:
    class Conversation(aiohttp.ClientWebSocketResponse):
        closed = False
        close_code = None
        protocol = None

        def __init__(self, talk: SocketTalk) -> None:
            self.talk = talk

        async def receive(self, timeout: Any = None) -> Any:
            found = self.talk.take()
            if found is None:
                self.closed, self.close_code = True, 1000
                return aiohttp.WSMessage(aiohttp.WSMsgType.CLOSED, None, None)
            is_text = isinstance(found, str)
            kind = aiohttp.WSMsgType.TEXT if is_text else aiohttp.WSMsgType.BINARY
            return aiohttp.WSMessage(kind, found, None)

        async def send_str(self, data: str, compress: Any = None) -> None:
            self.talk.sent(data)

        send_bytes = send_str

        async def send_json(
            self, data: Any, compress: Any = None, *, dumps: Any = json.dumps
        ) -> None:
            self.talk.sent(dumps(data))

        async def close(
            self, *, code: int = 1000, message: bytes = b"", drain: bool = True
        ) -> bool:
            self.closed, self.close_code = True, code
            return True

        async def ping(self, message: bytes = b"") -> None:
            pass

        pong = ping

        def exception(self) -> None:
            pass

    async def ws_connect(self: Any, url: Any, **_: Any) -> Any:
        try:
            return Conversation(SocketTalk(str(url), answers))
        except ConnectionRefusedError as error:
            raise aiohttp.ClientConnectionError(str(error)) from None

    replace(aiohttp.ClientSession, "_ws_connect", ws_connect)
