"""The order of dictionaries in a result, nested ones too, where it is deliberate.

Usually a dictionary's order is that of its insertions, and nobody intends it. One with ascending or
descending keys or values, while an argument has the same keys in another order, was sorted.
"""

from __future__ import annotations

import builtins
import operator

from .. import raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from ..raw import Raw

    Holds: TypeAlias = Callable[[Raw, Raw], bool]

__builtins__ = dict(vars(builtins))

_less, _greater, _at_most, _at_least = operator.lt, operator.gt, operator.le, operator.ge
_LEAST = 3
"""Fewest keys: two are sorted by chance."""
_MOST = 10_000
_CONTAINERS = (dict, list, tuple)
_MOST_INSIDE = 100
"""Most containers that are inspected in a result and in arguments."""


def orders_of(value: Raw, arguments: Sequence[Raw]) -> str:
    """Return how dictionaries were sorted, each with its place; empty if none was."""
    if raw.class_of(value) not in _CONTAINERS:
        return ""
    given: list[Raw] = [each for argument in arguments for _, each in _inside(argument)]
    found = [(place, _order_of(each, given)) for place, each in _inside(value)]
    return "; ".join([f"{place}: {order}" if place else order for place, order in found if order])


def _inside(value: Raw) -> list[tuple[str, Raw]]:
    """Return a builtin container and those inside, with their places, outer ones first."""
    if raw.class_of(value) not in _CONTAINERS:
        return []
    found: list[tuple[str, Raw]] = [("", value)]
    seen = {id(value)}
    for place, each in found:  # grows while it is read
        for key, item in _items(each):
            if id(item) not in seen and len(found) < _MOST_INSIDE:
                seen.add(id(item))
                found.append((f"{place}[{key!r}]", item))
    return found


def _items(container: Raw) -> list[tuple[Raw, Raw]]:
    """Return the containers under plain keys, in an order independent of the dictionary's."""
    if len(container) > _MOST:
        return []
    if raw.class_of(container) is not dict:
        return [(at, each) for at, each in enumerate(container) if _is_container(each)]
    plain = [
        (key, each)
        for key, each in raw.dict_items(container)
        if _is_container(each) and raw.class_of(key) in (str, int)
    ]
    return sorted(plain, key=lambda pair: (raw.class_of(pair[0]) is int, repr(pair[0])))


def _is_container(value: Raw) -> bool:
    return raw.class_of(value) in _CONTAINERS


def _order_of(value: Raw, arguments: Sequence[Raw]) -> str:
    """Return how a dictionary was sorted; empty if it was not, or if unknown."""
    if raw.class_of(value) is not dict or not _LEAST <= len(value) <= _MOST:
        return ""
    pairs = list(raw.dict_items(value))
    keys, values = [key for key, _ in pairs], [item for _, item in pairs]
    if not _is_plain(keys, (str, int)) or not any(_is_other(keys, each) for each in arguments):
        return ""
    if raw.class_of(keys[0]) is int and list(set(keys)) == keys:
        return ""  # a set would have that order, too
    orders: tuple[tuple[str, list[Raw], Holds], ...] = (
        ("keys ascend", keys, _less), ("keys descend", keys, _greater),
        ("values ascend", values, _at_most), ("values descend", values, _at_least),
    )  # fmt: skip
    for name, items, holds in orders:
        if items is values and (not _is_plain(values, (int, float)) or values[0] == values[-1]):
            continue
        if all(map(holds, items, items[1:])):
            return name
    return ""


def _is_plain(items: list[Raw], kinds: tuple[type, ...]) -> bool:
    """Whether all keys have one of the exact types, so that comparing runs no foreign code."""
    first = raw.class_of(items[0])
    return first in kinds and all(raw.class_of(each) is first for each in items)


def _is_other(keys: list[Raw], argument: Raw) -> bool:
    """Whether an argument has all of these keys in another order."""
    kind = raw.class_of(argument)
    if kind not in _CONTAINERS or not len(keys) <= len(argument) <= _MOST:
        return False
    items = [k for k, _ in raw.dict_items(argument)] if kind is dict else list(argument)
    kind_of_key = raw.class_of(keys[0])
    places: dict[Raw, int] = {}
    for place, item in enumerate(items):
        if raw.class_of(item) is kind_of_key and item not in places:
            places[item] = place
    found = [places.get(key, -1) for key in keys]
    return min(found) >= 0 and found != sorted(found)
