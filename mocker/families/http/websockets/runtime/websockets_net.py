"""Web sockets: connections that answer each message once, and then end."""

from __future__ import annotations

import json
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import choices, chosen_name, record, replace
from .....world.network.http_answers import shown_bytes


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
        self.end: tuple[int, str] | None = None
        self.is_ours = False
        if self.variant == "closed":
            self.waiting = False

    def leave(self, code: int, reason: str) -> None:
        """Close from this side, unless it is over."""
        if self.end is None:
            self.end, self.is_ours = (code, reason), True

    def sent(self, content: Any) -> None:
        """Note a message."""
        text = content if isinstance(content, str) else shown_bytes(bytes(content))
        record("message", f"websocket {self.uri}", text)
        self.waiting = self.variant != "closed"

    def take(self) -> Any:
        """The message that waits; `None` at the end."""
        if not self.waiting or self.end is not None:
            self.end = self.end or (1006 if self.variant == "closed" else 1000, "")
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
    """What `websockets` raises at the end."""
    from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK
    from websockets.frames import Close

    code, reason = talk.end or (1000, "")
    if code == 1006:
        return ConnectionClosedError(None, None)
    kind = ConnectionClosedOK if code in (1000, 1001) else ConnectionClosedError
    is_first = not talk.is_ours
    return kind(Close(code, reason), Close(code, reason), rcvd_then_sent=is_first)


class TalkState:
    """What connections of `websockets` say of themselves."""

    talk: SocketTalk
    subprotocol = request = response = None
    local_address = ("192.0.2.2", 49152)
    remote_address = ("192.0.2.1", 443)
    latency = 0.0

    @property
    def state(self) -> Any:
        """Open, or closed."""
        from websockets.protocol import State

        return State.OPEN if self.talk.end is None else State.CLOSED

    open = property(lambda self: self.talk.end is None)
    closed = property(lambda self: self.talk.end is not None)
    close_code = property(lambda self: self.talk.end and self.talk.end[0])
    close_reason = property(lambda self: self.talk.end and self.talk.end[1])

    def taken(self) -> Any:
        """The next message."""
        found = self.talk.take()
        if found is None:
            raise _closed(self.talk)
        return found

    def say(self, message: Any) -> None:
        """Send a message, or its parts."""
        if self.talk.end is not None:
            raise _closed(self.talk)
        is_one = isinstance(message, (str, bytes, bytearray, memoryview))
        self.talk.sent(message if is_one else "".join(message))


class AsyncTalk(TalkState):
    """A connection with `await`."""

    def __init__(self, talk: SocketTalk) -> None:
        self.talk = talk

    async def recv(self, decode: Any = None) -> Any:
        """The next message."""
        return self.taken()

    async def send(self, message: Any, text: Any = None) -> None:
        """Send a message, or its parts."""
        if hasattr(message, "__aiter__"):
            message = "".join([part async for part in message])
        self.say(message)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close."""
        self.talk.leave(code, reason)

    async def wait_closed(self) -> None:
        """It is closed soon."""
        self.talk.leave(1000, "")

    async def ping(self, data: Any = None) -> Any:
        """It is answered at once."""
        import asyncio

        done = asyncio.get_running_loop().create_future()
        done.set_result(0.0)
        return done

    async def pong(self, data: Any = b"") -> None:
        """Nobody waits for it."""

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        found = self.talk.take()
        if found is None:
            if self.talk.variant == "closed":
                raise _closed(self.talk)
            raise StopAsyncIteration
        return found


class SyncTalk(TalkState):
    """A connection without `await`."""

    def __init__(self, talk: SocketTalk) -> None:
        self.talk = talk

    def recv(self, timeout: Any = None, decode: Any = None) -> Any:
        """The next message."""
        return self.taken()

    def send(self, message: Any, text: Any = None) -> None:
        """Send a message, or its parts."""
        self.say(message)

    def close(self, code: int = 1000, reason: str = "") -> None:
        """Close."""
        self.talk.leave(code, reason)

    def ping(self, data: Any = None, ack_on_close: bool = False) -> Any:
        """It is answered at once."""
        import threading

        done = threading.Event()
        done.set()
        return done

    def pong(self, data: Any = b"") -> None:
        """Nobody waits for it."""

    def __iter__(self) -> Any:
        while (found := self.talk.take()) is not None:
            yield found
        if self.talk.variant == "closed":
            raise _closed(self.talk)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _talking(kind: Any, base: Any) -> Any:
    """A class of connections that is of the library's own kind too."""
    return type("Conversation", (kind, base), {})


def _answer_asynchronous(client: Any, answers: dict[str, Any]) -> None:
    kind = _talking(AsyncTalk, client.ClientConnection)

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
    kind = _talking(AsyncTalk, client.WebSocketClientProtocol)

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
    kind = _talking(SyncTalk, client.ClientConnection)

    def connect(uri: str, **_: Any) -> Any:
        return kind(SocketTalk(uri, answers))

    replace(client, "connect", connect)


def _answer_client(websocket: Any, answers: dict[str, Any]) -> None:
    kind = websocket.WebSocket

    def connect(self: Any, url: str, **_: Any) -> None:
        try:
            self._talk = SocketTalk(url, answers)
        except TimeoutError as error:
            raise websocket.WebSocketTimeoutException(str(error)) from None
        self.connected = True

    def receive(self: Any) -> Any:
        was_over = self._talk.end is not None
        found = self._talk.take() if self.connected else None
        if found is None and (was_over or not self.connected or self._talk.variant == "closed"):
            self.connected = False
            raise websocket.WebSocketConnectionClosedException(
                "Connection to remote host was lost."
            )
        abnf = websocket.ABNF
        if found is None:
            return abnf(1, 0, 0, 0, abnf.OPCODE_CLOSE, 0, b"\x03\xe8")
        code = abnf.OPCODE_TEXT if isinstance(found, str) else abnf.OPCODE_BINARY
        return abnf(1, 0, 0, 0, code, 0, found.encode() if isinstance(found, str) else found)

    def send_frame(self: Any, frame: Any) -> int:
        if not self.connected and frame.opcode != websocket.ABNF.OPCODE_CLOSE:
            raise websocket.WebSocketConnectionClosedException("socket is already closed.")
        if frame.opcode in (websocket.ABNF.OPCODE_TEXT, websocket.ABNF.OPCODE_BINARY):
            data = frame.data
            self._talk.sent(
                data.decode() if isinstance(data, bytes) and frame.opcode == 1 else data
            )
        return len(frame.data)

    def close(self: Any, *_: Any, **__: Any) -> None:
        self.connected = False

    replace(kind, "connect", connect)
    replace(kind, "recv_frame", receive)
    replace(kind, "send_frame", send_frame)
    for name in ("close", "shutdown", "abort"):
        replace(kind, name, close)
    replace(kind, "settimeout", lambda self, timeout: None)
    replace(websocket.WebSocketApp, "create_dispatcher", lambda self, *_: TalkDispatcher(self))


class TalkDispatcher:
    """Reads for a WebSocketApp while there is something; who connects for ever does so once."""

    def __init__(self, app: Any) -> None:
        self.app = app

    def read(self, sock: Any, read: Any, check: Any) -> None:
        """Read until the end."""
        del sock
        while self.app.keep_running and read():
            check()

    def reconnect(self, seconds: int, reconnector: Any) -> None:
        """It has been enough."""
        del seconds, reconnector
        self.app.keep_running = False

    def timeout(self, seconds: float, callback: Any, *arguments: Any) -> None:
        """Nothing takes time."""
        del seconds
        callback(*arguments)


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
                was_closed, self.closed = self.closed, True
                lost = self.talk.variant == "closed"
                self.close_code = self.close_code or (1006 if lost else 1000)
                if was_closed or lost:
                    return aiohttp.WSMessage(aiohttp.WSMsgType.CLOSED, None, None)
                return aiohttp.WSMessage(aiohttp.WSMsgType.CLOSE, 1000, "")
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
