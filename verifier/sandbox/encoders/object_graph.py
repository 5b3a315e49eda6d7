"""What hangs on some values, each object once: its own state, and what it holds by identity.

To write all of it as text takes longer than most calls do, and nearly always nothing has changed.
So each object is described once, and the others are looked through only where some of it is no
longer the very same. Text is written of what differs alone, also of what has been there before:
the descriptions keep that.
"""

from __future__ import annotations

import builtins
import operator
import weakref
from itertools import chain

from .. import raw
from .encode import Encoder, plain_base
from .kinds.encode_builtins import LEAVES
from .nodes import Node, Remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from ..raw import Class, Raw
    from .classes import Classes
    from .nodes import Child

    Described: TypeAlias = dict[int, Remembered]

__builtins__ = dict(vars(builtins))

_is = operator.is_
_count_weak: Callable[[Raw], int] = weakref.getweakrefcount
_MUTABLE: tuple[Class, ...] = (list, dict, set)
_ITERATE: tuple[Callable[[Raw], Iterator[Raw]], ...] = (
    vars(list)["__iter__"], vars(dict)["__iter__"], vars(set)["__iter__"],
)  # fmt: skip
_COUNT: tuple[Callable[[Raw], int], ...] = (
    vars(list)["__len__"], vars(dict)["__len__"], vars(set)["__len__"],
)  # fmt: skip
_values: Callable[[Raw], Iterable[Raw]] = vars(dict)["values"]
_numbers: dict[int, int] = {}
"""Numbers, so that equal ones are the same object."""


class Watched:
    """Containers of the language, and what they hold, in lists without a loop of ours."""

    __slots__ = ("_of_kind",)

    def __init__(self) -> None:
        self._of_kind: tuple[list[Raw], ...] = ([], [], [])

    def add(self, kind: Class, containers: Iterable[Raw]) -> None:
        """Watch some lists, dictionaries or sets, which `kind` says; others cannot change."""
        if kind in _MUTABLE:
            self._of_kind[_MUTABLE.index(kind)].extend(containers)

    def now(self) -> list[Raw]:
        """How much is in all of them, and what."""
        found: list[Raw] = []
        for values, count, iterate in zip(self._of_kind, _COUNT, _ITERATE):  # noqa: B905
            if values:
                found += same_numbers(map(count, values))
                found += chain.from_iterable(map(iterate, values))
        found += chain.from_iterable(map(_values, self._of_kind[_MUTABLE.index(dict)]))
        return found


def same_numbers(numbers: Iterable[int]) -> list[int]:
    """Numbers, of which equal ones are the same object."""
    return [_numbers.setdefault(number, number) for number in numbers]


def are_same(some: list[Raw], others: list[Raw]) -> bool:
    """Whether two lists hold the very same objects."""
    return len(some) == len(others) and all(map(_is, some, others))


class ObjectGraph:
    """Descriptions of all that hangs on some values, and whether they still hold."""

    def __init__(
        self, values: list[Raw], most: int, described: Described, apart: set[int], classes: Classes
    ) -> None:
        self.most = most
        """Objects of one value."""
        self.apart = apart
        """Ids of values that are not described: too much hangs on them, or it must not be kept."""
        self._values = values
        self._described = described
        self._watch = _Watch(described, classes)

    def describes(self, value: Raw) -> bool:
        """Whether a value is described here, with all that hangs on it."""
        return id(value) in self._described

    @property
    def others(self) -> list[Remembered]:
        """Objects that have to be described anew to see whether they are what they were."""
        return self._watch.others

    def is_current(
        self,
        values: list[Raw],
        most: int,
        classes: Classes,
        others: list[Remembered] | None = None,
    ) -> bool:
        """Whether these are its values, and every object on them is what it was.

        `others` are those that are described anew, if not all have to be.
        """
        return (
            most == self.most
            and are_same(values, self._values)
            and self._watch.is_same(classes, self.others if others is None else others)
        )

    def text(self, value: Raw) -> str:
        """A value as it was when it was described."""
        encoder = Encoder(max_nodes=self.most, remembered=self._described)
        child = encoder.add(value)
        writer = encoder.writer()
        text = writer.text(child)
        return f'{{"value":{text},"shared":{writer.shared()}}}'

    def description(self, value: Raw) -> Remembered | None:
        """How an object is described."""
        return self._described.get(id(value))

    def leading_to_changed(self, later: ObjectGraph) -> set[int]:
        """Ids of the objects here on which something hangs that is described otherwise later."""
        there = later._described
        found = {i for i, one in self._described.items() if there.get(i, one) is not one}
        holders: dict[int, list[int]] = {}
        for number, one in self._described.items() if found else ():
            for part in one.parts:
                holders.setdefault(id(part), []).append(number)
        pending = list(found)
        while pending:
            for holder in holders.get(pending.pop(), ()):
                if holder not in found:
                    found.add(holder)
                    pending.append(holder)
        return found


def graph_of(
    values: list[Raw], most: int, objects: int, classes: Classes, before: ObjectGraph | None
) -> ObjectGraph:
    """The graph of all that hangs on these values: the earlier one, where nothing has changed.

    Args:
        values: none of them a plain one.
        most: objects of one value; one on which more hang is left apart.
        objects: of all values together; those that come later are not looked at.
        classes: what is known of classes.
        before: the earlier graph.
    """
    if before is not None and before.is_current(values, most, classes):
        return before
    walk = _Walk(classes, before)
    apart: set[int] = set()
    for value in values:
        if len(walk.described) >= objects:
            break
        if not walk.takes(value, most):
            apart.add(id(value))
    return ObjectGraph(values, most, walk.described, apart, classes)


class _Walk:
    """Describes what hangs on values; what an earlier graph says alike stays the same object."""

    def __init__(self, classes: Classes, before: ObjectGraph | None) -> None:
        self._encoder = Encoder(classes)
        self._before = before
        self.described: Described = {}

    def takes(self, value: Raw, most: int) -> bool:
        """Describe a value and all that hangs on it, or nothing of that where it cannot be."""
        found: Described = {}
        pending = [value]
        while pending:
            one = pending.pop()
            if id(one) in self.described or id(one) in found:
                continue
            described = self._description(one)
            if len(found) >= most or not _may_be_kept(described):
                return False
            found[id(one)] = described
            pending.extend(described.parts)
        self.described.update(found)
        return True

    def _description(self, value: Raw) -> Remembered:
        child = self._encoder.described(value)
        known = self._before.description(value) if self._before is not None else None
        if known is not None and _is_alike(known.child, child):
            return known
        return Remembered(value, child, list(_parts(child)))


def _may_be_kept(one: Remembered) -> bool:
    """Whether nobody notices that an object lives on: what ends with it, or watches it, would."""
    if isinstance(one.child, str):
        return True  # a class or a function, by its name
    if _count_weak(one.value):
        return False
    return all(
        raw.class_attribute(cls, "__del__") is raw.MISSING for cls in raw.mro(type(one.value))
    )


def _parts(child: Child) -> Iterator[Raw]:
    """The objects that a description names, without plain values."""
    for group in () if isinstance(child, str) else child.groups:
        for entry in group.entries:
            for each in _of_entry(group.shape, entry):
                if type(each) is Node:
                    yield from _parts(each)
                elif id(raw.class_of(each)) not in LEAVES:
                    yield each


def _of_entry(shape: str, entry: Raw) -> tuple[Raw, ...]:
    if shape == "named":
        return (entry[1],)
    return entry if shape in ("pairs", "dict") else (entry,)


def _is_alike(one: Child, other: Child) -> bool:
    """Whether two descriptions say the same, and name the same objects."""
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    if one.kind != other.kind or tuple(one.scalars) != tuple(other.scalars):
        return False
    if len(one.groups) != len(other.groups):
        return False
    pairs = zip(one.groups, other.groups)  # noqa: B905 - new in 3.10
    return all(
        (a.name, a.shape) == (b.name, b.shape) and _are_alike(a.shape, a.entries, b.entries)
        for a, b in pairs
    )


def _are_alike(shape: str, entries: Sequence[Raw], others: Sequence[Raw]) -> bool:
    if len(entries) != len(others):
        return False
    for one, other in zip(entries, others):  # noqa: B905 - new in 3.10
        if shape == "named" and one[0] != other[0]:
            return False
        pairs = zip(_of_entry(shape, one), _of_entry(shape, other))  # noqa: B905
        if not all(a is b or _is_same_plain(a, b) for a, b in pairs):
            return False
    return True


def _is_same_plain(one: Raw, other: Raw) -> bool:
    """Whether both are equal values without an identity, or descriptions that are alike."""
    cls = raw.class_of(one)
    if cls is not raw.class_of(other):
        return False
    if cls is Node:
        return _is_alike(one, other)
    write = LEAVES.get(id(cls))
    return write is not None and write(one) == write(other)


class _Watch:
    """What objects hold, in lists that are compared without a loop of ours.

    Objects of which that does not say all are described anew each time.
    """

    def __init__(self, described: Described, classes: Classes) -> None:
        self._containers = Watched()
        self._namespaces: list[tuple[Callable[[Raw], Raw], list[Raw]]] = []
        """What gives the namespace of an instance, and the instances."""
        self._classes: list[Class] = []
        self.others: list[Remembered] = []
        by_class: dict[int, list[Remembered]] = {}
        for one in described.values():
            by_class.setdefault(id(raw.class_of(one.value)), []).append(one)
        for same in by_class.values():
            self._add(raw.class_of(same[0].value), same, classes)
        self._held = self._now()

    def _add(self, cls: Class, same: list[Remembered], classes: Classes) -> None:
        """Watch the instances of one class."""
        base = plain_base(cls, classes)
        if base is None:
            self.others += same
            return
        values = [one.value for one in same]
        self._containers.add(base, values)
        if cls is not base:
            self._classes.append(cls)
            namespace = classes.layout(cls).namespace
            if namespace is not None:
                self._namespaces.append((namespace, values))
                self._containers.add(dict, map(namespace, values))

    def is_same(self, classes: Classes, others: list[Remembered]) -> bool:
        """Whether every object is what it was."""
        try:
            now = self._now()
        except TypeError:  # an object has become one of an unrelated class
            return False
        if not are_same(now, self._held):
            return False
        if not all(map(classes.is_unchanged, self._classes)):
            return False
        encoder = Encoder(classes)
        return all(_is_alike(one.child, encoder.described(one.value)) for one in others)

    def _now(self) -> list[Raw]:
        """How much is in all containers, and what; the classes of instances and their state."""
        found = self._containers.now()
        for namespace, values in self._namespaces:
            found += map(raw.class_of, values)
            found += map(namespace, values)
        return found
