"""Entries of the effect log: where an effect went, and whether it changed something there.

An entry is a tuple `(kind, target, …)`; a database query has its statement, command or method in
third place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..observation import Node, Observation, Value
from ..short_text import resolve

_ADDRESS = re.compile(r"\w[\w+.-]*://[^/\s]*")
_UNORDERED = frozenset({"sleep", "warning"})
"""Kinds without an order relative to other effects on the machine."""
_TO_PLACES = frozenset({"request", "query", "message", "connect"})
"""Kinds that go to a place on a network; all others stay on the machine."""
_OPENED = ("connect", ":memory:")
"""The effect of opening an in-memory database."""
_COMMAND = re.compile(r"[\s(]*(?:\w+\.)*(\w+)")
_READING = frozenset(
    "select show describe desc explain values begin rollback "
    "get mget hget hgetall hmget hkeys hvals hlen hexists exists keys scan ttl pttl type strlen "
    "lrange llen lindex smembers scard sismember zrange zscore zcard zrank ping info dbsize "
    "find find_one count_documents estimated_document_count distinct "
    "list_collection_names index_information".split()
)
"""SQL statements, Redis commands and MongoDB methods that change nothing."""
_CLOUDS = ("aws ", "azure ", "firebase ", "google ")
"""Prefixes of targets that name the operation."""
_STATEMENTS_OF_A_CLOUD = "google bigquery"
_TAKING = ("receive", "pull", "ReceiveMessage")
"""Queue queries, which consume what they read."""


def without_private_databases(
    effects: Iterable[tuple[int, Value]], observation: Observation
) -> list[tuple[int, Value]]:
    """Return the effects without those on an in-memory database that the call itself opened.

    The database is gone after the call, and what was found in it shows in the result. Effects stay
    if the call leaves something behind, which may be the connection.
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
    """Map each destination to its effects in order, with their positions in the log.

    Mere database look-ups are left out: their answers show.
    """
    found: dict[str, list[tuple[int, Value]]] = {}
    for position, effect in without_private_databases(enumerate(effects), observation):
        if _is_looked_up(effect, observation):
            continue
        found.setdefault(_destination(effect, observation), []).append((position, effect))
    return found


def changes_something(effect: Value, observation: Observation) -> bool:
    """Whether an effect changes something; unknown ones do."""
    kind, target, statement = _texts(effect, observation)
    if kind != "query":
        return kind not in ("read", "connect")
    if target.startswith(_CLOUDS) and target != _STATEMENTS_OF_A_CLOUD:
        return target.endswith(_TAKING)
    found = _COMMAND.match(statement)
    return found is None or found[1].lower() not in _READING


def _is_looked_up(effect: Value, observation: Observation) -> bool:
    """Whether an effect queries a database that answers from its contents, as clouds need not."""
    kind, target, _ = _texts(effect, observation)
    is_of_cloud = target.startswith(_CLOUDS)
    return kind == "query" and not is_of_cloud and not changes_something(effect, observation)


def _destination(effect: Value, observation: Observation) -> str:
    """Return what keeps effects in order: a host, database, service or chat, else the machine."""
    kind, target, _ = _texts(effect, observation)
    if kind not in _TO_PLACES:
        return kind if kind in _UNORDERED else ""
    found = _ADDRESS.search(target)
    return found[0] if found else target.partition(".")[0]


def _texts(effect: Value, observation: Observation) -> tuple[str, str, str]:
    """Return kind, target and statement of an effect; empty where missing."""
    effect = resolve(effect, observation)
    values = effect.group("items").values if isinstance(effect, Node) else ()
    texts = [each if isinstance(each, str) else "" for each in (*values[:3], "", "", "")]
    return texts[0], texts[1], texts[2]
