"""Recorded calls without queries.

Which queries a function makes, how often and in which order, is an implementation detail: the
answers show in what it does, as for look-ups in the outside world. A query that the original makes
as well must have the same arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..observation import Node, Observation, Value
from ..short_text import resolve
from .value_paths import Path

_CALLS = "calls"
_QUESTION = re.compile(
    r"(?:get|is|has|have|can|should|will|find|lookup|look_up|list|count|exists|contains|keys|values"
    r"|items|search|filter|describe|resolve|index|size|len|length|to|as|format|startswith|endswith"
    r"|match|lower|upper|strip|split|join|supports|needs|isoformat|strftime)(?![a-z])"
)
"""Prefixes of methods that tell something and change nothing."""
_TAKING = "get"
"""A method that without arguments may take the next item from a queue."""

_Agree = Callable[[Value, Value], bool]


def is_record(path: Path) -> bool:
    """Whether a path leads to a stand-in's record."""
    return path[1:] == (".{}", _CALLS)


def has_only_queries(value: Value, observation: Observation) -> bool:
    """Whether a value is a stand-in that recorded only queries."""
    found = resolve(value, observation)
    state = found.group("state") if isinstance(found, Node) else None
    if state is None or state.keys != (_CALLS,):
        return False
    record = resolve(state.values[0], observation)
    return isinstance(record, Node) and record.kind == "list" and not _parted(record)[1]


def without_questions(expected: Node, observed: Node, agree: _Agree) -> tuple[Node, Node]:
    """Return two records without queries, except those that the original makes otherwise."""
    expected_parts, others = _parted(expected), _parted(observed)
    if not (expected_parts[0] or others[0]):
        return expected, observed
    left, right = list(expected_parts[1]), list(others[1])
    for question in others[0]:
        same_name = [each for each in expected_parts[0] if _name(each) == _name(question)]
        if same_name and not any(agree(each, question) for each in same_name):
            left.append(same_name[0])
            right.append(question)
    return _with(expected, left), _with(observed, right)


def _parted(record: Node) -> tuple[list[Value], list[Value]]:
    """Return the queries in a record, and the other calls."""
    entries = record.group("items").values
    questions = [each for each in entries if _is_question(each)]
    kept = {id(each) for each in questions}
    return questions, [each for each in entries if id(each) not in kept]


def _is_question(entry: Value) -> bool:
    name = _name(entry)
    if not _QUESTION.match(name):
        return False
    assert isinstance(entry, Node)
    given = entry.group("items").values[1:]
    return name != _TAKING or len(given) > 1


def _name(entry: Value) -> str:
    items = entry.group("items").values if isinstance(entry, Node) else ()
    return items[0] if items and isinstance(items[0], str) else ""


def _with(record: Node, entries: Sequence[Value]) -> Node:
    groups = (
        each._replace(values=tuple(entries)) if each.name == "items" else each
        for each in record.groups
    )
    return record._replace(groups=tuple(groups))
