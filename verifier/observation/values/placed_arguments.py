"""Recorded calls with positional and keyword arguments treated alike.

A stand-in with `*args` and `**named` does not know parameter names. A keyword that only one call
has must correspond to a positional argument of the other. Nor does it know defaults: a keyword with
`None`, the usual default, counts as left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..observation import Group, Node, Value
from .unordered_partners import Unmatched
from .value_paths import AT, Path

_CALLS = "calls"
"""The attribute in which stand-ins record calls."""


def are_recorded_calls(path: Path, *nodes: Node) -> bool:
    """Whether nodes are entries of a stand-in's record: a name, arguments, and keywords."""
    parent = path.parent
    is_entry = path.form == AT and parent is not None and parent[1:] == (".{}", _CALLS)
    return is_entry and all(isinstance(_keywords(node), Node) for node in nodes)


def placed(
    expected: Node, observed: Node, agree: Callable[[Value, Value], bool]
) -> tuple[Node, Node]:
    """Return both calls with as many positional arguments as the one with more of them.

    They stay unchanged where the keywords do not agree.
    """
    if len(_items(expected)) > len(_items(observed)):
        observed = _with_places(observed, expected, agree)
    elif len(_items(expected)) < len(_items(observed)):
        expected = _with_places(expected, observed, lambda old, new: agree(new, old))
    return _without_none(expected, observed), _without_none(observed, expected)


def _without_none(node: Node, other: Node) -> Node:
    """Return a call without the keywords that it alone has and whose value is `None`."""
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
    """Return the call with other arguments."""
    entries = keywords.group("items")._replace(keys=tuple(named), values=tuple(named.values()))
    whole = (*items, keywords._replace(groups=(entries,)))
    return node._replace(groups=(Group("items", "nodes", (), whole),))


def _with_places(node: Node, other: Node, agree: Callable[[Value, Value], bool]) -> Node:
    """Return a call with its own keywords moved to the positions that the other call uses."""
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
    """Return the keywords of a recorded call, its last item; `None` for anything else."""
    items = _items(node)
    if node.kind != "tuple" or len(items) < 2 or not isinstance(items[0], str):
        return None
    last = items[-1]
    return last if isinstance(last, Node) and last.kind == "dict" and last.groups else None
