"""pymysql and mysql.connector stay real above their sockets, which lead to a server in memory."""

from __future__ import annotations

import socket
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .mysql_protocol import MySQLWire


def answer_mysql() -> None:
    """Replace the sockets of MySQL's drivers once the slice imports them."""
    on_import("pymysql.connections", lambda module: replace(module, "socket", MemorySockets()))
    on_import("mysql.connector", _answer_connector)


class MemorySockets:
    """The module `socket`, as far as drivers of MySQL use it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(socket, name)

    def socket(self, *_: Any) -> Any:
        """A socket that is not connected yet."""
        return MySQLWire()

    def create_connection(self, address: Any, *_: Any, **__: Any) -> Any:
        """A socket that is."""
        wire = MySQLWire()
        wire.connect(address)
        return wire

    def getaddrinfo(self, host: Any, port: Any, *_: Any) -> Any:
        """Each host is there under its own name."""
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))]


def _answer_connector(connector: Any) -> None:
    from mysql.connector import network, pooling

    replace(network, "socket", MemorySockets())
    for owner in (pooling, connector):
        if getattr(owner, "CMySQLConnection", None) is not None:
            # what is written in C has sockets of its own
            replace(owner, "CMySQLConnection", connector.MySQLConnection)
