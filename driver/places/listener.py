"""A socket on which a service listens."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import contextmanager

from ...slicer.errors import OptionError

_CONNECTIONS = 4096
"""Connections that the system keeps until they are taken."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    return host in {"localhost", "::1"} or host.startswith("127.")


@contextmanager
def listening(host: str, port: int) -> Generator[tuple[socket.socket, str]]:
    """Return a listening socket, and its URL, within a `with` statement.

    Args:
        host: address to listen on.
        port: 0 for any free one.

    Raises:
        OptionError: the address cannot be taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=_CONNECTIONS)
    except OSError as error:
        raise OptionError(
            f"{host}:{port} cannot be served: {error.strerror or error}",
            "choose another --port, or 0 for any free one",
        ) from error
    with listener:
        found, taken = listener.getsockname()[:2]
        place = f"[{found}]" if ":" in found else found
        yield listener, f"http://{place}:{taken}"
