"""One container in two places of an object, where the original has one for each.

`[[0] * 3] * 3`, `dict.fromkeys(names, [])` and one default for several attributes look right until
the first change, which then shows in all of the places. The other way round nothing is asked:
whoever makes a copy where the original shares is careful, and mostly not wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..observation import Group, Node, Observation, Value
from ..short_text import resolve

_CONTAINERS = frozenset({"list", "set", "dict", "ordered_dict"})


def shared_anew(
    left: Node, right: Node, expected: Observation, observed: Observation
) -> tuple[str, str] | None:
    """Two places of an observed object that share a container, as they do not in the expected one.

    Args:
        left: the expected object.
        right: the observed one.
        expected: the observation that the first is of.
        observed: the observation that the second is of.
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
    """The containers that a group holds, each with its place.

    Values of a dictionary count while they are empty: those are there to be filled, whereas a full
    one may well be given twice.
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
    """A key that says by itself what it is; another one is only itself."""
    return f"<{id(key)}>" if isinstance(key, Node) else repr(key)
