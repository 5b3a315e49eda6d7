"""Cursors of MySQLdb: those of pymysql, but for rows that are dictionaries in tuples."""

from __future__ import annotations

from pymysql import cursors
from pymysql.cursors import Cursor, SSCursor, SSDictCursor  # noqa: F401


class DictCursor(cursors.DictCursor):
    def fetchmany(self, size=None):
        return tuple(super().fetchmany(size))

    def fetchall(self):
        return tuple(super().fetchall())
