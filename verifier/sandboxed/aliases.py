"""Containers that somebody holds: which are replaced by a call, and which come to stand elsewhere.

Whoever took `jobs = scheduler.jobs` before a call sees what it changes in place, and does not see
what it puts in the place of that. And where `self.items = items` stands for a copy, what the caller
does with `items` afterwards changes the object.
"""

from __future__ import annotations

import builtins

from . import raw
from .encode import encode
from .encode_builtins import LEAVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from .classes import Classes
    from .raw import Class, Raw

    Held: TypeAlias = dict[str, Raw]

__builtins__ = dict(vars(builtins))

MOST = 300
"""Objects that are walked through."""

_MAX_NODES = 2_000
_CONTAINERS: tuple[Class, ...] = (dict, list, set, bytearray)
_ITEMS: Raw = vars(dict)["items"]
_LONGEST_KEY = 80


class Aliases:
    """What was held before a call, by whom and where.

    Args:
        arguments: names and values; what a method is called on is among them.
        others: further values that the caller has.
    """

    def __init__(
        self, arguments: Sequence[tuple[str, Raw]], others: Sequence[Raw], classes: Classes
    ) -> None:
        self._arguments = arguments
        self._before = {name: _containers(value, classes) for name, value in arguments}
        self._holders: dict[int, set[str]] = {}
        for name, held in self._before.items():
            for value in held.values():
                self._holders.setdefault(id(value), set()).add(name)
        mine = {id(value) for _, value in arguments}
        for position, value in enumerate(others):
            if id(value) in self._holders and id(value) not in mine:
                self._holders[id(value)].add(f"other {position}")

    def replaced(self, classes: Classes) -> list[str]:
        """Places that hold another container than before, which differs from the one they held.

        Those count that somebody may have looked at: attributes without an underscore, and what
        another argument holds as well, or the caller.
        """
        found: list[str] = []
        for name, value in self._arguments:
            now = _containers(value, classes)
            for path, old in self._before[name].items():
                new = now.get(path)
                if new is None or new is old or not self._is_seen(path, old):
                    continue
                texts = [encode(one, classes, max_nodes=_MAX_NODES) for one in (old, new)]
                if texts[0] != texts[1]:
                    found.append(name + path)
        return found

    def stored(self, value: Raw, classes: Classes) -> list[str]:
        """Attributes that hold a container that another argument held before the call.

        Args:
            value: what the call gives, which is looked at as well.
            classes: what is known of them.
        """
        roots = [*self._arguments]
        if not any(each is value for _, each in roots):
            roots.append(("value", value))
        return [
            name + path
            for name, root in roots
            for path, held in _containers(root, classes).items()
            if "." in path and self._holders.get(id(held), set()) - {name}
            and self._before.get(name, {}).get(path) is not held
        ]  # fmt: skip

    def _is_seen(self, path: str, held: Raw) -> bool:
        is_public = "[" not in path and "._" not in path and path != ""
        return is_public or len(self._holders[id(held)]) > 1


def _containers(root: Raw, classes: Classes) -> Held:
    """The containers that hang on a value, by the attributes and keys that lead there."""
    found: Held = {}
    seen: set[int] = set()
    kept: list[Raw] = []
    pending = [("", root)]
    for path, value in pending:
        cls = raw.class_of(value)
        if id(cls) in LEAVES or id(value) in seen:
            continue
        if len(seen) == MOST:
            break
        seen.add(id(value))
        kept.append(value)
        if any(raw.derives(cls, each) for each in _CONTAINERS):
            found[path] = value
        pending.extend((path + step, held) for step, held in _parts(value, cls, classes))
    return found


def _parts(value: Raw, cls: Class, classes: Classes) -> Iterator[tuple[str, Raw]]:
    if raw.derives(cls, dict):
        for key, held in _ITEMS(value):
            if type(key) is str and key.isascii() and len(key) <= _LONGEST_KEY:
                yield f"[{key!r}]", held
    if raw.is_python_class(cls) and not raw.derives(cls, type):
        for name, held in classes.layout(cls).state(value):
            if name.isascii():
                yield f".{name}", held
