"""Web sockets, connections and datagrams: the same functions with real and with mocked peers."""

from __future__ import annotations

import ast
import re
import socket
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository

from tests.mocker.compared import mocked, real
from tests.mocker.peers import tcp_peer, udp_peer, web_socket_peer

WEB_SOCKETS = {
    "json": """\
import json
import websockets


async def main(url):
    log = []
    try:
        async with websockets.connect(url, open_timeout=5) as ws:
            await ws.send(json.dumps({"op": "subscribe", "channel": "a"}))
            log.append(json.loads(await ws.recv())["price"] >= 0)
            await ws.send(b"\\x00\\x01")
            log.append(type(await ws.recv()).__name__)
            log.append(ws.state.name)
            await ws.recv()
    except websockets.exceptions.ConnectionClosed as error:
        log += [type(error).__name__, error.rcvd and error.rcvd.code, str(error)]
        log += [int(ws.close_code), ws.close_reason, ws.state.name]
        try:
            await ws.send("late")
        except websockets.ConnectionClosed as again:
            log.append(type(again).__name__)
    except OSError as error:
        log.append(type(error).__name__)
    return log
""",
    "stream": """\
import websockets


class Feed:
    def __init__(self, url):
        self.url, self.seen = url, []

    async def listen(self):
        async with websockets.connect(self.url) as ws:
            try:
                async for message in ws:
                    self.seen.append(len(message) > 0)
            except websockets.ConnectionClosedError as error:
                self.seen.append(str(error))
            self.seen += [int(ws.close_code), ws.state.name]


async def main(url):
    feed = Feed(url)
    try:
        await feed.listen()
    except ConnectionRefusedError as error:
        return repr(error.errno)
    return feed.seen
""",
    "leaving": """\
import websockets


async def main(url):
    ws = await websockets.connect(url)
    try:
        await ws.send("hello")
        await ws.recv()
        pong = await ws.ping()
        await pong
        await ws.close(code=4001, reason="bye")
        log = [ws.close_code, ws.close_reason, ws.state.name]
        await ws.close()
        try:
            await ws.recv()
        except websockets.ConnectionClosed as error:
            log += [type(error).__name__, error.sent.code, error.sent.reason]
        return log
    finally:
        await ws.wait_closed()
""",
    "synchronous": """\
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK
from websockets.sync.client import connect


def main(url):
    log = []
    try:
        with connect(url) as ws:
            for word in ("a", "b"):
                ws.send(word)
            log.append(len(ws.recv(timeout=5)) > 0)
            try:
                ws.recv()
            except ConnectionClosedOK as error:
                log += [error.rcvd.code, ws.close_code, ws.state.name]
                ws.send("late")
    except ConnectionClosed as error:
        log += [type(error).__name__, str(error)]
    except OSError as error:
        log.append(error.errno)
    return log
""",
    "client": """\
import json
import websocket


def main(url):
    log = []
    try:
        ws = websocket.create_connection(url, timeout=5)
        ws.send(json.dumps({"id": 1}))
        log.append(json.loads(ws.recv())["result"] is not None)
        log += [ws.connected, ws.recv()]
        log.append(ws.connected)
        ws.recv()
    except websocket.WebSocketConnectionClosedException as error:
        log.append(type(error).__name__)
        try:
            ws.send("late")
        except websocket.WebSocketException as again:
            log.append(type(again).__name__)
    except OSError as error:
        log.append(type(error).__name__)
    else:
        ws.close()
    return log
""",
    "application": """\
import websocket


class Bot:
    def __init__(self, url):
        self.log = []
        self.app = websocket.WebSocketApp(
            url, on_open=self.on_open, on_message=self.on_message, on_error=self.on_error,
            on_close=self.on_close,
        )

    def on_open(self, ws):
        ws.send("hello")
        self.log.append("open")

    def on_message(self, ws, message):
        self.log.append(type(message).__name__)
        if len(self.log) < 4:
            ws.send("more")

    def on_error(self, ws, error):
        self.log.append(type(error).__name__)

    def on_close(self, ws, code, reason):
        self.log.append(("close", code, reason))


def main(url):
    bot = Bot(url)
    bot.log.append(bot.app.run_forever())
    return bot.log
""",
    "of_aiohttp": """\
import aiohttp
import json


async def main(url):
    log = []
    async with aiohttp.ClientSession() as session:
        try:
            async with session.ws_connect(url) as ws:
                await ws.send_json({"ask": 1})
                async for message in ws:
                    log.append(message.type.name)
                    log.append(json.loads(message.data)["id"] is not None)
                log += [ws.closed, ws.close_code, ws.exception()]
        except aiohttp.ClientConnectionError as error:
            log.append(isinstance(error, OSError))
        try:
            async with session.ws_connect(url) as ws:
                await ws.send_str("once")
                first = await ws.receive()
                second = await ws.receive()
                third = await ws.receive()
                log += [first.type.name, second.type.name, second.data, third.type.name, ws.closed]
        except aiohttp.ClientConnectionError:
            log.append("none")
    return log
""",
}

CONNECTIONS = {
    "loop": """\
import socket


def main(host, port):
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.settimeout(5)
    try:
        sock.connect((host, port))
        sock.sendall(b"GET something\\n")
        parts = []
        while True:
            part = sock.recv(1024)
            if not part:
                break
            parts.append(part)
        return b"".join(parts), sock.recv(10)
    except ConnectionRefusedError as error:
        return error.errno, str(error)
    finally:
        sock.close()
""",
    "exactly": """\
import socket
import struct


def read_exactly(sock, count):
    found = b""
    while len(found) < count:
        part = sock.recv(count - len(found))
        if not part:
            raise EOFError(f"{len(found)} of {count}")
        found += part
    return found


def main(host, port):
    log = []
    with socket.create_connection((host, port), timeout=5) as sock:
        sock.send(struct.pack("!I", 3) + b"abc")
        log += [sock.recv(2), sock.recv(1), read_exactly(sock, 1)]
        sock.sendall(bytearray(b"next"))
        buffer = bytearray(10)
        count = sock.recv_into(buffer)
        log += [count, bytes(buffer[:2])]
        sock.shutdown(socket.SHUT_WR)
        try:
            read_exactly(sock, 9)
        except EOFError as error:
            log.append(str(error))
    for call in (lambda: sock.send(b"x"), lambda: sock.recv(1), sock.fileno):
        try:
            log.append(call())
        except OSError as error:
            log.append(error.errno)
    return log
""",
    "lines": """\
import socket


class Client:
    def __init__(self, host, port):
        self.sock = socket.create_connection((host, port))
        self.file = self.sock.makefile("rwb")

    def ask(self, line):
        self.file.write(line.encode() + b"\\r\\n")
        self.file.flush()
        return self.file.readline()


def main(host, port):
    client = Client(host, port)
    log = [client.ask("one"), client.ask("two"), client.sock.getpeername()[1] == port]
    log += [client.file.read(), client.sock.gettimeout()]
    client.file.close()
    client.sock.close()
    return log
""",
    "probe": """\
import errno
import socket


def main(host, port):
    sock = socket.socket()
    sock.settimeout(2)
    code = sock.connect_ex((host, port))
    sock.close()
    try:
        sock.connect((host, port))
    except OSError as error:
        return errno.errorcode.get(code), error.errno
""",
    "streams": """\
import asyncio


async def main(host, port):
    try:
        reader, writer = await asyncio.wait_for(asyncio.open_connection(host, port), 5)
    except OSError as error:
        return type(error).__name__
    writer.write(b"hello\\n")
    await writer.drain()
    log = [await reader.readline(), await reader.read(), reader.at_eof()]
    try:
        await reader.readexactly(3)
    except asyncio.IncompleteReadError as error:
        log += [error.partial, error.expected]
    writer.close()
    await writer.wait_closed()
    return log, writer.is_closing()
""",
}

DATAGRAMS = {
    "ask": """\
import socket


def main(host, port):
    log = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(0.5)
        log.append(sock.sendto(b"ping", (host, port)))
        data, (_, peer) = sock.recvfrom(1024)
        log += [data, peer == port]
        try:
            sock.recvfrom(1024)
        except socket.timeout as error:
            log += [type(error).__name__, str(error)]
        sock.connect((host, port))
        sock.send(b"again")
        log.append(sock.recv(2))
    return log
""",
    "protocol": """\
import asyncio


class Asking(asyncio.DatagramProtocol):
    def __init__(self, done):
        self.done, self.log = done, []

    def connection_made(self, transport):
        transport.sendto(b"who?")

    def datagram_received(self, data, address):
        self.log.append(data)
        self.done.set_result(True)


async def main(host, port):
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    transport, asking = await loop.create_datagram_endpoint(
        lambda: Asking(done), remote_addr=(host, port)
    )
    await asyncio.wait_for(done, 3)
    transport.close()
    return asking.log
""",
}


def answers(source: str, folder: Path, setup: str) -> dict[str, object]:
    """What the mock of a slice answers, by variant."""
    repository = folder / "sliced"
    repository.mkdir()
    (repository / "program.py").write_text(source)
    sliced = compile_slice(Repository(repository), ["program.py::main"], Options(mock="auto"))
    (found,) = re.findall(rf"^{setup}\((.*)\)$", sliced.source, re.MULTILINE)
    return ast.literal_eval(found)


def called(source: str, *arguments: object) -> str:
    call = f"main({', '.join(map(repr, arguments))})"
    return f"await {call}" if "async def main" in source else call


def sent(effects: list[tuple]) -> list[object]:
    return [arguments[0] for kind, _, *arguments in effects if kind == "message"]


@pytest.mark.parametrize(
    ("name", "variant"),
    [(name, "default") for name in sorted(WEB_SOCKETS)]
    + [(name, v) for name in ("json", "stream", "synchronous") for v in ("closed", "connection")]
    + [("client", "connection")],
)
def test_a_web_socket_and_its_mock_agree(name: str, variant: str, tmp_path: Path):
    import json

    source = WEB_SOCKETS[name]
    answer = answers(source, tmp_path, "answer_websockets")["default"]
    answer = answer if isinstance(answer, (str, bytes)) else json.dumps(answer)
    with web_socket_peer(answer, variant) as (url, messages):
        value = real(source, called(source, url), tmp_path)
    prepare = f"choose(websockets={variant!r})"
    found, effects = mocked(source, "main", called(source, "ws://host.example/"), tmp_path, prepare)
    assert found == value
    if variant == "default":
        as_text = [m if isinstance(m, str) else m.decode("latin-1") for m in messages]
        assert sent(effects) == as_text


@pytest.mark.parametrize(
    ("name", "variant"),
    [(name, "default") for name in sorted(CONNECTIONS)]
    + [(name, "connection") for name in ("loop", "probe", "streams")],
)
def test_a_connection_and_its_mock_agree(name: str, variant: str, tmp_path: Path):
    source = CONNECTIONS[name]
    answer = answers(source, tmp_path, "answer_network")["default"]
    if variant == "default":
        with tcp_peer(answer if isinstance(answer, bytes) else str(answer).encode()) as (port, got):
            value = real(source, called(source, "127.0.0.1", port), tmp_path)
    else:
        got: list[bytes] = []
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        value = real(source, called(source, "127.0.0.1", port), tmp_path)
    call = called(source, "host.example", 7000)
    found, effects = mocked(source, "main", call, tmp_path, f"choose(sockets={variant!r})")
    assert found == value
    assert "".join(map(str, sent(effects))) == b"".join(got).decode("latin-1")


@pytest.mark.parametrize("name", sorted(DATAGRAMS))
def test_datagrams_and_their_mock_agree(name: str, tmp_path: Path):
    source = DATAGRAMS[name]
    answer = answers(source, tmp_path, "answer_network")["default"]
    with udp_peer(answer if isinstance(answer, bytes) else str(answer).encode()) as (port, got):
        value = real(source, called(source, "127.0.0.1", port), tmp_path)
    found, effects = mocked(source, "main", called(source, "host.example", 7000), tmp_path)
    assert found == value
    assert sent(effects) == [each.decode() for each in got]
