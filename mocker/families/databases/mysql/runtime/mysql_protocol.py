"""The protocol of MySQL: packets of a client in, packets of a server in memory out."""

from __future__ import annotations

import re
import struct
from typing import Any

from .....world.network.wire_socket import WireSocket
from .....world.sql.sql_server import refuse_connections
from .mysql_failures import MySQLError
from .mysql_session import MYSQL_VERSION, MySQLSession
from .mysql_types import binary_value, mysql_column, text_value

# what a server of long ago could do, so that clients speak in the plainest way
CAPABILITIES = 0x1 | 0x2 | 0x4 | 0x8 | 0x200 | 0x2000 | 0x8000 | 0x10000 | 0x20000 | 0x80000
MORE_RESULTS = 8


class MySQLWire(WireSocket):
    """The socket of one client."""

    def __init__(self) -> None:
        super().__init__(self._feed)
        self.address: Any = None
        self.session: Any = None
        self.buffer = b""
        self.prepared: dict[int, str] = {}
        self.is_closed = False

    def connect(self, address: Any) -> None:
        """Go to a host and a port, or to the path of a socket: the server speaks first."""
        refuse_connections()
        self.address = address if isinstance(address, tuple) else ("localhost", 3306)
        self.waiting = _packet(
            0,
            b"\x0a" + MYSQL_VERSION.encode() + b"\0" + struct.pack("<I", 1) + b"abcdefgh\0"
            + struct.pack("<HBHHB", CAPABILITIES & 0xFFFF, 45, 2, CAPABILITIES >> 16, 21)
            + bytes(10) + b"ijklmnopqrst\0" + b"mysql_native_password\0",
        )  # fmt: skip

    def sendall(self, data: Any, *_: Any) -> None:
        """Take what the client says."""
        if self.is_closed:
            raise OSError(9, "Bad file descriptor")
        super().sendall(data)

    def recv_into(self, buffer: Any, size: int = 0, *_: Any) -> int:
        """What waits, into a buffer."""
        if self.is_closed:
            raise OSError(9, "Bad file descriptor")
        found = self.recv(size or len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def close(self, *_: Any) -> None:
        """What is not committed is lost."""
        self.is_closed = True
        if self.session is not None:
            self.session.close()

    shutdown = close

    def _feed(self, data: bytes) -> bytes:
        self.buffer += data
        answer = b""
        while len(self.buffer) >= 4:
            size = int.from_bytes(self.buffer[:3], "little")
            if len(self.buffer) < size + 4:
                break
            number, payload = self.buffer[3], self.buffer[4 : size + 4]
            self.buffer = self.buffer[size + 4 :]
            answer += self._answer(number, payload)
        return answer

    def _answer(self, number: int, payload: bytes) -> bytes:
        if self.session is None:
            self._use(_database(payload))
            parts = [self._done(0, 0)]
        else:
            try:
                parts = self._command(payload[0], payload[1:])
            except MySQLError as error:
                parts = [_failed(error)]
        return b"".join(_packet(number + 1 + at, part) for at, part in enumerate(parts))

    def _command(self, command: int, rest: bytes) -> list[bytes]:
        match command:
            case 0x03:
                return self._query(rest.decode("utf-8", "surrogateescape"))
            case 0x16:
                return self._prepare(rest.decode())
            case 0x17:
                return self._execute(rest)
            case 0x01 | 0x19:
                return []
            case 0x02:
                self._use(rest.decode())
            case 0x11 | 0x1F:
                self.session.reset()
            case 0x1B:
                return [self._end()]
            case 0x09:
                return [b"Uptime: 1"]
            case _:
                pass
        return [self._done(0, 0)]

    def _query(self, sql: str) -> list[bytes]:
        parts: list[bytes] = []
        used = re.fullmatch(r"\s*USE\s+`?(\w+)`?\s*;?\s*", sql, re.IGNORECASE)
        if used:
            self._use(used[1])
            return [self._done(0, 0)]
        results = self.session.run_all(sql)
        for at, result in enumerate(results):
            more = MORE_RESULTS if at + 1 < len(results) else 0
            if not result.columns:
                parts.append(self._done(max(result.count, 0), result.last or 0, more))
                continue
            columns = self.session.typed(result)
            rows = [b"".join(map(text_value, row, columns)) for row in result.rows]
            parts += [*self._head(columns, more), *rows, self._end(more)]
        return parts

    def _use(self, database: str) -> None:
        host, port = self.address[:2]
        before, self.session = self.session, MySQLSession(f"mysql://{host}:{port}/{database}")
        if before is not None:
            self.session.autocommit = before.autocommit
            before.close()

    def _prepare(self, sql: str) -> list[bytes]:
        number = len(self.prepared) + 1
        self.prepared[number] = sql
        marks = self.session.marks(sql)
        answer = b"\0" + struct.pack("<IHHBH", number, 0, marks, 0, 0)
        mark = mysql_column("?", "VARCHAR", [])
        return [answer, *([mark.packet()] * marks), *([self._end()] if marks else [])]

    def _execute(self, rest: bytes) -> list[bytes]:
        sql = self.prepared[struct.unpack_from("<I", rest)[0]]
        values = _parameters(rest[9:], self.session.marks(sql))
        result = self.session.run(sql, values)
        if not result.columns:
            return [self._done(max(result.count, 0), result.last or 0)]
        columns = self.session.typed(result)
        rows = [_binary_row(row, columns) for row in result.rows]
        return [*self._head(columns, 0), *rows, self._end()]

    def _head(self, columns: Any, more: int) -> list[bytes]:
        return [_length(len(columns)), *(each.packet() for each in columns), self._end(more)]

    def _end(self, more: int = 0) -> bytes:
        return b"\xfe" + struct.pack("<HH", 0, self._status() | more)

    def _done(self, count: int, last: int, more: int = 0) -> bytes:
        return b"\0" + _length(count) + _length(last) + struct.pack("<HH", self._status() | more, 0)

    def _status(self) -> int:
        return (1 if self.session.begun else 0) | (2 if self.session.autocommit else 0)


def _database(response: bytes) -> str:
    """The database that a client names when it introduces itself."""
    flags = int.from_bytes(response[:4], "little")
    rest = response[32:].partition(b"\0")[2]
    rest = rest[rest[0] + 1 :] if rest else b""
    return rest.partition(b"\0")[0].decode() if flags & 8 else ""


def _packet(number: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "little") + bytes([number % 256]) + payload


def _failed(error: MySQLError) -> bytes:
    return b"\xff" + struct.pack("<H", error.number) + b"#" + error.state.encode() + (
        str(error).encode("utf-8", "surrogateescape")
    )  # fmt: skip


def _length(value: int) -> bytes:
    if value < 251:
        return bytes([value])
    return b"\xfe" + struct.pack("<Q", value)


def _binary_row(row: Any, columns: Any) -> bytes:
    missing = sum(1 << (at + 2) for at, value in enumerate(row) if value is None)
    bitmap = missing.to_bytes((len(row) + 9) // 8, "little")
    return b"\0" + bitmap + b"".join(map(binary_value, row, columns))


def _parameters(data: bytes, count: int) -> list[Any]:
    """The values that a prepared statement is executed with."""
    if not count:
        return []
    start = (count + 7) // 8
    missing = int.from_bytes(data[:start], "little")
    kinds = [data[start + 1 + 2 * at : start + 3 + 2 * at] for at in range(count)]
    at = start + 1 + 2 * count
    values: list[Any] = []
    for number, (kind, flags) in enumerate(kinds):
        if missing >> number & 1 or kind == 6:
            values.append(None)
            continue
        value, at = _parameter(data, at, kind, is_unsigned=bool(flags))
        values.append(value)
    return values


def _parameter(data: bytes, at: int, kind: int, *, is_unsigned: bool) -> tuple[Any, int]:
    sizes = {1: 1, 2: 2, 3: 4, 8: 8}
    if kind in sizes:
        end = at + sizes[kind]
        return int.from_bytes(data[at:end], "little", signed=not is_unsigned), end
    if kind in (4, 5):
        size, form = (4, "<f") if kind == 4 else (8, "<d")
        return struct.unpack_from(form, data, at)[0], at + size
    size, at = data[at], at + 1
    if kind in (7, 10, 11, 12):
        return _sent_moment(data[at : at + size], kind), at + size
    if size >= 251:
        width = {252: 2, 253: 3, 254: 8}[size]
        size, at = int.from_bytes(data[at : at + width], "little"), at + width
    content = data[at : at + size]
    return (content if kind in (249, 250, 251, 252) else content.decode()), at + size


def _sent_moment(data: bytes, kind: int) -> str:
    if kind == 11:
        sign, days, hours, minutes, seconds = struct.unpack("<BIBBB", (data + bytes(8))[:8])
        return f"{'-' if sign else ''}{days * 24 + hours:02}:{minutes:02}:{seconds:02}"
    year, *rest = struct.unpack("<HBBBBB", (data + bytes(7))[:7])
    day = f"{year:04}-{rest[0]:02}-{rest[1]:02}"
    return day if kind == 10 else f"{day} {rest[2]:02}:{rest[3]:02}:{rest[4]:02}"
