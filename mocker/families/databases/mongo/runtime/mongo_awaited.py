"""MongoDB with `await`: clients, collections, cursors and sessions over those in memory."""

from __future__ import annotations

import contextlib
from typing import Any


class MemorySession:
    """A session: what it does is done at once."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.in_transaction = False

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_error: object) -> None:
        self.in_transaction = False

    @contextlib.contextmanager
    def start_transaction(self, *_arguments: Any, **_options: Any) -> Any:
        """A transaction without a way back."""
        self.in_transaction = True
        yield self
        self.in_transaction = False

    def with_transaction(self, callback: Any, *_arguments: Any, **_options: Any) -> Any:
        """Call it."""
        return callback(self)

    def commit_transaction(self) -> None:
        """It is done already."""

    def abort_transaction(self) -> None:
        """It stays."""

    def end_session(self) -> None:
        """Nothing to end."""


def async_client(memory: Any, *, awaits_cursor: bool) -> Any:
    """The class of clients whose operations are awaited."""

    class AsyncCursor:
        def __init__(self, cursor: Any) -> None:
            self.cursor = cursor

        def __getattr__(self, name: str) -> Any:
            def call(*arguments: Any, **options: Any) -> Any:
                found = getattr(self.cursor, name)(*arguments, **options)
                return self if found is self.cursor else found

            return call

        def __aiter__(self) -> Any:
            return self

        async def __anext__(self) -> Any:
            try:
                return next(self.cursor)
            except StopIteration:
                raise StopAsyncIteration from None

        async def to_list(self, length: Any = None) -> Any:
            return list(self.cursor)[:length]

        async def next(self) -> Any:
            return await self.__anext__()

        async def __aenter__(self) -> Any:
            return self

        async def __aexit__(self, *_error: object) -> None:
            return None

    class AsyncCollection:
        def __init__(self, collection: Any, database: Any) -> None:
            self.delegate, self.database = collection, database
            self.name = collection.name

        def __getattr__(self, name: str) -> Any:
            found = getattr(self.delegate, name)
            if type(found).__name__ == "Collection":
                return AsyncCollection(found, self.database)
            if name in ("find", "list_indexes"):
                return lambda *a, **o: AsyncCursor(found(*a, **o))
            if name in ("aggregate", "watch") and not awaits_cursor:
                return lambda *a, **o: AsyncCursor(found(*a, **o))
            return awaited(found)

        __getitem__ = __getattr__

        def with_options(self, *_arguments: Any, **_options: Any) -> Any:
            return self

    class AsyncDatabase:
        def __init__(self, database: Any, client: Any) -> None:
            self.delegate, self.client = database, client
            self.name = database.name

        def get_collection(self, name: str, *_arguments: Any, **_options: Any) -> Any:
            return AsyncCollection(self.delegate[name], self)

        __getitem__ = get_collection

        def __getattr__(self, name: str) -> Any:
            methods = "command create_collection drop_collection list_collection_names".split()
            return awaited(getattr(self.delegate, name)) if name in methods else self[name]

    class AsyncSession(MemorySession):
        async def __aenter__(self) -> Any:
            return self

        async def __aexit__(self, *_error: object) -> None:
            return None

        @contextlib.asynccontextmanager
        async def start_transaction(self, *_arguments: Any, **_options: Any) -> Any:
            yield self

        async def with_transaction(self, callback: Any, *_arguments: Any, **_options: Any) -> Any:
            return await callback(self)

    class AsyncClient:
        def __init__(self, *arguments: Any, **options: Any) -> None:
            self.delegate = memory(*arguments, **options)

        def __class_getitem__(cls, item: Any) -> Any:
            return cls

        def get_database(self, name: Any = None, *_arguments: Any, **_options: Any) -> Any:
            found = self.delegate[name] if name else self.delegate.get_default_database()
            return AsyncDatabase(found, self)

        get_default_database = get_database
        __getitem__ = get_database

        def __getattr__(self, name: str) -> Any:
            if name in ("list_database_names", "drop_database", "server_info"):
                return awaited(getattr(self.delegate, name))
            return self[name]

        async def start_session(self, *_arguments: Any, **_options: Any) -> Any:
            return AsyncSession(self)

        def get_io_loop(self) -> Any:
            import asyncio

            return asyncio.get_event_loop()

        def close(self) -> Any:
            return _done() if awaits_cursor else None

        async def aconnect(self) -> None:
            return None

        async def __aenter__(self) -> Any:
            return self

        async def __aexit__(self, *_error: object) -> None:
            return None

    def awaited(function: Any) -> Any:
        async def call(*arguments: Any, **options: Any) -> Any:
            found = function(*arguments, **options)
            return AsyncCursor(found) if "Cursor" in type(found).__name__ else found

        return call

    AsyncClient.__name__ = "AsyncMongoClient" if awaits_cursor else "AsyncIOMotorClient"
    return AsyncClient


async def _done() -> None:
    return None
