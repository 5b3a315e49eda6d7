"""Sockets of the internet: names are found, connections answer and end, what is sent is noted.

A connected socket stands on one end of a local pair, so that `select`, files and event loops work;
what nobody waits for comes from here, and where nothing comes any more there is the end.
"""

from __future__ import annotations

import os
import re
import socket
import weakref
import zlib
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import choices, chosen_name, record, replace, undo_with
from .....world.network.http_answers import shown_bytes

NAMED_FAILURES = {
    "connection": (ConnectionRefusedError, 111, "Connection refused"),
    "timeout": (TimeoutError, "timed out"),
    "unreachable": (OSError, 113, "No route to host"),
}
HOST_NAMES: dict[str, str] = {}
"""Numbers that have been given out, and what for."""


class Peer:
    """The other side of one socket."""

    def __init__(self, scheme: str, address: Any) -> None:
        self.scheme = scheme
        self.address = address
        self.end: Any = None
        self.asked = True
        self.clients = 1

    @property
    def name(self) -> str:
        """How effects name it."""
        host = HOST_NAMES.get(self.address[0], self.address[0])
        return f"{self.scheme}://{host}:{self.address[1]}"


class Network:
    """What the internet of one script answers; a case chooses for `sockets`."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = {
            name: value if isinstance(value, bytes) else str(value).encode()
            for name, value in answers.items()
        }
        self.peers: weakref.WeakKeyDictionary[Any, Peer] = weakref.WeakKeyDictionary()

    def answer(self) -> bytes:
        """What a peer says when it is asked."""
        name = choices.get("sockets", "default")
        return self.answers.get(name, self.answers["default"])

    def fail(self) -> None:
        """Raise what the case wants instead of a connection."""
        name = choices.get("sockets", "default")
        failure = NAMED_FAILURES.get(
            chosen_name("sockets", name, *self.answers, *NAMED_FAILURES, "unknown")
        )
        if failure:
            kind, *arguments = failure
            raise kind(*arguments)

    def connect(self, sock: Any, address: Any) -> None:
        """Put one end of a pair under a socket."""
        peer = Peer("tcp" if sock.type & socket.SOCK_STREAM else "udp", address)
        record("request", peer.name)
        self.fail()
        timeout = sock.gettimeout()
        here, peer.end = socket.socketpair()
        os.dup2(here.fileno(), sock.fileno(), inheritable=False)
        here.close()
        self.peers[sock] = peer
        sock.settimeout(timeout)
        if timeout == 0:  # an event loop waits for data: it comes at once, and the end with it
            peer.end.send(self.answer())
            peer.end.shutdown(socket.SHUT_WR)
            peer.asked = False

    def aim(self, sock: Any, address: Any) -> None:
        """Say where datagrams go; an event loop waits for those that come back."""
        peer = self.peers[sock] = Peer("udp", address)
        peer.asked = False
        if sock.gettimeout() == 0:
            here, peer.end = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
            os.dup2(here.fileno(), sock.fileno(), inheritable=False)
            here.close()
            sock.setblocking(False)

    def sent(self, sock: Any, content: bytes) -> None:
        """Note what is sent, and have an answer wait."""
        peer = self.peers[sock]
        steady = re.sub(rb"(?m)^(Date|Server): .*\r\n", b"", content)
        record("message", peer.name, shown_bytes(steady))
        if sock.gettimeout() != 0:
            peer.asked = True
        elif peer.scheme == "udp" and peer.end is not None:
            peer.end.send(self.answer())

    def ready(self, sock: Any) -> bool:
        """Whether there is something to read; puts the answer there if it has been asked for."""
        import select

        peer = self.peers[sock]
        if select.select([sock], [], [], 0)[0]:
            return True
        if peer.asked and peer.end is not None:
            peer.asked = False
            peer.end.send(self.answer())
            return True
        return False


def answer_network(answers: dict[str, Any]) -> None:
    """Have all sockets of the internet families answered."""
    network = Network(answers)
    _answer_names()
    _answer_connections(network)
    _answer_transfer(network)
    _answer_servers(network)
    _answer_tls(network)
    undo_with(network.peers.clear)


def _address_of(host: Any) -> str:
    """The number of a host: its own, or one of those that are kept for tests."""
    name = host.decode() if isinstance(host, (bytes, bytearray)) else str(host or "127.0.0.1")
    if re.fullmatch(r"\d+(\.\d+){3}", name):
        return name
    if name in ("localhost", "", "0.0.0.0") or ":" in name:
        return "127.0.0.1"
    if choices.get("sockets") == "unknown":
        raise socket.gaierror(-2, "Name or service not known")
    high, low = divmod(zlib.crc32(name.encode()) % 65025, 255)
    address = f"198.18.{high}.{low}"
    HOST_NAMES[address] = name
    return address


def _answer_names() -> None:
    def infos(host: Any, port: Any, family: int = 0, type: int = 0, *_: Any, **__: Any) -> Any:
        number = (
            socket.getservbyname(port) if isinstance(port, str) and not port.isdigit() else port
        )
        where = (_address_of(host), int(number or 0))
        kinds = [type] if type else [socket.SOCK_STREAM, socket.SOCK_DGRAM]
        protocols = {socket.SOCK_STREAM: 6, socket.SOCK_DGRAM: 17}
        return [
            (socket.AF_INET, socket.SocketKind(kind), protocols.get(kind, 0), "", where)
            for kind in kinds
        ]

    def host_of(address: str) -> Any:
        return ("host.example", [], [_address_of(address)])

    replace(socket, "getaddrinfo", infos)
    replace(socket, "gethostbyname", _address_of)
    replace(socket, "gethostbyname_ex", lambda name: (name, [], [_address_of(name)]))
    replace(socket, "gethostbyaddr", host_of)
    replace(socket, "getfqdn", lambda name="": name or "localhost")
    replace(socket, "getnameinfo", lambda where, flags: (str(where[0]), str(where[1])))


def _internet(sock: Any) -> bool:
    return sock.family in (socket.AF_INET, socket.AF_INET6)


def _answer_connections(network: Network) -> None:
    kind = socket.socket
    real = {name: getattr(kind, name) for name in ("connect", "connect_ex", "close", "setsockopt")}

    def connect(self: Any, address: Any) -> None:
        if not _internet(self):
            real["connect"](self, address)
            return
        if self.fileno() < 0:
            raise OSError(9, "Bad file descriptor")
        if self.type == socket.SOCK_DGRAM:
            network.aim(self, address)
            return
        network.connect(self, address)

    def connect_ex(self: Any, address: Any) -> int:
        try:
            connect(self, address)
        except OSError as error:
            return error.errno or 11
        return 0

    def close(self: Any) -> None:
        peer = network.peers.get(self)
        if peer is not None and self._io_refs <= 0:
            network.peers.pop(self)
            if peer.end is not None:
                peer.end.close()
        real["close"](self)

    def setsockopt(self: Any, *arguments: Any) -> None:
        if not _internet(self) and self not in network.peers:
            real["setsockopt"](self, *arguments)

    def getpeername(self: Any) -> Any:
        peer = network.peers.get(self)
        if peer is None:
            raise OSError(107, "Transport endpoint is not connected")
        return (_address_of(peer.address[0]), *peer.address[1:2])

    replace(kind, "connect", connect)
    replace(kind, "connect_ex", connect_ex)
    replace(kind, "close", close)
    replace(kind, "setsockopt", setsockopt)
    replace(kind, "getpeername", getpeername)
    name = kind.getsockname
    replace(
        kind,
        "getsockname",
        lambda self: ("192.0.2.2", 49152) if self in network.peers else name(self),
    )


def _answer_transfer(network: Network) -> None:
    kind = socket.socket
    names = ("send", "sendall", "sendto", "recv", "recv_into", "recvfrom", "recvfrom_into")
    real = {name: getattr(kind, name) for name in names}

    def sendto(self: Any, data: Any, *rest: Any) -> int:
        if not _internet(self):
            return real["sendto"](self, data, *rest)
        peer = network.peers.setdefault(self, Peer("udp", rest[-1]))
        peer.address = rest[-1]
        network.sent(self, bytes(data))
        return len(data)

    def sending(name: str) -> Any:
        def send(self: Any, data: Any, *flags: Any) -> Any:
            if self not in network.peers:
                return real[name](self, data, *flags)
            network.sent(self, bytes(data))
            return None if name == "sendall" else len(data)

        return send

    def receiving(name: str, *, into: bool, whence: bool) -> Any:
        def receive(self: Any, where: Any, *rest: Any) -> Any:
            peer = network.peers.get(self)
            if peer is None:
                return real[name](self, where, *rest)
            if peer.end is None:  # a datagram
                found = network.answer()[: len(where) if into else where] if peer.asked else b""
                if not found:
                    raise TimeoutError("timed out")
                peer.asked = False
            elif self.gettimeout() == 0 or network.ready(self):
                found = real["recv"](self, len(where) if into else where)
            else:
                found = b""
            if into:
                size = rest[0] if rest and rest[0] else len(where)
                found = found[:size]
                where[: len(found)] = found
            given = len(found) if into else found
            return (given, (_address_of(peer.address[0]), peer.address[1])) if whence else given

        return receive

    replace(kind, "send", sending("send"))
    replace(kind, "sendall", sending("sendall"))
    replace(kind, "sendto", sendto)
    if hasattr(kind, "sendmsg"):
        gathered = kind.sendmsg

        def sendmsg(self: Any, buffers: Any, *rest: Any) -> int:
            if self not in network.peers:
                return gathered(self, buffers, *rest)
            return self.send(b"".join(map(bytes, buffers)))

        replace(kind, "sendmsg", sendmsg)
    replace(kind, "recv", receiving("recv", into=False, whence=False))
    replace(kind, "recv_into", receiving("recv_into", into=True, whence=False))
    replace(kind, "recvfrom", receiving("recvfrom", into=False, whence=True))
    replace(kind, "recvfrom_into", receiving("recvfrom_into", into=True, whence=True))


def _answer_servers(network: Network) -> None:
    kind = socket.socket
    real = {name: getattr(kind, name) for name in ("bind", "listen", "accept")}
    listening: weakref.WeakKeyDictionary[Any, Peer] = weakref.WeakKeyDictionary()

    def bind(self: Any, address: Any) -> None:
        if not _internet(self):
            real["bind"](self, address)
            return
        stream = bool(self.type & socket.SOCK_STREAM)
        peer = listening[self] = Peer("tcp" if stream else "udp", address)
        record("command", f"bind {peer.name}")
        if not stream:
            network.peers[self] = Peer("udp", ("192.0.2.1", 49153))

    def listen(self: Any, *backlog: int) -> None:
        if not _internet(self):
            real["listen"](self, *backlog)

    def accept(self: Any) -> Any:
        """One client, then none; who goes on asking for ever is interrupted."""
        if not _internet(self):
            return real["accept"](self)
        peer = listening.setdefault(self, Peer("tcp", ("0.0.0.0", 0)))
        peer.clients -= 1
        is_loop = self.gettimeout() == 0
        if peer.clients < (-200 if is_loop else -10):
            raise KeyboardInterrupt
        if peer.clients < 0:
            raise BlockingIOError(11, "No client") if is_loop else OSError(9, "No more clients")
        client = socket.socket(self.family, socket.SOCK_STREAM)
        there = Peer("tcp", ("192.0.2.1", 49153))
        here, there.end = socket.socketpair()
        os.dup2(here.fileno(), client.fileno(), inheritable=False)
        here.close()
        if is_loop:
            there.end.send(network.answer())
            there.end.shutdown(socket.SHUT_WR)
            there.asked = False
        network.peers[client] = there
        return client, there.address

    replace(kind, "bind", bind)
    replace(kind, "listen", listen)
    replace(kind, "accept", accept)


def _answer_tls(network: Network) -> None:
    def start(ssl: Any) -> None:
        class Secured(socket.socket):
            """A socket that says that it is encrypted."""

            def getpeercert(self, binary_form: bool = False) -> Any:
                if binary_form:
                    return b""
                return {
                    "subject": ((("commonName", "host.example"),),),
                    "issuer": ((("organizationName", "Example"),),),
                    "notBefore": "Jan  1 00:00:00 2026 GMT",
                    "notAfter": "Jan  1 00:00:00 2036 GMT",
                }

            def version(self) -> str:
                return "TLSv1.3"

            def cipher(self) -> tuple[str, str, int]:
                return ("TLS_AES_256_GCM_SHA384", "TLSv1.3", 256)

        real = ssl.SSLContext.wrap_socket

        def wrap_socket(self: Any, sock: Any, *rest: Any, **named: Any) -> Any:
            if not _internet(sock) and sock not in network.peers:
                return real(self, sock, *rest, **named)
            peer = network.peers.pop(sock, None)
            secured = Secured(sock.family, sock.type, sock.proto, fileno=sock.detach())
            if peer is not None:
                network.peers[secured] = peer
            return secured

        replace(ssl.SSLContext, "wrap_socket", wrap_socket)

    on_import("ssl", start)
