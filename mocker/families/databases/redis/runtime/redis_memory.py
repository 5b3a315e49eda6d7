"""Redis in memory, by fakeredis: below the connection pools of the real client."""

from __future__ import annotations

import types
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.plain_data import plain_values
from .....world.core.world import chosen, record, replace, restart_with

# what a client says of itself when it connects
GREETINGS = frozenset("HELLO AUTH CLIENT SELECT READONLY".split())


class RedisWorld:
    """The servers, and what they hold before anybody writes."""

    variants: dict[str, Any] = {}
    servers: dict[str, Any] = {}
    classes: dict[bool, Any] = {}

    @classmethod
    def begin_anew(cls) -> None:
        """Delete all keys of all servers."""
        for server in cls.servers.values():
            with server.lock:
                for database in server.dbs.values():
                    database.clear()


restart_with(RedisWorld.begin_anew)


def answer_redis(variants: dict[str, Any]) -> None:
    """Serve every connection from memory, once the slice imports redis.

    Args:
        variants: by name, the text that is found under keys nobody has written; `None` for nothing.
    """
    RedisWorld.variants = variants
    on_import("redis", _patch_redis)


def _patch_redis(redis: Any) -> None:
    import redis.asyncio.connection
    import redis.asyncio.lock
    import redis.connection
    import redis.lock

    for module, is_async in ((redis.connection, False), (redis.asyncio.connection, True)):
        for name in ("ConnectionPool", "BlockingConnectionPool"):
            pool = getattr(module, name)
            if "__init__" in vars(pool):
                replace(pool, "__init__", _pooled(pool.__init__, is_async))
    tokens = (types.SimpleNamespace(hex=f"{number:032x}") for number in range(1, 1 << 40))
    for module in (redis.lock, redis.asyncio.lock):
        replace(module, "uuid", types.SimpleNamespace(uuid1=lambda: next(tokens)))
    if hasattr(redis, "RedisCluster"):
        replace(redis, "RedisCluster", _cluster(redis.Redis))


def _pooled(prepare: Any, is_async: bool) -> Any:
    def initialise(self: Any, *arguments: Any, **options: Any) -> None:
        if "server" in options:  # fakeredis itself
            prepare(self, *arguments, **options)
            return
        arguments = arguments[1:]
        options = {key: value for key, value in options.items() if not key.startswith("ssl")}
        options["connection_class"] = memory_connection(is_async)
        prepare(self, *arguments, **options)

    return initialise


def _cluster(plain: Any) -> Any:
    class RedisCluster(plain):
        """One server in memory in place of many."""

        def __init__(self, host: Any = None, port: int = 6379, **options: Any) -> None:
            nodes = options.pop("startup_nodes", None)
            first = nodes[0] if nodes else None
            host = host or getattr(first, "host", None) or "localhost"
            known = ("decode_responses", "password", "username")
            super().__init__(host, port, **{k: v for k, v in options.items() if k in known})

    return RedisCluster


def memory_connection(is_async: bool) -> Any:
    """The class of connections."""
    if is_async in RedisWorld.classes:
        return RedisWorld.classes[is_async]
    import fakeredis
    from fakeredis import FakeServer

    if is_async:
        from fakeredis.aioredis import FakeAsyncRedisConnection

        base: Any = FakeAsyncRedisConnection
    else:
        from fakeredis import FakeRedisConnection

        base = FakeRedisConnection

    class MemoryConnection(base):
        """A connection to a server in memory; records what is said over it."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            host, port = options.get("host") or "localhost", options.get("port") or 6379
            place = options.pop("path", None) or f"{host}:{port}"
            if place not in RedisWorld.servers:
                RedisWorld.servers[place] = FakeServer(version=(7, 0))
            self.slice_func_name = f"redis://{place}/{options.get('db') or 0}"
            self.slice_func_server = RedisWorld.servers[place]
            options["db"] = int(options.get("db") or 0)
            super().__init__(*arguments, server=self.slice_func_server, **options)

        def pack_commands(self, commands: Any) -> Any:
            said = list(commands)
            for command in said:
                self._note(command)
            return super().pack_commands(said)

        def _note(self, command: Any) -> None:
            name, *rest = command
            words = [*str(name).upper().split(), *(_redis_said(value) for value in rest)]
            if words[0] in GREETINGS:
                return
            record("query", self.slice_func_name, words[0], words[1:])
            text = chosen("database", RedisWorld.variants)
            if text is not None and len(words) > 1:
                client = fakeredis.FakeRedis(server=self.slice_func_server, db=self.db)
                _fill(client, words, text)

    if is_async:

        async def send_command(self: Any, *arguments: Any, **options: Any) -> None:
            self._note(arguments)
            await base.send_command(self, *arguments, **options)

    else:

        def send_command(self: Any, *arguments: Any, **options: Any) -> None:
            self._note(arguments)
            base.send_command(self, *arguments, **options)

    MemoryConnection.send_command = send_command
    RedisWorld.classes[is_async] = MemoryConnection
    return MemoryConnection


def _redis_said(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray, memoryview)):
        try:
            return bytes(value).decode()
        except ValueError:
            return bytes(value)
    return value if isinstance(value, str) else str(plain_values(value))


def _fill(client: Any, words: list[Any], text: str) -> None:
    """Put something under a key that is read and that nobody has written."""
    command, key = words[0], words[1]
    if command in ("GET", "GETEX", "GETDEL", "EXISTS", "STRLEN", "TTL", "MGET"):
        for name in words[1:] if command == "MGET" else [key]:
            client.set(name, text, nx=True)
    elif command in ("HGET", "HEXISTS") and not client.exists(key):
        client.hset(key, words[2], text)
    elif command == "HMGET" and not client.exists(key):
        client.hset(key, mapping=dict.fromkeys(words[2:], text))
    elif command in ("HGETALL", "HKEYS", "HVALS") and not client.exists(key):
        client.hset(key, "field", text)
    elif command in ("LRANGE", "LPOP", "RPOP", "LLEN", "LINDEX", "BLPOP", "BRPOP"):
        if not client.exists(key):
            client.rpush(key, text)
    elif command in ("SMEMBERS", "SPOP", "SCARD", "SRANDMEMBER") and not client.exists(key):
        client.sadd(key, text)
    elif command == "SISMEMBER" and not client.exists(key):
        client.sadd(key, words[2])
    elif command in ("ZRANGE", "ZREVRANGE", "ZCARD", "ZRANGEBYSCORE") and not client.exists(key):
        client.zadd(key, {text: 1})
    elif command in ("ZSCORE", "ZRANK", "ZREVRANK") and not client.exists(key):
        client.zadd(key, {words[2]: 1})
