"""Aliases: containers that others hold, which a call replaces or stores elsewhere.

A caller that took `jobs = scheduler.jobs` before a call sees in-place changes, but not a
replacement. And if `self.items = items` should be a copy, later changes of `items` by the caller
change the object.
"""

from __future__ import annotations

import builtins

from .. import raw
from ..encoders.encode import encode
from ..encoders.kinds.encode_builtins import LEAVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from ..encoders.classes import Classes
    from ..raw import Class, Raw

    Containers: TypeAlias = dict[str, Raw]

__builtins__ = dict(vars(builtins))

MOST = 300
"""Most objects that are visited."""

_MAX_NODES = 2_000
_ITEMS: Raw = vars(dict)["items"]
_LONGEST_KEY = 80


class Aliases:
    """The objects held before a call, with their holders and places.

    Args:
        arguments: names and values, including a method's receiver.
        others: further values that the caller holds.
    """

    def __init__(
        self, arguments: Sequence[tuple[str, Raw]], others: Sequence[Raw], classes: Classes
    ) -> None:
        self._arguments = arguments
        self._before = {name: _containers(value, classes) for name, value in arguments}
        self._holders: dict[int, set[str]] = {}
        for name, containers in self._before.items():
            for value in containers.values():
                self._holders.setdefault(id(value), set()).add(name)
        mine = {id(value) for _, value in arguments}
        for position, value in enumerate(others):
            if id(value) in self._holders and id(value) not in mine:
                self._holders[id(value)].add(f"other {position}")

    def changed(self, value: Raw, classes: Classes) -> tuple[list[str], list[str]]:
        """Return the places that a call replaced, and those in which it stored containers.

        A place is replaced if it holds a container that is another one and differs. Only observable
        places count: attributes without underscore, and containers that another argument or the
        caller holds as well.

        Stored in are attributes that hold a container that another argument held before.

        Args:
            value: the result of the call, which is inspected as well.
            classes: knowledge about classes.
        """
        if not self._holders:
            return [], []
        now = [(name, _containers(root, classes)) for name, root in self._arguments]
        replaced = [
            name + path
            for name, containers in now
            for path, old in self._before[name].items()
            if self._is_replaced(path, old, containers.get(path), classes)
        ]
        if not any(each is value for _, each in self._arguments):
            now.append(("value", _containers(value, classes)))
        stored = [
            name + path
            for name, containers in now
            for path, one in containers.items()
            if "." in path and self._holders.get(id(one), set()) - {name}
            and self._before.get(name, {}).get(path) is not one
        ]  # fmt: skip
        return replaced, stored

    def _is_replaced(self, path: str, old: Raw, new: Raw, classes: Classes) -> bool:
        if new is None or new is old or not self._is_seen(path, old):
            return False
        first, second = (encode(one, classes, max_nodes=_MAX_NODES) for one in (old, new))
        return first != second

    def _is_seen(self, path: str, container: Raw) -> bool:
        is_public = "[" not in path and "._" not in path and path != ""
        return is_public or len(self._holders[id(container)]) > 1


def _containers(root: Raw, classes: Classes) -> Containers:
    """Return the containers reachable from a value, by the attributes and keys that lead there."""
    found: Containers = {}
    seen: set[int] = set()
    kept: list[Raw] = []
    pending = [("", root)]
    for path, value in pending:
        cls = raw.class_of(value)
        if id(cls) in LEAVES or (address := id(value)) in seen:
            continue
        if len(seen) == MOST:
            break
        seen.add(address)
        kept.append(value)
        if _is_container(cls):
            found[path] = value
        pending.extend((path + step, part) for step, part in _parts(value, cls, classes))
    return found


def _is_container(cls: Class) -> bool:
    for each in raw.mro(cls):
        if each is dict or each is list or each is set or each is bytearray:
            return True
    return False


def _parts(value: Raw, cls: Class, classes: Classes) -> Iterator[tuple[str, Raw]]:
    if raw.derives(cls, dict):
        for key, part in _ITEMS(value):
            if type(key) is str and key.isascii() and len(key) <= _LONGEST_KEY:
                yield f"[{key!r}]", part
    if raw.is_python_class(cls) and not raw.derives(cls, type):
        for name, part in classes.layout(cls).state(value):
            if name.isascii():
                yield f".{name}", part
