"""The object graph below some values: each object once, with its own state and references.

Writing all of it as text takes longer than most calls, and nearly always nothing has changed. So
each object is described once, and again only where something is no longer the same. Text is written
only for differences, also for earlier states, which the descriptions keep.
"""

from __future__ import annotations

import builtins
import operator
import types
import weakref
from itertools import chain

from .. import raw
from .encode import Encoder, plain_base
from .kinds.encode_builtins import LEAVES
from .nodes import Node, Remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from ..raw import Class, Raw
    from .classes import Classes
    from .nodes import Child

    Described: TypeAlias = dict[int, Remembered]

__builtins__ = dict(vars(builtins))

_is = operator.is_
_weak_references: Callable[[Raw], list[Raw]] = weakref.getweakrefs
_callback: Callable[[Raw], Raw] = vars(weakref.ref)["__callback__"].__get__
_PROXIES = weakref.ProxyTypes
_STANDARD = ("weakref", "_weakrefset")
"""Modules whose tables of weak references only forget what is gone."""
_MUTABLE: tuple[Class, ...] = (list, dict, set)
_ITERATE: tuple[Callable[[Raw], Iterator[Raw]], ...] = (
    vars(list)["__iter__"], vars(dict)["__iter__"], vars(set)["__iter__"],
)  # fmt: skip
_COUNT: tuple[Callable[[Raw], int], ...] = (
    vars(list)["__len__"], vars(dict)["__len__"], vars(set)["__len__"],
)  # fmt: skip
_values: Callable[[Raw], Iterable[Raw]] = vars(dict)["values"]
_function_module: Callable[[Raw], Raw] = vars(types.FunctionType)["__module__"].__get__
_function_globals: Callable[[Raw], Raw] = vars(types.FunctionType)["__globals__"].__get__
_WATCHED = 64
"""Objects that are compared at once."""
_MOST_GROWTH = 2
_numbers: dict[int, int] = {}
"""Interned numbers, so that equal ones are the same object."""


class Watched:
    """Builtin containers with their contents, in lists that are compared without a Python loop."""

    __slots__ = ("_of_kind",)

    def __init__(self) -> None:
        self._of_kind: tuple[list[Raw], ...] = ([], [], [])

    def add(self, kind: Class, containers: Iterable[Raw]) -> None:
        """Watch some lists, dictionaries or sets (see `kind`); other kinds cannot change."""
        if kind in _MUTABLE:
            self._of_kind[_MUTABLE.index(kind)].extend(containers)

    def now(self) -> list[Raw]:
        """Return the sizes and contents of all containers."""
        found: list[Raw] = []
        for values, count, iterate in zip(self._of_kind, _COUNT, _ITERATE):  # noqa: B905
            if values:
                found += same_numbers(map(count, values))
                found += chain.from_iterable(map(iterate, values))
        found += chain.from_iterable(map(_values, self._of_kind[_MUTABLE.index(dict)]))
        return found


def same_numbers(numbers: Iterable[int]) -> list[int]:
    """Return identity numbers: equal numbers mean the same object."""
    return [_numbers.setdefault(number, number) for number in numbers]


def are_same(some: list[Raw], others: list[Raw]) -> bool:
    """Whether two lists hold the same objects."""
    return len(some) == len(others) and all(map(_is, some, others))


class ObjectGraph:
    """Descriptions of all objects below some values, and whether they still hold."""

    def __init__(
        self,
        values: list[Raw],
        most: int,
        described: Described,
        undescribed: set[int],
        classes: Classes,
        own: Collection[str] = (),
    ) -> None:
        self.most = most
        """Most objects below one value."""
        self.undescribed = undescribed
        """Ids of values without description: too many objects, or they must not be kept alive."""
        self._values = values
        self.own = own
        """Names of the script's modules."""
        self._described = described
        self._reached = len(described)
        """Number of objects when all were reached from the values."""
        self._watches = _watches(list(described.values()), classes, own)

    def describes(self, value: Raw) -> bool:
        """Whether a value is described here with everything below it."""
        return id(value) in self._described

    @property
    def others(self) -> list[Remembered]:
        """Return objects that must be described anew to see whether they changed."""
        return [each for watch in self._watches for each in watch.others]

    def is_current(
        self,
        values: list[Raw],
        limit: int,
        classes: Classes,
        others: list[Remembered] | None = None,
    ) -> bool:
        """Whether the graph has these values, and no object below them changed.

        `others` are the objects to describe anew, if not all.
        """
        return (
            self._is_of(values, limit)
            and all(watch.is_same(classes) for watch in self._watches)
            and not _changed(self.others if others is None else others, classes)
        )

    def updated(self, values: list[Raw], limit: int, classes: Classes) -> ObjectGraph | None:
        """Return the graph as it is now, with what changed described anew.

        `None` if all must be described anew. It may hold objects that nothing leads to any more.
        """
        if not self._is_of(values, limit):
            return None
        if self.undescribed:
            return self if self.is_current(values, limit, classes) else None
        own = self.own
        now = ObjectGraph(values, limit, {}, set(), classes, own)
        walk = _Walk(classes, self, own)
        walk.described = dict(self._described)
        changed: list[Remembered] = []
        for watch in self._watches:
            is_same = watch.is_same(classes)
            found = _changed(watch.others if is_same else watch.members, classes)
            changed += found
            if is_same and not found:
                now._watches.append(watch)
            else:
                gone = {id(one) for one in found}
                kept = [one for one in watch.members if id(one) not in gone]
                now._watches += _watches(kept, classes, own)
        if len(now._watches) == len(self._watches) and all(map(_is, now._watches, self._watches)):
            return self
        for one in changed:
            del walk.described[id(one.value)]
        for one in changed:
            if not walk.takes(one.value, limit):
                return None
        now._described, now._reached = walk.described, self._reached
        known = self._described
        new = [one for number, one in walk.described.items() if known.get(number) is not one]
        now._watches += _watches(new, classes, own)
        return now if len(walk.described) <= _MOST_GROWTH * self._reached + _WATCHED else None

    def _is_of(self, values: list[Raw], limit: int) -> bool:
        return limit == self.most and are_same(values, self._values)

    def text(self, value: Raw) -> str:
        """Return a value's text at the time of its description."""
        encoder = Encoder(max_nodes=self.most, remembered=self._described)
        child = encoder.add(value)
        writer = encoder.writer()
        text = writer.text(child)
        return f'{{"value":{text},"shared":{writer.shared()}}}'

    def description(self, value: Raw) -> Remembered | None:
        """Return the description of an object, or `None`."""
        return self._described.get(id(value))

    def leading_to_changed(self, later: ObjectGraph) -> set[int]:
        """Return ids of objects with something below them that is described differently later."""
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
    values: list[Raw],
    limit: int,
    objects: int,
    classes: Classes,
    before: ObjectGraph | None,
    own: Collection[str] = (),
) -> ObjectGraph:
    """Return the graph below these values: the earlier one if nothing has changed.

    Args:
        values: values, none of them plain.
        limit: most objects below one value; a value with more is left out.
        objects: most objects of all values together; later values are skipped.
        classes: knowledge about classes.
        before: the earlier graph.
        own: names of the script's modules.
    """
    if before is not None and before.own == own:
        now = before.updated(values, limit, classes)
        if now is not None:
            return now
    walk = _Walk(classes, before, own)
    undescribed: set[int] = set()
    for value in values:
        if len(walk.described) >= objects:
            break
        if not walk.takes(value, limit):
            undescribed.add(id(value))
    return ObjectGraph(values, limit, walk.described, undescribed, classes, own)


class _Walk:
    """Describes the objects below values; descriptions equal to an earlier graph's are reused."""

    def __init__(self, classes: Classes, before: ObjectGraph | None, own: Collection[str]) -> None:
        self._encoder = Encoder(classes)
        self._own = own
        self._before = before
        self.described: Described = {}

    def takes(self, value: Raw, limit: int) -> bool:
        """Describe a value and everything below it, or nothing of it if that is impossible."""
        found: Described = {}
        pending = [value]
        while pending:
            one = pending.pop()
            if id(one) in self.described or id(one) in found:
                continue
            described = self._description(one)
            if len(found) >= limit or not _may_be_kept(described, self._own):
                return False
            found[id(one)] = described
            pending.extend(described.parts)
        self.described.update(found)
        return True

    def _description(self, value: Raw) -> Remembered:
        child = self._encoder.described(value)
        known = self._before.description(value) if self._before is not None else None
        if known is not None and _is_equal_child(known.child, child):
            return known
        return Remembered(value, child, list(_parts(child)))


def _may_be_kept(one: Remembered, own: Collection[str]) -> bool:
    """Whether the script cannot see that we keep an object alive.

    It has no finaliser and no weak references. Those of a library's object may be in weak tables.
    """
    if isinstance(one.child, str):
        return True  # a class or function, described by name
    cls: Class = raw.class_of(one.value)
    if any(raw.class_attribute(each, "__del__") is not raw.MISSING for each in raw.mro(cls)):
        return False
    watching = _weak_references(one.value)
    return not watching or (
        raw.class_names(cls)[0] not in own and all(map(_only_forgets, watching))
    )


def _only_forgets(reference: Raw) -> bool:
    """Whether nothing happens when the object is gone but that a table forgets it."""
    if raw.class_of(reference) in _PROXIES:
        return True  # it has no attributes of its own
    callback = _callback(reference)
    return callback is None or (
        type(callback) is types.FunctionType and callback.__module__ in _STANDARD
    )


def _parts(child: Child) -> Iterator[Raw]:
    """Yield the objects that a description refers to, without plain values."""
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


def _is_equal_child(one: Child, other: Child) -> bool:
    """Whether two descriptions are equal, and refer to the same objects."""
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    if one.kind != other.kind or tuple(one.scalars) != tuple(other.scalars):
        return False
    if len(one.groups) != len(other.groups):
        return False
    pairs = zip(one.groups, other.groups)  # noqa: B905 - new in 3.10
    return all(
        (a.name, a.shape) == (b.name, b.shape) and _are_equal_entries(a.shape, a.entries, b.entries)
        for a, b in pairs
    )


def _are_equal_entries(shape: str, entries: Sequence[Raw], others: Sequence[Raw]) -> bool:
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
    """Whether both are equal values without identity, or equal descriptions."""
    cls = raw.class_of(one)
    if cls is not raw.class_of(other):
        return False
    if cls is Node:
        return _is_equal_child(one, other)
    write = LEAVES.get(id(cls))
    return write is not None and write(one) == write(other)


def _watches(objects: list[Remembered], classes: Classes, own: Collection[str]) -> list[_Watch]:
    """Return watches of some objects each, so that a change leads to a few of them."""
    return [
        _Watch(objects[first : first + _WATCHED], classes, own)
        for first in range(0, len(objects), _WATCHED)
    ]


def _changed(objects: list[Remembered], classes: Classes) -> list[Remembered]:
    """Return those that are described differently now."""
    encoder = Encoder(classes)
    return [one for one in objects if not _is_equal_child(one.child, encoder.described(one.value))]


def _is_named_by_library(one: Remembered, own: Collection[str]) -> bool:
    """Whether only the name of a library's function or class is seen of an object."""
    cls = raw.class_of(one.value)
    if raw.derives(cls, type):
        return raw.class_names(one.value)[0] not in own
    if cls is types.FunctionType:
        namespace = _function_globals(one.value)
        module = raw.dict_item(namespace, "__name__")
        says = _function_module(one.value)
        is_foreign = all(type(each) is str and each not in own for each in (module, says))
        return is_foreign and raw.module_dict(module) is namespace
    is_opaque = not isinstance(one.child, str) and one.child.kind == "opaque"
    return is_opaque and raw.class_names(cls)[0] not in own


class _Watch:
    """The contents of objects, in lists that are compared without a Python loop.

    Objects that these lists do not fully cover are described anew each time.
    """

    def __init__(self, members: list[Remembered], classes: Classes, own: Collection[str]) -> None:
        self.members = members
        self._containers = Watched()
        self._namespaces: list[tuple[Callable[[Raw], Raw], list[Raw]]] = []
        """Pairs of a function that gives an instance's namespace, and the instances."""
        self._classes: list[Class] = []
        self.others: list[Remembered] = []
        by_class: dict[int, list[Remembered]] = {}
        for one in members:
            by_class.setdefault(id(raw.class_of(one.value)), []).append(one)
        for same in by_class.values():
            self._add(raw.class_of(same[0].value), same, classes, own)
        self._contents = self._now()

    def _add(
        self, cls: Class, same: list[Remembered], classes: Classes, own: Collection[str]
    ) -> None:
        """Watch the instances of one class."""
        base = plain_base(cls, classes)
        if base is None:
            self.others += [one for one in same if not _is_named_by_library(one, own)]
            return
        values = [one.value for one in same]
        self._containers.add(base, values)
        if cls is not base:
            self._classes.append(cls)
            namespace = classes.layout(cls).namespace
            if namespace is not None:
                self._namespaces.append((namespace, values))
                self._containers.add(dict, map(namespace, values))

    def is_same(self, classes: Classes) -> bool:
        """Whether every object but the others is unchanged."""
        try:
            now = self._now()
        except TypeError:  # an object changed to an unrelated class
            return False
        return are_same(now, self._contents) and all(map(classes.is_unchanged, self._classes))

    def _now(self) -> list[Raw]:
        """Return sizes and contents of all containers; classes and state of instances."""
        found = self._containers.now()
        for namespace, values in self._namespaces:
            found += map(raw.class_of, values)
            found += map(namespace, values)
        return found
