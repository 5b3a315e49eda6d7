"""Every kind of value of the language and its library has one text, which tells it from others."""

from __future__ import annotations

import array
import collections
import contextlib
import dataclasses
import datetime as dt
import decimal
import enum
import functools
import hashlib
import io
import ipaddress
import itertools
import json
import logging
import pathlib
import re
import threading
import types
import uuid
import zoneinfo
from collections.abc import AsyncIterator, Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slicefunc.verifier.observation.node_kinds import KINDS
from slicefunc.verifier.observation.shown_evidence import evidence
from slicefunc.verifier.sandbox.encoders.classes import Classes, KnownClasses
from slicefunc.verifier.sandbox.encoders.encode import encode

from tests.verifier.observation.running import STRICT, difference, seen


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class OwnLogger(logging.Logger):
    pass


class Bits(enum.Flag):
    A = 1
    B = 2


@dataclasses.dataclass
class Point:
    x: object
    y: object = 0


class Slotted:
    __slots__ = ("__hidden", "shown")

    def __init__(self, shown: object, hidden: object) -> None:
        self.shown = shown
        self.__hidden = hidden


class Items(list[object]):
    def __init__(self, *items: object, note: object = None) -> None:
        super().__init__(items)
        self.note = note


Pair = collections.namedtuple("Pair", "a b")  # noqa: PYI024 - the plain kind
UTC = dt.UTC
NAIVE = dt.datetime(2020, 1, 1)  # noqa: DTZ001 - without a zone is what is meant


def ordered(
    *pairs: tuple[object, object], last: object = None
) -> collections.OrderedDict[object, object]:
    made = collections.OrderedDict(pairs)
    if last is not None:
        made.move_to_end(last)
    return made


def moved(kind: type[io.StringIO], text: str, position: int) -> io.StringIO:
    made = kind(text)
    made.seek(position)
    return made


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    error.__cause__ = cause
    return error


DIFFERENT: list[tuple[object, object]] = [
    (1, 2),
    (2**70, 2**70 + 1),
    (-(2**70), 2**70),
    (1 << (1 << 21), (1 << (1 << 21)) + 1),
    (1.0, 1.1),
    (float("nan"), float("inf")),
    (float("inf"), float("-inf")),
    (1j, 2j),
    ("a", "b"),
    ("\ud83d\ude00", "😀"),
    ("x" * 300_000, "x" * 299_999 + "y"),
    (b"a", b"b"),
    (b"a", bytearray(b"a")),
    (b"a" * 300_000, b"a" * 300_001),
    (..., NotImplemented),
    ([1, 2], [2, 1]),
    ((1,), (1, 2)),
    ({1, 2}, {1, 3}),
    ({1: 2}, {1: 3}),
    ({1: 2}, {2: 2}),
    (ordered((1, 1), (2, 2)), ordered((2, 2), (1, 1))),
    (ordered((1, 1), (2, 2), last=1), ordered((1, 1), (2, 2), last=2)),
    (collections.Counter("aab"), collections.Counter("ab")),
    (collections.defaultdict(list), collections.defaultdict(set)),
    (collections.deque([1]), collections.deque([2])),
    (collections.deque([1], 3), collections.deque([1], 4)),
    (collections.ChainMap({1: 2}), collections.ChainMap({1: 3})),
    (Pair(1, 2), Pair(1, 3)),
    (Pair(1, 2), (1, 2)),
    (Colour.RED, Colour.BLUE),
    (Colour.RED, 1),
    (Bits.A, Bits.A | Bits.B),
    (Point(1), Point(2)),
    (Point(1), types.SimpleNamespace(x=1, y=0)),
    (types.SimpleNamespace(x=1), types.SimpleNamespace(x=2)),
    (Slotted(1, 2), Slotted(1, 3)),
    (Items(1), Items(2)),
    (Items(1, note=1), Items(1, note=2)),
    (Items(1), [1]),
    (range(3), range(4)),
    (slice(1), slice(2)),
    (memoryview(b"a"), memoryview(b"b")),
    ({1: 2}.keys(), {2: 2}.keys()),
    ({1: 2}.items(), {1: 3}.items()),
    (types.MappingProxyType({1: 2}), types.MappingProxyType({1: 3})),
    (dt.date(2020, 1, 1), dt.date(2020, 1, 2)),
    (dt.date(2020, 1, 1), NAIVE),
    (NAIVE, NAIVE.replace(tzinfo=UTC)),
    (NAIVE, NAIVE.replace(fold=1)),
    (dt.time(1), dt.time(2)),
    (dt.timedelta(1), dt.timedelta(2)),
    (UTC, dt.timezone(dt.timedelta(hours=1))),
    (zoneinfo.ZoneInfo("UTC"), zoneinfo.ZoneInfo("Etc/GMT+1")),
    (decimal.Decimal("1.0"), decimal.Decimal("1.00")),
    (Fraction(1, 2), Fraction(1, 3)),
    (pathlib.Path("a"), pathlib.Path("b")),
    (pathlib.PurePosixPath("a"), pathlib.Path("a")),
    (uuid.UUID(int=1), uuid.UUID(int=2)),
    (ipaddress.ip_address("1.2.3.4"), ipaddress.ip_address("1.2.3.5")),
    (re.compile("a"), re.compile("a", re.I)),
    (re.match("(a)b", "ab"), re.match("a(b)", "ab")),
    (io.StringIO("a"), io.StringIO("b")),
    (io.StringIO("a"), moved(io.StringIO, "a", 1)),
    (io.BytesIO(b"a"), io.BytesIO(b"b")),
    (array.array("i", [1]), array.array("l", [1])),
    (logging.getLogger("a"), logging.getLogger("b")),
    (OwnLogger("a"), OwnLogger("b")),
    (hashlib.sha1(b"a"), hashlib.sha1(b"b")),
    (hashlib.sha1(b"a"), hashlib.sha256(b"a")),
    (hashlib.blake2b(b"a"), hashlib.blake2b(b"b")),
    (functools.partial(int, "1"), functools.partial(int, "2")),
    (len, max),
    (int, str),
    (Point, Slotted),
    (Point.__eq__, Point.__init__),
    ("".join, " ".join),
    (str.join, str.split),
    (Point(1).__eq__, Point(2).__eq__),
    (list[int], list[str]),
    (int | str, int | None),
    (json, re),
    (KeyError(1), KeyError(2)),
    (KeyError(1), ValueError(1)),
    (raised(KeyError(1), ValueError()), KeyError(1)),
    (OSError(2, "m", "a"), OSError(2, "m", "b")),
    (ExceptionGroup("m", [KeyError()]), ExceptionGroup("m", [ValueError()])),
]


@pytest.mark.parametrize(("left", "right"), DIFFERENT, ids=lambda v: type(v).__name__)
def test_a_value_equals_itself_and_differs_from_another(left: object, right: object) -> None:
    for value in (left, right):
        assert encode(value) == encode(value)
        assert difference(value, value, STRICT) is None
    assert difference(left, right) is not None
    assert difference(right, left) is not None


@pytest.mark.parametrize(("left", "right"), DIFFERENT, ids=lambda v: type(v).__name__)
def test_every_one_of_them_is_full_evidence(left: object, right: object) -> None:
    assert evidence(seen([left, right])) == "full"


def test_what_all_loggers_of_a_process_share_is_no_state_of_one() -> None:
    logger = OwnLogger("a")
    logger.parent = logging.getLogger("b")
    before = encode([logger])
    logging.getLogger("another, registered meanwhile")
    assert encode([logger]) == before


@pytest.mark.parametrize("name", [None, "some"])
def test_what_a_logger_has_worked_out_is_no_state_of_it(name: str | None) -> None:
    logger = logging.getLogger(name)
    before = encode([logger])
    logger.isEnabledFor(logging.INFO + 3)
    assert encode([logger]) == before


def test_what_a_thread_local_holds_is_its_state() -> None:
    held = threading.local()
    before = encode([held])
    held.locale = "de"
    assert encode([held]) != before
    del held.locale
    assert encode([held]) == before


def test_iterators_are_driven_to_their_end() -> None:
    pairs = [
        (map(str, [1]), map(str, [2])),
        (iter([1]), iter([2])),
        (zip([1], [2], strict=False), zip([1], [3], strict=False)),
        (itertools.chain([1]), itertools.chain([2])),
        ((x for x in [1]), (x for x in [2])),
    ]
    for left, right in pairs:
        assert encode(left, drives=True) != encode(right, drives=True)


def test_context_managers_of_generators_are_entered_and_left() -> None:
    def cleaning(value: object, log: list[str]) -> Iterator[object]:
        yield value
        log.append("left")

    async def also(value: object) -> AsyncIterator[object]:
        yield value

    log: list[str] = []
    sync, other = contextlib.contextmanager(cleaning), contextlib.asynccontextmanager(also)
    assert encode(sync(1, log), drives=True) == encode(sync(1, []), drives=True)
    assert log == ["left"]
    assert encode(sync(1, []), drives=True) != encode(sync(2, []), drives=True)
    assert encode(other(1), drives=True) != encode(other(2), drives=True)
    encode(sync(1, log))
    assert log == ["left"]  # what is only handed in is not run


def test_what_is_put_in_the_place_of_a_generator_is_not_run() -> None:
    class Eager:
        def __next__(self) -> int:
            raise AssertionError("nobody may call this")

    def nothing() -> Iterator[None]:
        yield None

    entered = contextlib.contextmanager(nothing)()
    vars(entered)["gen"] = Eager()
    assert "no generator" in encode(entered, drives=True)


def test_an_object_of_a_class_with_next_is_no_iterator_of_ours() -> None:
    class Endless:
        def __iter__(self) -> Endless:
            return self

        def __next__(self) -> int:
            raise AssertionError("nobody may call this")

    assert '"kind":"object"' in encode(Endless(), drives=True)


def test_addresses_are_taken_out_of_the_arguments_of_exceptions() -> None:
    assert "0x\\u2026" in encode(ValueError(f"bad {object()!r}"))


def test_caches_of_properties_are_no_state() -> None:
    class Cached:
        @functools.cached_property
        def costly(self) -> int:
            return 1

    used, unused = Cached(), Cached()
    assert used.costly == 1
    assert encode(used) == encode(unused)


def test_over_the_caps_values_are_cut_and_the_evidence_partial() -> None:
    wide = [[number] for number in range(110_000)]
    assert evidence(seen(wide)) == "partial"
    assert evidence(seen(["x" * 200_000 + str(i) for i in range(100)])) == "partial"


def test_deep_and_cyclic_values_are_written_without_recursion() -> None:
    chain: list[object] = []
    for _ in range(1_500):
        chain = [chain]
    assert difference(chain, chain, STRICT) is None
    assert difference(chain, [chain]) is not None
    loop: list[object] = [1]
    loop.append(loop)
    assert difference(loop, loop, STRICT) is None
    endless = Point(1)
    endless.y = endless
    assert difference(endless, Point(1, Point(1, endless))) is None
    assert difference(endless, Point(1, Point(2, endless))) is not None


def test_opaque_values_show_nothing_but_their_type() -> None:
    local = lambda: 1  # noqa: E731 - it is the lambda that is meant
    assert evidence(seen(local)) == "none"
    assert evidence(seen([local])) == "partial"
    assert difference(local, lambda: 2) is None
    assert difference(local, object()) is not None


def test_the_kinds_that_are_written_are_those_that_are_read() -> None:
    written = set(re.findall(r'"kind":"(\w+)"', "".join(encode([a, b]) for a, b in DIFFERENT)))
    driven = re.findall(
        r'"kind":"(\w+)"',
        encode([iter([1]), lambda: 1, lambda *abc: abc[2], frozenset()], drives=True),
    )
    assert written | {*driven} <= KINDS.keys()
    assert KINDS.keys() - written - {*driven} == {"array", "cut", "ref"}


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.complex_numbers(allow_nan=False),
    st.text(),
    st.binary(max_size=8),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.datetimes(),
    st.timedeltas(),
    st.uuids(),
    st.sampled_from(Colour),
)
HASHABLE = st.recursive(LEAVES, lambda inner: st.frozensets(inner, max_size=4), max_leaves=6)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.sets(HASHABLE, max_size=4),
        st.dictionaries(HASHABLE, inner, max_size=4),
        st.builds(Point, inner, inner),
        st.builds(Slotted, inner, inner),
        st.lists(inner, max_size=3).map(lambda items: Items(*items, note=1)),
        st.lists(inner, max_size=3).map(collections.deque),
    ),
    max_leaves=20,
)


@settings(max_examples=60, deadline=None)
@given(VALUES)
def test_equal_values_compare_equal(value: object) -> None:
    import copy

    assert difference(value, copy.deepcopy(value)) is None
    assert difference(value, value, STRICT) is None


@settings(max_examples=60, deadline=None)
@given(VALUES, st.data())
def test_a_changed_leaf_is_found(value: object, data: st.DataObject) -> None:
    path: list[str] = []
    changed = _with_another_leaf(value, data, path)
    found = difference(value, changed)
    assert found is not None
    assert found.startswith(("value", "len(value"))


def _with_another_leaf(value: object, data: st.DataObject, path: list[str]) -> object:
    """A copy of a value in which one leaf, or one container, is something else."""
    fresh = ("something", "else")
    match value:
        case list() | tuple() | collections.deque() if value:
            items: list[object] = list(value)
            position = data.draw(st.integers(0, len(items) - 1))
            items[position] = _with_another_leaf(items[position], data, path)
            if isinstance(value, Items):
                return Items(*items, note=value.note)
            return type(value)(items)
        case dict() if value:
            key = data.draw(st.sampled_from(list(value)))
            return value | {key: _with_another_leaf(value[key], data, path)}
        case set():
            return value | {fresh}
        case Point():
            return Point(value.x, _with_another_leaf(value.y, data, path))
        case Slotted():
            return Slotted(_with_another_leaf(value.shown, data, path), None)
        case _:
            return fresh


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(HASHABLE, LEAVES, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_dictionaries_and_sets_is_no_part_of_their_text(
    value: dict[object, object], random: object
) -> None:
    items = list(value.items())
    random.shuffle(items)  # type: ignore[attr-defined]
    assert encode(dict(items)) == encode(value)
    assert encode({key for key, _ in items}) == encode(set(value))


def test_what_is_known_of_classes_changes_no_text() -> None:
    classes = Classes()
    for left, right in DIFFERENT:
        for value in (left, right, [left, right]):
            assert encode(value, classes) == encode(value)


class Ancestor:
    pass


class OtherAncestor:
    @functools.cached_property
    def size(self) -> int:
        return 1


class Known(Ancestor):
    def __init__(self) -> None:
        self.size = 1
        self.name = "a"


def _rebound() -> None:
    globals()["Known"] = type("Known", (), {"__module__": __name__})


CLASS_CHANGES = {
    "its name": lambda: setattr(KNOWN, "__qualname__", "Renamed"),
    "its module": lambda: setattr(KNOWN, "__module__", "elsewhere"),
    "an attribute": lambda: setattr(KNOWN, "size", OtherAncestor.__dict__["size"]),
    "an ancestor's attribute": lambda: setattr(Ancestor, "name", OtherAncestor.__dict__["size"]),
    "an ancestor": lambda: setattr(KNOWN, "__bases__", (OtherAncestor,)),
    "another class of its name": _rebound,
    "nothing": lambda: None,
}
KNOWN = Known


@pytest.fixture
def unchanged_classes() -> Iterator[None]:
    yield
    globals()["Known"] = KNOWN
    KNOWN.__qualname__, KNOWN.__module__, KNOWN.__bases__ = "Known", __name__, (Ancestor,)
    for cls, name in ((KNOWN, "size"), (Ancestor, "name")):
        if name in vars(cls):
            delattr(cls, name)


@pytest.mark.usefixtures("unchanged_classes")
@pytest.mark.parametrize("change", CLASS_CHANGES)
def test_what_was_found_of_a_class_counts_as_long_as_it_is_the_same(change: str) -> None:
    value, known = KNOWN(), KnownClasses()
    before = encode(value)
    assert encode(value, Classes(known=known)) == before
    assert known.found, "it is known"
    CLASS_CHANGES[change]()
    after = encode(value)
    assert encode(value, Classes(known=known)) == after
    assert (after == before) is (change == "nothing")
