"""MongoDB in memory, by mongomock: one for each address, for the life of the script."""

from __future__ import annotations

import contextlib
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.plain_data import plain_values
from .....world.core.world import choices, chosen, chosen_name, record, replace, restart_with
from .mongo_awaited import MemorySession, async_client

READING = frozenset(
    "find find_one count_documents estimated_document_count distinct aggregate update_one"
    " update_many replace_one delete_one delete_many find_one_and_update find_one_and_replace"
    " find_one_and_delete".split()
)
WRITING = frozenset("insert_one insert_many bulk_write create_index create_indexes drop".split())
MONGO_FOREIGN = (
    "session collation hint comment let maxTimeMS max_time_ms allow_disk_use allowDiskUse"
    " batch_size batchSize cursor_type read_preference".split()
)


class MongoWorld:
    """What the databases hold before anybody writes."""

    variants: dict[str, Any] = {}
    stores: dict[str, Any] = {}
    written: set[str] = set()
    inside = 0
    shadow: Any = None
    identifiers = 0

    @classmethod
    def begin_anew(cls) -> None:
        """Delete all documents. Indexes stay."""
        for store in cls.stores.values():
            for database in store._databases.values():
                for collection in database._collections.values():
                    collection._documents.clear()
        cls.written.clear()
        cls.identifiers = 0


restart_with(MongoWorld.begin_anew)


def answer_mongo(variants: dict[str, Any]) -> None:
    """Serve every client from memory, once the slice imports pymongo or motor.

    Args:
        variants: by name, the fields of a document that is found where nobody has written; `None`
            for databases that are empty.
    """
    MongoWorld.variants = variants
    on_import("pymongo", _patch_pymongo)
    on_import("motor.motor_asyncio", _patch_motor)
    on_import("gridfs", _patch_gridfs)


def _patch_pymongo(pymongo: Any) -> None:
    import sys

    import bson.objectid
    import mongomock
    import mongomock.collection
    import mongomock.command_cursor
    import mongomock.database

    memory = memory_client(mongomock)
    for name in ("pymongo", "pymongo.mongo_client", "pymongo.synchronous.mongo_client"):
        if name in sys.modules and hasattr(sys.modules[name], "MongoClient"):
            replace(sys.modules[name], "MongoClient", memory)
    for name in ("pymongo", "pymongo.asynchronous.mongo_client"):
        if name in sys.modules and hasattr(sys.modules[name], "AsyncMongoClient"):
            replace(sys.modules[name], "AsyncMongoClient", async_client(memory, awaits_cursor=True))
    collection = mongomock.collection.Collection
    for name in sorted(READING | WRITING):
        if hasattr(collection, name):
            replace(collection, name, _recorded(getattr(collection, name), name))
    replace(collection, "watch", lambda self, *_, **__: contextlib.nullcontext(iter(())))
    _check_as_pymongo(mongomock)
    database = mongomock.database.Database
    create = database.create_collection
    replace(database, "create_collection", lambda self, name, *_, **__: create(self, name))
    replace(database, "list_collection_names", _asked_names(database.list_collection_names))
    replace(database, "command", lambda self, *_, **__: reach(self.client) or {"ok": 1.0})
    for cursor in (mongomock.collection.Cursor, mongomock.command_cursor.CommandCursor):
        replace(cursor, "to_list", lambda self, length=None: list(self)[:length])
    builder = mongomock.collection.BulkOperationBuilder
    for name in ("add_insert", "add_update", "add_replace", "add_delete"):
        replace(builder, name, _with_known_options(getattr(builder, name)))
    replace(bson.objectid.ObjectId, "__init__", _numbered(bson.objectid.ObjectId.__init__))


def _check_as_pymongo(mongomock: Any) -> None:
    """Refuse what the real client refuses before it asks a server."""
    cursor = mongomock.collection.Cursor
    for name in ("limit", "skip"):
        replace(cursor, name, _with_number(getattr(cursor, name)))
    compute = cursor._compute_results

    def results(self: Any, *arguments: Any, **options: Any) -> Any:
        if not MongoWorld.inside:
            reach(self.collection.database.client)
        return compute(self, *arguments, **options)

    replace(cursor, "_compute_results", results)
    for owner in (mongomock.collection.Collection, mongomock.database.Database):
        replace(owner, "__bool__", _no_truth)


def _with_number(function: Any) -> Any:
    def call(self: Any, number: Any) -> Any:
        if not isinstance(number, int):
            raise TypeError(f"{function.__name__} must be an instance of int, not {type(number)}")
        return function(self, number)

    return call


def _no_truth(self: Any) -> bool:
    kind = type(self).__name__
    raise NotImplementedError(
        f"{kind} objects do not implement truth value testing or bool(). "
        "Please compare with None instead: it is not None"
    )


def reach(client: Any) -> None:
    """Raise what a case wants instead of a connection."""
    name = choices.get("database", "default")
    if chosen_name("database", name, *MongoWorld.variants, "connection") == "connection":
        from pymongo.errors import ServerSelectionTimeoutError

        server = getattr(client, "slice_func_name", "localhost:27017")
        raise ServerSelectionTimeoutError(f"{server}: [Errno 111] Connection refused")


def _check_call(collection: Any, name: str, arguments: Any, options: dict[str, Any]) -> None:
    """Have the real client look at a question: nothing is asked."""
    if name in ("find", "find_one"):
        shadow = MongoWorld.shadow[collection.database.name][collection.name]
        wanted = arguments[0] if arguments else None
        if name == "find_one" and wanted is not None and not isinstance(wanted, dict):
            arguments = ({"_id": wanted}, *arguments[1:])
        shadow.find(*arguments, **options)
    elif name == "bulk_write":
        requests = arguments[0] if arguments else options.get("requests", ())
        for request in requests:
            if not hasattr(request, "_add_to_bulk"):
                raise TypeError(f"{request!r} is not a valid request")
    elif name == "aggregate" and arguments and not isinstance(arguments[0], (list, tuple)):
        raise TypeError("pipeline must be a list")


def _numbered(prepare: Any) -> Any:
    def initialise(self: Any, oid: Any = None) -> None:
        """A new identifier is the next number: no clock, nothing random."""
        if oid is None:
            MongoWorld.identifiers += 1
            oid = bytes.fromhex(f"697ded00{0:010x}{MongoWorld.identifiers:06x}")
        prepare(self, oid)

    return initialise


def _with_known_options(function: Any) -> Any:
    """Without the options that pymongo has and mongomock has not."""
    import inspect

    known = inspect.signature(function).parameters

    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        return function(self, *arguments, **{k: v for k, v in options.items() if k in known})

    return call


def memory_client(mongomock: Any) -> Any:
    """The class of clients."""
    import pymongo.mongo_client
    from mongomock.store import ServerStore

    real = pymongo.mongo_client.MongoClient
    if MongoWorld.shadow is None:
        MongoWorld.shadow = real(connect=False)

    class RealBehind(type):
        """Whoever looks at the class sees what the real one has, as motor does."""

        def __getattr__(cls, name: str) -> Any:
            return getattr(real, name)

    class MongoClient(mongomock.MongoClient, metaclass=RealBehind):
        """A client of databases in memory."""

        def __init__(self, host: Any = None, port: Any = None, *rest: Any, **options: Any) -> None:
            first = host[0] if isinstance(host, (list, tuple)) and host else host
            address = str(first or "localhost").replace("mongodb+srv://", "mongodb://")
            shown = shown_address(address, port)
            store = MongoWorld.stores.setdefault(shown, ServerStore())
            kept = {k: v for k, v in options.items() if k in ("tz_aware", "document_class")}
            try:
                super().__init__(address, _port(port), _store=store, **kept)
            except (ValueError, TypeError, mongomock.InvalidURI):
                super().__init__("localhost", 27017, _store=store, **kept)
            self.slice_func_name = shown

        def __class_getitem__(cls, item: Any) -> Any:
            return cls

        def get_database(self, name: Any = None, *arguments: Any, **options: Any) -> Any:
            if name is not None:
                MongoWorld.shadow.get_database(name)  # it knows which names are valid
            return super().get_database(name, *arguments, **options)

        def __getitem__(self, name: Any) -> Any:
            return self.get_database(name)

        def server_info(self, *arguments: Any, **options: Any) -> Any:
            reach(self)
            return super().server_info(*arguments, **options)

        def list_database_names(self, *arguments: Any, **options: Any) -> Any:
            reach(self)
            return super().list_database_names(*arguments, **options)

        def get_default_database(self, default: Any = None, **options: Any) -> Any:
            try:
                return super().get_default_database(default)
            except mongomock.ConfigurationError:
                return self[default or "database"]

        def start_session(self, *arguments: Any, **options: Any) -> Any:
            return MemorySession(self)

    return MongoClient


def _recorded(function: Any, name: str) -> Any:
    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        asked = {key: value for key, value in options.items() if key != "session"}
        options = {key: value for key, value in options.items() if key not in MONGO_FOREIGN}
        if MongoWorld.inside:
            return function(self, *arguments, **options)
        _check_call(self, name, arguments, asked)
        if name != "find":
            reach(self.database.client)
        database = self.database
        server = getattr(database.client, "slice_func_name", "localhost:27017")
        target = f"mongodb://{server}/{database.name}"
        said = {key: plain_values(value) for key, value in options.items()}
        record("query", target, f"{self.name}.{name}", plain_values(arguments), **said)
        MongoWorld.inside += 1
        try:
            place = f"{target}.{self.name}"
            if name in WRITING or options.get("upsert"):
                MongoWorld.written.add(place)
            elif place not in MongoWorld.written:
                _invent(self, arguments[0] if arguments else options.get("filter"), name)
            return function(self, *arguments, **options)
        finally:
            MongoWorld.inside -= 1

    call.__name__ = name
    return call


class AskedNames(list):
    """Names of collections: one that is asked for is among them, as its documents are there."""

    place = ""

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name) or f"{self.place}.{name}" in MongoWorld.written:
            return super().__contains__(name)
        return chosen("database", MongoWorld.variants) is not None


def _asked_names(function: Any) -> Any:
    def list_collection_names(self: Any, *arguments: Any, **options: Any) -> Any:
        names = AskedNames(function(self, *arguments, **options))
        server = getattr(self.client, "slice_func_name", "localhost:27017")
        names.place = f"mongodb://{server}/{self.name}"
        return names

    return list_collection_names


def _invent(collection: Any, wanted: Any, name: str) -> None:
    """Where nobody has written, there is a document that answers the question."""
    fields = chosen("database", MongoWorld.variants)
    if fields is None:
        return
    if name == "distinct":
        wanted = {}
    if name == "aggregate":
        stages = wanted if isinstance(wanted, list) else []
        wanted = next((stage["$match"] for stage in stages if "$match" in stage), {})
    if collection.count_documents(wanted or {}):
        return
    from mongomock.filtering import filter_applies

    document = matching({**fields}, wanted or {})
    if not wanted or filter_applies(wanted, {"_id": 0, **document}):
        collection.insert_one(document)


def matching(document: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """A document with the fields that a filter asks for."""
    for key, value in dict(wanted).items():
        if key in ("$and", "$or", "$nor"):
            for part in (value if key == "$and" else value[:1]) if key != "$nor" else ():
                matching(document, part)
        elif not key.startswith("$"):
            inner = document
            *above, last = key.split(".")
            for part in above:
                inner = inner.setdefault(part, {})
            inner[last] = _satisfying(value, inner.get(last))
    return document


def _satisfying(value: Any, before: Any) -> Any:
    if not isinstance(value, dict) or not any(str(key).startswith("$") for key in value):
        return value
    for operator, operand in value.items():
        if operator in ("$eq", "$gte", "$lte", "$all"):
            return operand
        if operator == "$in":
            return operand[0] if operand else before
        if operator in ("$gt", "$lt") and isinstance(operand, (int, float)):
            return operand + (1 if operator == "$gt" else -1)
        if operator in ("$gt", "$lt"):
            import datetime

            step = datetime.timedelta(days=1 if operator == "$gt" else -1)
            return operand + step if isinstance(operand, datetime.datetime) else operand
        if operator == "$exists":
            return before if before is not None else 1
    return before


def shown_address(address: str, port: Any) -> str:
    """Host and port without user and password."""
    host = address.partition("://")[2] or address
    host = host.partition("/")[0].rpartition("@")[2].partition(",")[0]
    return host if ":" in host else f"{host}:{port or 27017}"


def _port(port: Any) -> int:
    return int(port) if str(port or "").isdigit() else 27017


def _patch_motor(motor: Any) -> None:
    import mongomock

    replace(
        motor, "AsyncIOMotorClient", async_client(memory_client(mongomock), awaits_cursor=False)
    )


def _patch_gridfs(gridfs: Any) -> None:
    from mongomock.gridfs import enable_gridfs_integration

    enable_gridfs_integration()
