"""Redis: the client stays real, its connections lead to `fakeredis`."""

from __future__ import annotations

import ast

from ....answers.services.sql_facts import touched, trees
from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....shapes.answer_shape import variants_at

_CLIENTS = ("redis.Redis()", "redis.StrictRedis()", "redis.from_url()", "redis.asyncio.Redis()")
_READS = frozenset("get hget lpop rpop getdel getex".split())
_PARSERS = frozenset("loads int float decode split json".split())


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of redis-py."""
    return touched(border, "redis")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address is a server in memory, empty unless the slice cannot do with nothing."""
    del contacts
    places = [f"{client}.{name}()" for client in _CLIENTS for name in sorted(_READS)]
    text = str(variants_at(border, *places, kind="text")[0].value or "1")
    variants = {"default": text if _needs_values(border) else None, "found": text, "empty": None}
    return Mock(
        treated=(Treated("redis", "faked", "fakeredis answers below its connection pool"),),
        setup=f"answer_redis({variants!r})\n",
        pieces=("redis_memory",),
        requirements=("fakeredis[lua]>=2.26",),
    )


def _needs_values(border: Border) -> bool:
    """Whether what is read is used at once, as in `json.loads(r.get(key))`."""
    return any(_uses_at_once(node) for tree in trees(border) for node in ast.walk(tree))


def _uses_at_once(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=inner, attr=name) if name in _PARSERS:
            return _is_read(inner)
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[inner, *_]):
            return name in _PARSERS and _is_read(inner)
        case _:
            return False


def _is_read(node: ast.AST) -> bool:
    if isinstance(node, ast.Await):
        node = node.value
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _READS:
            said = ast.unparse(owner).lower()
            return any(word in said for word in ("redis", "cache", "client", "conn")) or (
                said.rpartition(".")[2] in ("r", "rd", "db", "kv")
            )
        case _:
            return False


EXAMPLES = (
    Example(
        title="a cache before something slow",
        source="""\
import json
import redis

pool = redis.ConnectionPool(host="cache.internal", port=6380, db=2, decode_responses=True)
r = redis.Redis(connection_pool=pool)


def squares(limit):
    key = f"squares:{limit}"
    cached = r.get(key)
    if cached is not None:
        return "cached", json.loads(cached)
    value = [n * n for n in range(limit)]
    r.setex(key, 60, json.dumps(value))
    return "made", value
""",
        target="squares",
        call="[squares(3), squares(3), r.ttl('squares:3') > 50]",
        gives="[('made', [0, 1, 4]), ('cached', [0, 1, 4]), True]",
        effects=("query redis://cache.internal:6380/2",) * 4,
    ),
    Example(
        title="a client in `__init__`, hashes and lists, a pipeline",
        source="""\
import redis
from redis.exceptions import RedisError


class Jobs:
    def __init__(self, url):
        self.redis = redis.from_url(url, decode_responses=True)

    def add(self, name, **fields):
        try:
            with self.redis.pipeline(transaction=True) as pipe:
                pipe.hset(f"job:{name}", mapping=fields)
                pipe.rpush("queue", name)
                pipe.llen("queue")
                *_, length = pipe.execute()
            self.redis.incr("queue")
        except RedisError as error:
            return type(error).__name__, length, self.redis.hgetall(f"job:{name}")
""",
        target="Jobs.add",
        call="Jobs('redis://:secret@queue:6379/0').add('a', size=3)",
        gives="('ResponseError', 1, {'size': '3'})",
        effects=("query redis://queue:6379/0",) * 7,
    ),
    Example(
        title="a value that must be there",
        source="""\
import redis

client = redis.StrictRedis()


def next_number():
    last = int(client.get("last"))
    client.set("last", last + 1)
    return last, client.get("last")
""",
        target="next_number",
        call="next_number()",
        gives="(1, b'2')",
        effects=("query redis://localhost:6379/0",) * 3,
    ),
    Example(
        title="redis with await, and a lock",
        source="""\
import redis.asyncio as redis


async def once(key):
    client = redis.Redis.from_url("redis://localhost")
    try:
        async with client.lock("lock:" + key, timeout=5):
            first = await client.set(key, "1", nx=True)
            second = await client.set(key, "1", nx=True)
            members = await client.sadd("seen", key)
        return first, second, members, await client.exists("lock:" + key)
    finally:
        await client.aclose()
""",
        target="once",
        call="await once('k')",
        gives="(True, None, 1, 0)",
        effects=("query redis://localhost:6379/0",) * 8,
    ),
    Example(
        title="a subclass, a message that is published and heard",
        source="""\
import redis


class Bus(redis.Redis):
    def say(self, channel, text):
        listener = self.pubsub(ignore_subscribe_messages=True)
        listener.subscribe(channel)
        heard = self.publish(channel, text)
        listener.get_message()
        message = listener.get_message()
        return heard, message["data"], isinstance(self, redis.Redis)
""",
        target="Bus.say",
        call="Bus(host='bus', ssl=True, ssl_cert_reqs=None).say('news', 'hi')",
        gives="(1, b'hi', True)",
        effects=("query redis://bus:6379/0",) * 2,
    ),
)

FAMILY = Family("redis", applies, stub, EXAMPLES)
