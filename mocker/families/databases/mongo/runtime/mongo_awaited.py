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


_PLAIN = frozenset("find list_indexes get_collection get_database get_default_database".split())
_PARTS = ("Collection", "Database", "Cursor", "CommandCursor")
_ABOVE = {"client": "MongoClient", "database": "Database"}


def async_client(memory: Any, *, awaits_cursor: bool) -> Any:
    """The class of clients whose operations are awaited."""
    plain = _PLAIN if awaits_cursor else _PLAIN | {"aggregate", "watch"}

    class Awaited:
        """A client, database, collection or cursor, over the one in memory."""

        def __init__(self, delegate: Any, above: Any = None) -> None:
            self.delegate, self.above = delegate, above

        def part(self, found: Any) -> Any:
            """What a call gives: parts of the client are awaited, too."""
            if found is self.delegate:
                return self
            if isinstance(found, contextlib.nullcontext):
                return Awaited(found.enter_result, self)
            return Awaited(found, self) if type(found).__name__ in _PARTS else found

        def __getattr__(self, name: str) -> Any:
            if name in _ABOVE:
                above = self.above
                while type(above.delegate).__name__ != _ABOVE[name]:
                    above = above.above
                return above
            found = self.part(getattr(self.delegate, name))
            if isinstance(found, Awaited) or not callable(found):
                return found
            if name in plain or "Cursor" in type(self.delegate).__name__:
                return lambda *a, **o: self.part(found(*a, **o))

            async def call(*arguments: Any, **options: Any) -> Any:
                return self.part(found(*arguments, **options))

            return call

        def __getitem__(self, name: Any) -> Any:
            return self.part(self.delegate[name])

        def with_options(self, *_arguments: Any, **_options: Any) -> Any:
            return self

        def __aiter__(self) -> Any:
            return self

        async def __anext__(self) -> Any:
            try:
                return next(self.delegate)
            except StopIteration:
                raise StopAsyncIteration from None

        async def to_list(self, length: Any = None) -> Any:
            return list(self.delegate)[:length]

        async def next(self) -> Any:
            return await self.__anext__()

        async def __aenter__(self) -> Any:
            return self

        async def __aexit__(self, *_error: object) -> None:
            return None

    class AsyncSession(MemorySession):
        def __await__(self) -> Any:
            yield from ()
            return self

        async def __aenter__(self) -> Any:
            return self

        async def __aexit__(self, *_error: object) -> None:
            return None

        @contextlib.asynccontextmanager
        async def start_transaction(self, *_arguments: Any, **_options: Any) -> Any:
            yield self

        async def with_transaction(self, callback: Any, *_arguments: Any, **_options: Any) -> Any:
            return await callback(self)

    class AsyncClient(Awaited):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(memory(*arguments, **options))

        def __class_getitem__(cls, item: Any) -> Any:
            return cls

        def start_session(self, *_arguments: Any, **_options: Any) -> Any:
            return AsyncSession(self)

        def get_io_loop(self) -> Any:
            import asyncio

            return asyncio.get_event_loop()

        def close(self) -> Any:
            return _done() if awaits_cursor else None

        aconnect = staticmethod(_done)

    AsyncClient.__name__ = "AsyncMongoClient" if awaits_cursor else "AsyncIOMotorClient"
    return AsyncClient


async def _done() -> None:
    return None
