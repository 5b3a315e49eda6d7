"""Calls that a stand-in has recorded, with arguments by position or by keyword alike.

A stand-in that takes `*args` and `**named` cannot know what a parameter is called. What one call
names and the other one does not must be what that gives by position. Nor can it know defaults: to
name an argument and give it `None`, which most defaults are, is as good as to leave it out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..observation import Group, Node, Value
from .compare_unordered import Unmatched
from .value_paths import AT, Path

_CALLS = "calls"
"""The attribute in which stand-ins note what was asked of them."""


def are_recorded_calls(path: Path, *nodes: Node) -> bool:
    """Whether there are entries of a stand-in's record: a name, arguments, and keywords."""
    parent = path.parent
    is_entry = path.form == AT and parent is not None and parent[1:] == (".{}", _CALLS)
    return is_entry and all(isinstance(_keywords(node), Node) for node in nodes)


def placed(
    expected: Node, observed: Node, agree: Callable[[Value, Value], bool]
) -> tuple[Node, Node]:
    """Both with as many positional arguments as that call which has more of them.

    They stay as they are where what is named instead does not agree.
    """
    if len(_items(expected)) > len(_items(observed)):
        observed = _with_places(observed, expected, agree)
    elif len(_items(expected)) < len(_items(observed)):
        expected = _with_places(expected, observed, lambda old, new: agree(new, old))
    return _without_none(expected, observed), _without_none(observed, expected)


def _without_none(node: Node, other: Node) -> Node:
    """A call without the arguments that it alone names, and for which it gives `None`."""
    keywords, theirs = _keywords(node), _keywords(other)
    if keywords is None or theirs is None:
        return node
    entries = keywords.group("items")
    pairs = list(zip(entries.keys, entries.values, strict=True))
    kept = [(k, v) for k, v in pairs if v is not None or k in theirs.group("items").keys]
    if len(kept) == len(pairs):
        return node
    return _with_keywords(node, _items(node)[:-1], keywords, dict(kept))


def _with_keywords(
    node: Node, items: Sequence[Value], keywords: Node, named: Mapping[Value, Value]
) -> Node:
    """The call with other arguments."""
    entries = keywords.group("items")._replace(keys=tuple(named), values=tuple(named.values()))
    whole = (*items, keywords._replace(groups=(entries,)))
    return node._replace(groups=(Group("items", "nodes", (), whole),))


def _with_places(node: Node, other: Node, agree: Callable[[Value, Value], bool]) -> Node:
    """A call with the arguments that it alone names in the places that the other gives them."""
    keywords, theirs = _keywords(node), _keywords(other)
    if keywords is None or theirs is None:
        return node
    entries, items = keywords.group("items"), _items(node)
    named = dict(zip(entries.keys, entries.values, strict=True))
    alone = [name for name in named if name not in theirs.group("items").keys]
    wanted = _items(other)[len(items) - 1 : -1]
    rest = Unmatched([named[name] for name in alone], agree)
    found = [place for each in wanted if (place := rest.partner(each)) is not None]
    if not len(alone) == len(wanted) == len(found):
        return node
    given = [named.pop(alone[place]) for place in found]
    return _with_keywords(node, (*items[:-1], *given), keywords, named)


def _items(node: Node) -> tuple[Value, ...]:
    return node.group("items").values


def _keywords(node: Node) -> Node | None:
    """The keywords of a recorded call, which stand at its end; `None` of anything else."""
    items = _items(node)
    if node.kind != "tuple" or len(items) < 2 or not isinstance(items[0], str):
        return None
    last = items[-1]
    return last if isinstance(last, Node) and last.kind == "dict" and last.groups else None
