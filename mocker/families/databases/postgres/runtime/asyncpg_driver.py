"""asyncpg over a server in memory."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.sql.postgres_failures import POSTGRES_FAILURES
from .....world.sql.sql_rows import server_types
from .....world.sql.sql_server import ServerSession, refuse_connections, server_address

ASYNCPG_NAMES = {
    "syntax": "PostgresSyntaxError", "failed": "InFailedSQLTransactionError",
    "closed": "InterfaceError", "values": "InterfaceError",
}  # fmt: skip


def answer_asyncpg() -> None:
    """Replace `asyncpg.connect` and `asyncpg.create_pool` once the slice imports it."""
    on_import("asyncpg", _patch_asyncpg)


class MemoryRecord:
    """A row of asyncpg: by number, by name, as pairs."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: Any, values: Any) -> None:
        self._names, self._values = list(names), tuple(values)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(key)
            return self._values[self._names.index(key)]
        return self._values[key]

    def get(self, key: str, default: Any = None) -> Any:
        """As a dictionary does it."""
        return self[key] if key in self._names else default

    def keys(self) -> Any:
        """The names."""
        return iter(self._names)

    def values(self) -> Any:
        """The values."""
        return iter(self._values)

    def items(self) -> Any:
        """The pairs."""
        return zip(self._names, self._values, strict=True)

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        return key in self._names

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (MemoryRecord, tuple)) and self._values == tuple(other)

    def __hash__(self) -> int:
        return hash(self._values)

    def __repr__(self) -> str:
        pairs = " ".join(f"{name}={value!r}" for name, value in self.items())
        return f"<Record {pairs}>"


def _patch_asyncpg(asyncpg: Any) -> None:
    import uuid

    identity = {"json": str, "uuid": uuid.UUID}

    def raises(kind: str, message: str) -> Exception:
        known = POSTGRES_FAILURES.get(kind, ("Postgres",))[0] + "Error"
        name = ASYNCPG_NAMES.get(kind, known)
        return (getattr(asyncpg, name, None) or getattr(asyncpg.exceptions, name))(message)

    class MemoryTransaction:
        """A transaction, or a savepoint inside one."""

        def __init__(self, connection: Any) -> None:
            self.connection, self.inner = connection, False

        async def start(self) -> None:
            session = self.connection.slice_func_session
            self.inner = session.begun
            name = f"savepoint_{next(self.connection.slice_func_numbers)}"
            self.name = name
            session.run(f"SAVEPOINT {name}" if self.inner else "BEGIN;", style="numeric")

        async def commit(self) -> None:
            said = f"RELEASE SAVEPOINT {self.name}" if self.inner else "COMMIT;"
            self.connection.slice_func_session.run(said, style="numeric")

        async def rollback(self) -> None:
            session = self.connection.slice_func_session
            session.failed = session.failed and not self.inner
            said = f"ROLLBACK TO {self.name}" if self.inner else "ROLLBACK;"
            session.run(said, style="numeric")

        async def __aenter__(self) -> Any:
            await self.start()
            return self

        async def __aexit__(self, kind: Any, *_error: object) -> None:
            await (self.commit() if kind is None else self.rollback())

    class MemoryConnection:
        """A connection."""

        def __init__(self, address: str) -> None:
            refuse_connections()
            self.slice_func_session = ServerSession(
                address, raises, server_types(**identity), is_postgres=True
            )
            self.slice_func_session.autocommit = True
            self.slice_func_numbers = itertools.count(1)

        async def fetch(self, query: str, *values: Any, **_options: Any) -> Any:
            result = self.slice_func_session.run(query, values, "numeric")
            return [MemoryRecord(result.columns, row) for row in result.rows]

        async def fetchrow(self, query: str, *values: Any, **_options: Any) -> Any:
            found = await self.fetch(query, *values)
            return found[0] if found else None

        async def fetchval(self, query: str, *values: Any, column: int = 0, **_options: Any) -> Any:
            found = await self.fetchrow(query, *values)
            return None if found is None else found[column]

        async def execute(self, query: str, *values: Any, **_options: Any) -> str:
            return self.slice_func_session.run(query, values, "numeric").status

        async def executemany(self, query: str, rows: Any, **_options: Any) -> None:
            for values in rows:
                self.slice_func_session.run(query, tuple(values), "numeric")

        async def prepare(self, query: str, **_options: Any) -> Any:
            return MemoryStatement(self, query)

        def transaction(self, **_options: Any) -> Any:
            return MemoryTransaction(self)

        async def cursor(self, query: str, *values: Any, **_options: Any) -> Any:
            for row in await self.fetch(query, *values):
                yield row

        async def copy_records_to_table(
            self, table: str, *, records: Any, columns: Any = None, **_options: Any
        ) -> str:
            rows = [tuple(row) for row in records]
            named = f" ({', '.join(columns)})" if columns else ""
            for row in rows:
                marks = ", ".join(f"${number + 1}" for number in range(len(row)))
                await self.execute(f"INSERT INTO {table}{named} VALUES ({marks})", *row)
            return f"COPY {len(rows)}"

        def is_closed(self) -> bool:
            return self.slice_func_session.closed

        def is_in_transaction(self) -> bool:
            return self.slice_func_session.begun

        async def close(self, **_options: Any) -> None:
            self.slice_func_session.close()

        def terminate(self) -> None:
            self.slice_func_session.close()

        async def set_type_codec(self, name: str, *_a: Any, decoder: Any = None, **_o: Any) -> None:
            if name.startswith("json") and decoder is not None:
                self.slice_func_session.types["json"] = decoder

        async def add_listener(self, *_arguments: Any) -> None:
            return None

        async def remove_listener(self, *_arguments: Any) -> None:
            return None

        async def reset(self, **_options: Any) -> None:
            self.slice_func_session.rollback()

        def get_server_version(self) -> Any:
            return (15, 0, 0, "final", 0)

    class MemoryStatement:
        """A prepared statement."""

        def __init__(self, connection: Any, query: str) -> None:
            self.connection, self.query = connection, query

        def __getattr__(self, name: str) -> Any:
            method = getattr(self.connection, name)
            return lambda *values, **options: method(self.query, *values, **options)

    class MemoryPool:
        """A pool that has as many connections as are asked for."""

        def __init__(self, address: str, prepare: Any = None) -> None:
            self.address, self.prepare, self.free = address, prepare, []

        def __await__(self) -> Any:
            return self._self().__await__()

        async def _self(self) -> Any:
            return self

        async def __aenter__(self) -> Any:
            return self

        async def __aexit__(self, *_error: object) -> None:
            await self.close()

        async def _take(self) -> Any:
            if self.free:
                return self.free.pop()
            connection = MemoryConnection(self.address)
            if self.prepare is not None:
                await self.prepare(connection)
            return connection

        def acquire(self, **_options: Any) -> Any:
            return PoolLease(self)

        async def release(self, connection: Any, **_options: Any) -> None:
            if connection.slice_func_session.begun:
                connection.slice_func_session.rollback()
            self.free.append(connection)

        async def close(self) -> None:
            for connection in self.free:
                await connection.close()

        def terminate(self) -> None:
            self.free.clear()

        def get_size(self) -> int:
            return len(self.free)

        def __getattr__(self, name: str) -> Any:
            if name not in ("fetch", "fetchrow", "fetchval", "execute", "executemany"):
                raise AttributeError(name)

            async def call(*arguments: Any, **options: Any) -> Any:
                async with self.acquire() as connection:
                    return await getattr(connection, name)(*arguments, **options)

            return call

    class PoolLease:
        """A connection that is borrowed: with `await`, or with `async with`."""

        def __init__(self, pool: Any) -> None:
            self.pool = pool

        def __await__(self) -> Any:
            return self.pool._take().__await__()

        async def __aenter__(self) -> Any:
            self.connection = await self.pool._take()
            return self.connection

        async def __aexit__(self, *_error: object) -> None:
            await self.pool.release(self.connection)

    async def connect(dsn: Any = None, **options: Any) -> Any:
        return MemoryConnection(server_address("postgresql", 5432, dsn, options))

    def create_pool(dsn: Any = None, *, init: Any = None, **options: Any) -> Any:
        return MemoryPool(server_address("postgresql", 5432, dsn, options), init)

    with contextlib.suppress(AttributeError):
        replace(asyncpg, "connect", connect)
        replace(asyncpg, "create_pool", create_pool)
