"""MySQLdb, which is not installed without MySQL's own library: pymysql under its names."""

from __future__ import annotations

import pymysql
from MySQLdb import cursors
from pymysql import *  # noqa: F403
from pymysql import converters

_exceptions = pymysql.err
_PLACES = ("host", "user", "password", "database", "port", "unix_socket")
_OLD_NAMES = {"passwd": "password", "db": "database"}
paramstyle = "format"


def escape_string(text):
    """The text as it stands between quotes, in bytes."""
    return converters.escape_string(text).encode()


class Connection(pymysql.connections.Connection):
    """A connection, whose arguments may stand in the order of MySQLdb."""

    def __init__(self, *given, cursorclass=cursors.Cursor, **named):
        told = dict(zip(_PLACES, given, strict=False))
        named = {_OLD_NAMES.get(name, name): value for name, value in named.items()}
        super().__init__(**told, **named, cursorclass=cursorclass)

    def escape_string(self, text):
        return escape_string(text)

    def literal(self, value):
        return self.escape(value, self.encoders).encode()


Connect = connect = Connection
