"""Sockets of the internet are answered in the process; those of the machine stay real."""

from __future__ import annotations

import ast

from ....answers.services.service_answers import Answered, texts_at
from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....source.kept_code import kept_code

_QUIET = (
    "socket.AF_ socket.SOCK_ socket.SOL_ socket.SO_ socket.IPPROTO_ socket.error socket.timeout "
    "socket.gaierror socket.herror socket.inet_ socket.htons socket.ntohs socket.htonl "
    "socket.ntohl socket.gethostname socket.socketpair"
)
_STREAMS = (
    "asyncio.open_connection asyncio.start_server socketserver http.server ssl.wrap_socket "
    "anyio.connect_tcp anyio.create_tcp_listener anyio.getaddrinfo"
).split()
_OF_LOOPS = {"create_connection", "create_server", "create_datagram_endpoint", "sock_connect"}
_PLACES = (
    "socket.socket().recv()",
    "socket.socket().recvfrom()[0]",
    "socket.create_connection().recv()",
    "asyncio.open_connection()[0].read()",
    "asyncio.open_connection()[0].readline()",
    "anyio.connect_tcp().receive()",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Names of hosts, connections and servers; constants and types alone are nothing."""
    quiet = tuple(_QUIET.split())
    found = (*border.named("socket"), *border.named(*_STREAMS))
    if any(
        isinstance(node, ast.Attribute) and node.attr in _OF_LOOPS
        for one in kept_code(border).definitions
        for node in one.nodes
    ):
        found = (*found, *border.named("asyncio"))
    return tuple(c for c in found if c.name != "socket" and not c.name.startswith(quiet))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """A peer answers once whenever it has been sent something, and then there is the end."""
    del contacts
    is_server = bool(border.named("http.server"))
    found = texts_at(border, _PLACES, () if is_server else ("json.loads",))
    answers = _answers(found, is_server=is_server)
    return Mock(
        treated=(Treated("socket", "faked", "connections are answered in the process"),),
        setup=f"answer_network({answers!r})\n",
        pieces=("sockets",),
        answers=found.listed(answers["default"]),
    )


def _answers(found: Answered, *, is_server: bool) -> dict[str, object]:
    if found.is_said:
        return found.variants
    if is_server:
        return {"default": b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n", **found.given}
    return {"default": b"OK\r\n", "empty": b"", **found.given}


_CHOOSE = "__import__('slice_func_mocks').choose"

EXAMPLES: tuple[Example, ...] = (
    Example(
        title="a client that speaks JSON",
        source="""\
import ast
import json
import socket


class Client:
    def __init__(self, host, port):
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.sock.connect((host, port))

    def send_command(self, command, data=None):
        request = {"command": command, **(data or {})}
        self.sock.sendall(json.dumps(request).encode())
        return json.loads(self.sock.recv(1024).decode())

    def both(self):
        found = self.send_command("reset"), self.send_command("step", {"action": 1})
        self.sock.close()
        return found
""",
        target="Client.both",
        call="len(Client('gym.example', 5000).both())",
        gives="2",
        effects=(
            "request tcp://gym.example:5000",
            "message tcp://gym.example:5000",
            "message tcp://gym.example:5000",
        ),
    ),
    Example(
        title="ports that are open",
        source="""\
import socket


def scan(host, ports):
    found = []
    target = socket.gethostbyname(host)
    for port in ports:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s:
            s.settimeout(0.5)
            if s.connect_ex((target, port)) == 0:
                found.append(port)
    return found, target.startswith("198.18.")


def name(host):
    try:
        return socket.gethostbyname(host) and scan(host, [22, 80])
    except socket.gaierror:
        return "unknown"
""",
        target="name",
        call=(
            f"[name('a.example'), {_CHOOSE}(sockets='connection'), name('a.example'),"
            f" {_CHOOSE}(sockets='unknown'), name('a.example')]"
        ),
        gives="[([22, 80], True), None, ([], True), None, 'unknown']",
        effects=("request tcp://a.example:22", "request tcp://a.example:80") * 2,
    ),
    Example(
        title="a server that echoes",
        source="""\
import socket

HOST, PORT = "127.0.0.1", 65432


def serve():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((HOST, PORT))
        server.listen()
        connection, address = server.accept()
        with connection:
            while True:
                data = connection.recv(1024)
                if not data:
                    break
                connection.sendall(data.upper())
                if len(data) < 1024:
                    break
    return address[0]
""",
        target="serve",
        call="serve()",
        gives="'192.0.2.1'",
        effects=("command bind tcp://127.0.0.1:65432", "message tcp://192.0.2.1:49153"),
    ),
    Example(
        title="streams of asyncio",
        source="""\
import asyncio


async def ask(host, port, text):
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(text.encode() + b"\\n")
    await writer.drain()
    line = await reader.readline()
    rest = await reader.read()
    writer.close()
    await writer.wait_closed()
    return line, rest
""",
        target="ask",
        call="await ask('time.example', 37, 'now')",
        gives="(b'OK\\r\\n', b'')",
        effects=("request tcp://time.example:37", "message tcp://time.example:37"),
    ),
    Example(
        title="a stream of anyio",
        source="""\
import anyio


async def ask(host, text):
    try:
        async with await anyio.connect_tcp(host, 80) as stream:
            await stream.send(text)
            return await stream.receive()
    except OSError as error:
        return type(error).__name__


async def first(names):
    return [await ask(name, b"now") for name in names]
""",
        target="first",
        call=(
            f"[await first(['a.example', 'b.example']), {_CHOOSE}(sockets='connection'),"
            " await first(['a.example'])]"
        ),
        gives="[[b'OK\\r\\n', b'OK\\r\\n'], None, ['OSError']]",
        effects=(
            "request tcp://a.example:80",
            "message tcp://a.example:80",
            "request tcp://b.example:80",
            "message tcp://b.example:80",
            "request tcp://a.example:80",
        ),
    ),
    Example(
        title="a server of asyncio",
        source="""\
import asyncio


class Echo:
    def __init__(self):
        self.lines = []

    async def handle(self, reader, writer):
        async for line in reader:
            self.lines.append(line)
            writer.write(line.lower())
            await writer.drain()
        writer.close()

    async def serve(self, port):
        server = await asyncio.start_server(self.handle, "127.0.0.1", port)
        async with server:
            await server.serve_forever()


def run(port):
    echo = Echo()
    try:
        asyncio.run(echo.serve(port))
    except KeyboardInterrupt:
        pass
    return echo.lines
""",
        target="run",
        call="run(9000)",
        gives="[b'OK\\r\\n']",
        effects=("command bind tcp://127.0.0.1:9000", "message tcp://192.0.2.1:49153"),
    ),
    Example(
        title="datagrams",
        source="""\
import socket
import struct


def announce(text, group="224.1.1.1", port=5004):
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, struct.pack("b", 2))
    sock.settimeout(1)
    sock.sendto(text.encode(), (group, port))
    found = []
    while True:
        try:
            data, sender = sock.recvfrom(1024)
            found.append((data, sender[1]))
        except socket.timeout:
            break
    sock.close()
    return found
""",
        target="announce",
        call="(announce('hello'), _effects[-1][2])",
        gives="([(b'OK\\r\\n', 5004)], 'hello')",
        effects=("message udp://224.1.1.1:5004",),
    ),
    Example(
        title="a certificate",
        source="""\
import socket
import ssl


def expires(host, port=443):
    context = ssl.create_default_context()
    with socket.create_connection((host, port), timeout=3) as raw:
        with context.wrap_socket(raw, server_hostname=host) as sock:
            sock.sendall(b"HEAD / HTTP/1.0\\r\\n\\r\\n")
            lines = sock.makefile("rb").readlines()
            return sock.getpeercert()["notAfter"], sock.version(), lines
""",
        target="expires",
        call="expires('example.org')",
        gives="('Jan  1 00:00:00 2036 GMT', 'TLSv1.3', [b'OK\\r\\n'])",
        effects=("request tcp://example.org:443", "message tcp://example.org:443"),
    ),
)

FAMILY = Family("sockets", applies, stub, EXAMPLES)
