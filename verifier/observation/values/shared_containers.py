"""One container in two places of an object, where the original has two.

`[[0] * 3] * 3`, `dict.fromkeys(names, [])` and one default for several attributes look right until
the first change, which then shows everywhere. The reverse is allowed: copying where the original
shares is careful, and rarely wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..observation import Group, Node, Observation, Value
from ..short_text import resolve

_CONTAINERS = frozenset({"list", "set", "dict", "ordered_dict"})


def newly_shared(
    left: Node, right: Node, expected: Observation, observed: Observation
) -> tuple[str, str] | None:
    """Return two places of an observed object that share a container, unlike in the expected one.

    Args:
        left: the expected object.
        right: the observed object.
        expected: the observation with the expected object.
        observed: the observation with the observed object.
    """
    for old, new in zip(left.groups, right.groups, strict=False):
        before = dict[str, Node]()
        first = dict[int, str]()
        for place, value in _containers(new, observed):
            known = first.setdefault(id(value), place)
            if known == place:
                continue
            before = before or dict(_containers(old, expected))
            if known in before and place in before and before[known] is not before[place]:
                return known, place
    return None


def _containers(group: Group, owner: Observation) -> Iterator[tuple[str, Node]]:
    """Yield the containers that a group holds, each with its place.

    Values of a dictionary count only while empty: these are there to be filled, while a full one
    may well be given twice.
    """
    for place, value in zip(_places(group), group.values, strict=False):
        found = resolve(value, owner)
        if isinstance(found, Node) and found.kind in _CONTAINERS:
            is_value = group.shape in {"dict", "pairs"}
            if not (is_value and any(each.values for each in found.groups)):
                yield place, found


def _places(group: Group) -> Iterator[str]:
    match group.shape:
        case "named":
            yield from (f".{key}" for key in group.keys)
        case "nodes":
            yield from (f"[{position}]" for position in range(len(group.values)))
        case "dict" | "pairs":
            yield from (f"[{_shown(key)}]" for key in group.keys)
        case _:
            return


def _shown(key: Value) -> str:
    """Return a key's text if it is plain; another key gets a unique text."""
    return f"<{id(key)}>" if isinstance(key, Node) else repr(key)
