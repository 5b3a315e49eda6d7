"""Peers on the loopback that do as mocks do: an answer at first or when asked, then the end."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Generator

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

IDLE = 0.25
"""Seconds after which a client is taken to wait for an answer, or for the end."""


@contextlib.contextmanager
def web_socket_peer(answer: str | bytes, variant: str) -> Generator[tuple[str, list[object]]]:
    """A server of web sockets: its address, and the messages that it gets."""
    messages: list[object] = []

    def converse(connection: ServerConnection) -> None:
        if variant == "closed":
            connection.socket.shutdown(socket.SHUT_RDWR)
            return
        asked = True
        with contextlib.suppress(ConnectionClosed):
            while True:
                try:
                    messages.append(connection.recv(timeout=IDLE))
                    asked = True
                except TimeoutError:
                    if not asked:
                        return
                    connection.send(answer)
                    asked = False

    with serve(converse, "127.0.0.1", 0, compression=None) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        port = server.socket.getsockname()[1]
        if variant == "connection":
            server.shutdown()
        yield f"ws://127.0.0.1:{port}/", messages
        server.shutdown()
        thread.join(20)


@contextlib.contextmanager
def tcp_peer(answer: bytes) -> Generator[tuple[int, list[bytes]]]:
    """A server of plain connections, one after the other: its port, and what it gets."""
    content: list[bytes] = []

    def converse(client: socket.socket) -> None:
        asked = is_open = True
        client.settimeout(IDLE)
        with client, contextlib.suppress(OSError):
            while True:
                try:
                    found = client.recv(4096) if is_open else b""
                    is_open = bool(found)
                    content.append(found)
                    asked = asked or is_open
                    if is_open:
                        continue
                except TimeoutError:
                    pass
                if not asked:
                    return
                client.sendall(answer)
                asked = False

    def listen() -> None:
        with contextlib.suppress(OSError):
            while True:
                converse(server.accept()[0])

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=listen)
        thread.start()
        yield server.getsockname()[1], content
        server.shutdown(socket.SHUT_RDWR)
        thread.join(20)


@contextlib.contextmanager
def udp_peer(answer: bytes) -> Generator[tuple[int, list[bytes]]]:
    """A peer that answers each datagram: its port, and what it gets."""
    content: list[bytes] = []
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))

    def listen() -> None:
        while True:
            found, client = server.recvfrom(4096)
            if found == b"the end of the test":
                return
            content.append(found)
            server.sendto(answer, client)

    with server:
        thread = threading.Thread(target=listen)
        thread.start()
        yield server.getsockname()[1], content
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"the end of the test", server.getsockname())
        thread.join(20)
