"""What hangs on globals is seen by identity, exactly as if all of it were written each time."""

from __future__ import annotations

import argparse
import collections
import enum
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.sandbox.encoders.classes import Classes
from slicefunc.verifier.sandbox.encoders.encode import encode
from slicefunc.verifier.sandbox.state import observed_state
from slicefunc.verifier.sandbox.state.namespaces import Known

Namespace = dict[str, Any]
NAME = __name__


class Thing:
    """An object with a namespace."""

    def __init__(self, **held: object) -> None:
        vars(self).update(held)


class Other(Thing):
    """Another class for the same object."""


class Unrelated:
    """A class that has nothing to do with the others."""


class Slotted:
    """An object without a namespace."""

    __slots__ = ("x", "y")


class Listing(list[object]):
    """A container with a namespace."""


class Level(enum.Enum):
    """Told by its name."""

    LOW = "low"


class Ending:
    """An object that tells of its end."""

    ended: list[int]

    def __del__(self) -> None:
        self.ended.append(1)


def made() -> Namespace:
    """Globals that share what hangs on them."""
    shared = Thing(items=[[1], {"a": [2]}], level=Level.LOW)
    slotted = Slotted()
    slotted.x = [1]
    return {
        "FIRST": Thing(inner=shared, again=shared), "SECOND": [shared, [3]], "SLOTTED": [slotted],
        "LISTING": [Listing([[1]])], "SETS": [{1, 2}, [frozenset({3})]], "LONE": [[1]],
        "ORDERED": [collections.OrderedDict(a=[1], b=[2])], "SHARED": shared,
        "TABLE": {(1, 2): [1], "k": {"deep": [[]]}}, "PAIR": [[[1]], [[]]],
        "COUNT": [collections.Counter("ab")], "CYCLE": Thing(), "BYTES": [bytearray(b"ab")],
    }  # fmt: skip


def _cycle(namespace: Namespace) -> None:
    namespace["CYCLE"].me = namespace["CYCLE"]


def _moved(namespace: Namespace) -> None:
    if namespace["PAIR"][0]:
        namespace["PAIR"][1].append(namespace["PAIR"][0].pop())


def _other_class(namespace: Namespace) -> None:
    namespace["SHARED"].__class__ = Other


def _slots_swapped(namespace: Namespace) -> None:
    slotted = namespace["SLOTTED"][0]
    if hasattr(slotted, "x"):
        slotted.y = slotted.x
        del slotted.x


CHANGES: dict[str, Callable[[Namespace], object]] = {
    "deep in a list": lambda n: n["SHARED"].items[0].append(2),
    "deep in a dictionary": lambda n: n["SHARED"].items[1]["a"].append(2),
    "another value that is equal": lambda n: n["SHARED"].items.__setitem__(0, [1]),
    "a long number for a short one": lambda n: n["SECOND"][1].__setitem__(0, 10**30),
    "an equal long number": lambda n: n["SECOND"][1].__setitem__(0, int("1" + "0" * 30)),
    "an attribute": lambda n: setattr(n["SHARED"], "more", [1]),
    "another namespace": lambda n: setattr(n["SHARED"], "__dict__", {"items": [1]}),
    "an attribute less": lambda n: vars(n["SHARED"]).pop("level", None),
    "another class": _other_class,
    "an unrelated class": lambda n: setattr(n["SHARED"], "__class__", Unrelated),
    "a slot": lambda n: setattr(n["SLOTTED"][0], "y", [1]),
    "slots are swapped": _slots_swapped,
    "an item of a listing": lambda n: n["LISTING"][0].append(1),
    "an attribute of a listing": lambda n: setattr(n["LISTING"][0], "x", 1),
    "an item of a set": lambda n: n["SETS"][0].add(3),
    "a key": lambda n: n["TABLE"].update({(1, 3): [1]}),
    "a key renamed": lambda n: n["TABLE"].update(j=n["TABLE"].pop("k", None)),
    "order of an ordered dictionary": lambda n: n["ORDERED"][0].move_to_end("a"),
    "order of a dictionary": lambda n: n["TABLE"].update(k=n["TABLE"].pop("k", None)),
    "moved from one to the next": _moved,
    "a count": lambda n: n["COUNT"][0].update("b"),
    "a cycle": _cycle,
    "bytes": lambda n: n["BYTES"][0].append(1),
    "a function in the place of data": lambda n: n["LONE"].__setitem__(0, made),
    "a plain list for a deep one": lambda n: n.update(LONE=[1]),
    "nothing": lambda _: None,
}


def seen(changes: list[list[str]], *, known: Known | None, most: int) -> list[list[str]]:
    """Names that differ after each round of changes."""
    namespace = made()
    found: list[list[str]] = []
    for names in changes:
        watch = observed_state.Globals(namespace, {NAME}, observed_state.Bounds(most), known)
        before = watch.snapshot()
        for name in names:
            CHANGES[name](namespace)
        pairs = observed_state.changed(before, watch.snapshot())
        found.append([name.partition(".")[2] for name, _ in pairs])
    return found


def written(changes: list[list[str]], most: int) -> list[list[str]]:
    """The same, where everything is written each time."""
    namespace = made()
    found: list[list[str]] = []
    for names in changes:
        before = _texts(namespace, most)
        for name in names:
            CHANGES[name](namespace)
        after = _texts(namespace, most)
        found.append(sorted(name for name in before if before[name] != after[name]))
    return found


def _texts(namespace: Namespace, most: int) -> dict[str, str]:
    classes = Classes({NAME})
    return {name: encode(value, classes, max_nodes=most) for name, value in namespace.items()}


ROUNDS = st.lists(st.lists(st.sampled_from(sorted(CHANGES)), max_size=3), max_size=4)


@given(ROUNDS, st.sampled_from((3, 20_000)))
def test_what_is_seen_by_identity_is_what_is_seen_by_writing(
    changes: list[list[str]], most: int
) -> None:
    assert seen(changes, known=Known(), most=most) == written(changes, most)


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_each_change_is_seen_where_it_was_looked_before(name: str) -> None:
    changes = [[], [name], [name], []]
    assert seen(changes, known=Known(), most=1000) == written(changes, 1000)
    assert seen(changes, known=None, most=1000) == written(changes, 1000)


def test_what_has_not_changed_is_not_looked_through_again() -> None:
    known = Known()
    watch = observed_state.Globals(made(), {NAME}, known=known)
    first = watch.snapshot()
    assert first.graph is not None
    assert watch.snapshot().graph is first.graph


def test_an_object_that_tells_of_its_end_is_not_kept() -> None:
    ending = Ending()
    ending.ended = ended = []
    namespace: Namespace = {"HELD": [[ending]]}
    del ending
    watch = observed_state.Globals(namespace, {NAME}, known=Known())
    before = watch.snapshot()
    namespace["HELD"][0].clear()
    gc.collect()
    assert ended == [1]
    assert [name for name, _ in observed_state.changed(before, watch.snapshot())] == [
        "<script>.HELD"
    ]


def test_what_a_library_watches_by_tables_and_proxies_alone_is_remembered() -> None:
    held = argparse.ArgumentParser()
    table = weakref.WeakSet([held])
    proxy = weakref.proxy(held)
    known = Known()
    watch = observed_state.Globals({"HELD": [held]}, {NAME}, known=known)
    before = watch.snapshot()
    assert known.graph is not None
    assert known.graph.describes(held)
    proxy.prog = "another"
    assert [name for name, _ in observed_state.changed(before, watch.snapshot())] == [
        "<script>.HELD"
    ]
    assert list(table) == [held]


def test_an_object_that_is_watched_is_not_kept() -> None:
    namespace: Namespace = {"HELD": [[Thing()]]}
    watched = weakref.ref(namespace["HELD"][0][0])
    watch = observed_state.Globals(namespace, {NAME}, known=Known())
    watch.snapshot()
    namespace["HELD"][0].clear()
    gc.collect()
    assert watched() is None
