"""Programs for Redis, each with a function `main(address)`."""

PROGRAMS = {
    "strings": """\
import redis


def main(url):
    r = redis.from_url(url, decode_responses=True)
    log = [r.get("no"), r.set("a", 1), r.incr("a", 4), r.append("a", "0"), r.get("a")]
    log += [r.setnx("a", 2), r.set("b", "x", nx=True, ex=100), r.set("b", "y", nx=True)]
    log += [r.ttl("b"), r.ttl("a"), r.expire("a", 50), r.persist("a"), r.getset("b", "z")]
    log += [r.mset({"c": "1", "d": "2"}), r.mget("c", "no", "d"), r.delete("c", "d"), r.exists("c", "a")]
    log += [r.type("a"), r.strlen("b"), sorted(r.keys("*")), sorted(r.scan_iter("[ab]"))]
    return log
""",
    "hashes": """\
import redis


class Users:
    def __init__(self, url):
        self.redis = redis.Redis.from_url(url)

    def save(self, number, **fields):
        key = f"user:{number}"
        new = self.redis.hset(key, mapping=fields)
        self.redis.hincrby(key, "visits", 2)
        return new, self.redis.hgetall(key), self.redis.hget(key, "no"), self.redis.hlen(key)


def main(url):
    users = Users(url)
    log = [users.save(1, name="ann", age=3), users.save(1, name="eve"), users.save(2, x=b"\\x61")]
    log += [users.redis.hmget("user:1", "name", "no"), users.redis.hdel("user:1", "age", "no")]
    log += [users.redis.hexists("user:1", "age"), sorted(users.redis.hkeys("user:1"))]
    return log
""",
    "lists_and_sets": """\
import redis


def main(url):
    r = redis.Redis.from_url(url, decode_responses=True)
    log = [r.rpush("q", "a", "b", "c"), r.lpush("q", "z"), r.lrange("q", 0, -1), r.lpop("q")]
    log += [r.llen("q"), r.ltrim("q", 0, 1), r.lindex("q", -1), r.lrem("q", 0, "a"), r.blpop(["q"], 1)]
    log += [r.rpop("q"), r.blpop(["q"], timeout=1)]
    log += [r.sadd("s", "x", "y", "x"), r.sismember("s", "x"), sorted(r.smembers("s")), r.scard("s")]
    log += [r.zadd("z", {"a": 1, "b": 2.5}), r.zincrby("z", 3, "a"), r.zrange("z", 0, -1, withscores=True)]
    log += [r.zrevrank("z", "a"), r.zrangebyscore("z", 2, 3), r.zscore("z", "no"), r.zcard("z")]
    return log
""",
    "transactions": """\
import redis


def main(url):
    r = redis.Redis.from_url(url, decode_responses=True)
    r.set("stock", 2)
    log = []
    for _ in range(3):
        with r.pipeline() as pipe:
            pipe.watch("stock")
            left = int(pipe.get("stock"))
            if left == 0:
                pipe.unwatch()
                log.append("sold out")
                continue
            pipe.multi()
            pipe.decr("stock")
            pipe.rpush("sold", left)
            log.append(pipe.execute())
    plain = r.pipeline(transaction=False).get("stock").lrange("sold", 0, -1).execute()
    return log, plain
""",
    "conflict": """\
import redis


def main(url):
    r = redis.Redis.from_url(url, decode_responses=True)
    with r.pipeline() as pipe:
        pipe.watch("stock")
        r.set("stock", 1)
        pipe.multi()
        pipe.decr("stock")
        try:
            return pipe.execute()
        except redis.WatchError as error:
            return type(error).__name__, r.get("stock")
""",
    "failures": """\
import redis
from redis.exceptions import ResponseError


def main(url):
    r = redis.Redis.from_url(url)
    r.rpush("l", 1)
    log = []
    for call in (lambda: r.incr("l"), lambda: r.get("l"), lambda: r.hset("l", "a", 1)):
        try:
            log.append(call())
        except ResponseError as error:
            log.append(str(error))
    r.set("text", "abc")
    try:
        r.incr("text")
    except ResponseError as error:
        log.append(str(error))
    pipe = r.pipeline()
    pipe.set("a", 1).incr("l").get("a")
    log.append([type(each).__name__ for each in pipe.execute(raise_on_error=False)])
    return log
""",
    "scripts": """\
import redis


def main(url):
    r = redis.Redis.from_url(url, decode_responses=True)
    take = r.register_script(
        "local n = tonumber(redis.call('get', KEYS[1]) or '0')\\n"
        "if n < tonumber(ARGV[1]) then return redis.call('incr', KEYS[1]) else return -1 end"
    )
    return [take(keys=["n"], args=[2]) for _ in range(3)], r.get("n"), r.eval("return {1, 'a'}", 0)
""",
    "with_await": """\
import redis.asyncio as redis


async def main(url):
    r = redis.from_url(url, decode_responses=True)
    async with r.pipeline(transaction=True) as pipe:
        first = await pipe.set("k", "v").incr("n").expire("n", 30).execute()
    log = [first, await r.get("k"), await r.ttl("n") > 20]
    log += [await r.setex("t", 10, "x"), [key async for key in r.scan_iter("t*")]]
    await r.aclose()
    return log
""",
}
# a server tells of what it has done, and not of what was queued in vain
VALUES_ONLY = {"conflict"}
