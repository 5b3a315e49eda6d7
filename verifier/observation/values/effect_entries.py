"""What an entry of the effect log says: where it went, and whether it left a change there.

An entry is a tuple `(kind, target, …)`; a query that goes to a database has its statement,
command or method third.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..observation import Node, Observation, Value
from ..short_text import resolve

_ADDRESS = re.compile(r"\w[\w+.-]*://[^/\s]*")
_APART = frozenset({"sleep", "warning"})
"""Kinds that keep no order with others on the machine."""
_TO_PLACES = frozenset({"request", "query", "message", "connect"})
"""Kinds that go to some place on a network; all others stay on the one machine."""
_OPENED = ("connect", ":memory:")
"""The effect of opening a database in memory."""
_COMMAND = re.compile(r"[\s(]*(?:\w+\.)*(\w+)")
_READING = frozenset(
    "select show describe desc explain values begin rollback "
    "get mget hget hgetall hmget hkeys hvals hlen hexists exists keys scan ttl pttl type strlen "
    "lrange llen lindex smembers scard sismember zrange zscore zcard zrank ping info dbsize "
    "find find_one count_documents estimated_document_count distinct "
    "list_collection_names index_information".split()
)
"""Statements of SQL, commands of Redis and methods of MongoDB that leave all as it is."""
_CLOUDS = ("aws ", "azure ", "firebase ", "google ")
"""Of these the target names the operation."""
_STATEMENTS_OF_A_CLOUD = "google bigquery"
_TAKING = ("receive", "pull", "ReceiveMessage")
"""Queries of queues, which take out what they read."""


def without_private_databases(
    effects: Iterable[tuple[int, Value]], observation: Observation
) -> list[tuple[int, Value]]:
    """Effects without what goes to a database in memory that the call itself has opened.

    It is gone with the call, and what was found in it shows in what the call gives; not so where
    the call leaves something behind, which may be the connection.
    """
    found = list(effects)
    if observation.globals or observation.arguments:
        return found
    texts = [_texts(each, observation)[:2] for _, each in found]
    first = texts.index(_OPENED) if _OPENED in texts else len(texts)
    return [each for at, each in enumerate(found) if at < first or texts[at][1] != _OPENED[1]]


def by_destination(
    effects: Iterable[Value], observation: Observation
) -> dict[str, list[tuple[int, Value]]]:
    """Destination → its effects in order, each with its place in the whole log.

    What a database only answers is left out, however it was asked: the answer shows.
    """
    found: dict[str, list[tuple[int, Value]]] = {}
    for position, effect in without_private_databases(enumerate(effects), observation):
        if _is_looked_up(effect, observation):
            continue
        found.setdefault(_destination(effect, observation), []).append((position, effect))
    return found


def changes_something(effect: Value, observation: Observation) -> bool:
    """Whether it is more than a look at what is there; so it is where that is not known."""
    kind, target, statement = _texts(effect, observation)
    if kind != "query":
        return kind not in ("read", "connect")
    if target.startswith(_CLOUDS) and target != _STATEMENTS_OF_A_CLOUD:
        return target.endswith(_TAKING)
    found = _COMMAND.match(statement)
    return found is None or found[1].lower() not in _READING


def _is_looked_up(effect: Value, observation: Observation) -> bool:
    """Whether it asks a database that answers by what it holds, as clouds need not."""
    kind, target, _ = _texts(effect, observation)
    is_of_cloud = target.startswith(_CLOUDS)
    return kind == "query" and not is_of_cloud and not changes_something(effect, observation)


def _destination(effect: Value, observation: Observation) -> str:
    """What keeps effects in order: a host, a database, a service, a chat; else the machine."""
    kind, target, _ = _texts(effect, observation)
    if kind not in _TO_PLACES:
        return kind if kind in _APART else ""
    found = _ADDRESS.search(target)
    return found[0] if found else target.partition(".")[0]


def _texts(effect: Value, observation: Observation) -> tuple[str, str, str]:
    """Its kind, target and statement; empty where it has none."""
    effect = resolve(effect, observation)
    values = effect.group("items").values if isinstance(effect, Node) else ()
    texts = [each if isinstance(each, str) else "" for each in (*values[:3], "", "", "")]
    return texts[0], texts[1], texts[2]
