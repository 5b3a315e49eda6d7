"""Redis: the client stays real, its connections lead to `fakeredis`."""

from __future__ import annotations

import ast

from ....answers.services.sql_facts import trees
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....shapes.answer_shape import variants_at

_CLIENTS = ("redis.Redis()", "redis.StrictRedis()", "redis.from_url()", "redis.asyncio.Redis()")
_READS = frozenset("get hget lpop rpop getdel getex".split())
_PARSERS = frozenset("loads int float decode split json".split())


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address is a server in memory, empty unless the slice requires values."""
    del contacts
    places = [f"{client}.{name}()" for client in _CLIENTS for name in sorted(_READS)]
    text = str(variants_at(border, *places, kind="text")[0].value or "1")
    variants = {"default": text if _needs_values(border) else None, "found": text, "empty": None}
    return Mock(
        treated=(ModuleTreatment("redis", "faked", "fakeredis answers below its connection pool"),),
        setup=f"answer_redis({variants!r})\n",
        pieces=("redis_memory",),
        requirements=("fakeredis[lua]>=2.26",),
    )


def _needs_values(border: Border) -> bool:
    """Whether a value that is read is used at once, as in `json.loads(r.get(key))`."""
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
            receiver = ast.unparse(owner).lower()
            return any(word in receiver for word in ("redis", "cache", "client", "conn")) or (
                receiver.rpartition(".")[2] in ("r", "rd", "db", "kv")
            )
        case _:
            return False


FAMILY = Family("redis", stub)
