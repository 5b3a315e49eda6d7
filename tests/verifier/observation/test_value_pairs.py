"""What real functions return: two made alike agree, two made otherwise differ, or it is opaque.

Values are written as expressions, since those that are used up by reading must be made each time.
"""
# ruff: noqa: E501, F401, SLOT000 - expressions of one line each, which use what is imported

from __future__ import annotations

import array
import collections
import concurrent.futures
import contextlib
import contextvars
import csv
import ctypes
import datetime as dt
import decimal
import enum
import functools
import hashlib
import io
import ipaddress
import itertools
import mmap
import operator
import pathlib
import queue
import random
import re
import socket
import statistics
import string
import struct
import subprocess
import threading
import time
import types
import typing
import urllib.parse
import uuid
import weakref
import zoneinfo
from collections.abc import AsyncIterator, Iterator
from fractions import Fraction
from typing import Any

import pytest
from slicefunc.verifier.observation.compare_observations import first_difference
from slicefunc.verifier.observation.observation import Observation
from slicefunc.verifier.observation.shown_evidence import evidence

from tests.verifier.observation.running import STRICT, seen


class Bits(enum.Flag):
    A, B, C = 1, 2, 4


class Whole(enum.IntFlag):
    A, B = 1, 2


class Word(enum.StrEnum):
    A, B = "a", "b"


class Row(typing.NamedTuple):
    a: int
    b: object = None


class Marked(Row):
    """A named tuple with a dictionary."""


class Text(str):
    """A text with state."""


class Number(int):
    """A number with state."""


class Slots:
    __slots__ = ("__weakref__", "a", "b")

    def __init__(self, a: object) -> None:
        self.a = a


class SlotsAndMore(Slots):
    def __init__(self, a: object, c: object) -> None:
        super().__init__(a)
        self.c = c


class Struct(ctypes.Structure):
    _fields_ = (("x", ctypes.c_int),)


T = typing.TypeVar("T")


class Generic(typing.Generic[T]):
    pass


def with_state(value: Any, **state: object) -> Any:
    vars(value).update(state)
    return value


def noted(error: BaseException, *notes: str, cause: BaseException | None = None) -> BaseException:
    error.__cause__ = cause
    for note in notes:
        error.add_note(note)
    return error


def yielding(*items: object) -> Iterator[object]:
    yield from items


async def later(*items: object) -> AsyncIterator[object]:
    for item in items:
        yield item


async def awaited(value: object) -> object:
    return value


def done(value: object) -> concurrent.futures.Future[object]:
    made: concurrent.futures.Future[object] = concurrent.futures.Future()
    made.set_result(value)
    return made


def queued(*items: object) -> queue.Queue[object]:
    made: queue.Queue[object] = queue.Queue()
    for item in items:
        made.put(item)
    return made


def opened(mode: str) -> Any:
    """A file of ours, open."""
    return pathlib.Path(__file__).open(mode)


KEPT: list[object] = []


def kept(value: Any) -> Any:
    KEPT.append(value)
    return value


FULL = """
Bits.A | Bits.B                                 ; Bits.A | Bits.C
Bits(0)                                         ; Bits.A
Whole(1)                                        ; 1
Whole.A | Whole.B                               ; Whole.A
Word.A                                          ; Word.B
Word.A                                          ; "a"
types.MappingProxyType({1: 2})                  ; types.MappingProxyType({1: 3})
types.MappingProxyType(collections.ChainMap())  ; types.MappingProxyType(collections.ChainMap({1: 2}))
collections.ChainMap({1: 2}, {3: 4})            ; collections.ChainMap({1: 2, 3: 4})
collections.defaultdict(list, a=1)              ; collections.defaultdict(set, a=1)
collections.defaultdict(list, a=1)              ; collections.defaultdict(list, a=2)
collections.Counter("aab")                      ; collections.Counter("aa")
collections.Counter(a=0)                        ; collections.Counter()
collections.UserDict(a=1)                       ; collections.UserDict(a=2)
collections.OrderedDict(a=1, b=2).items()       ; collections.OrderedDict(a=1, b=3).items()
array.array("d", [1])                           ; array.array("f", [1])
array.array("d", [1])                           ; array.array("d", [2])
memoryview(b"ab")                               ; memoryview(b"ac")
memoryview(b"ab")                               ; memoryview(bytearray(b"ab"))
memoryview(b"abcd").cast("B", (2, 2))           ; memoryview(b"abcd")
range(0, 3, 2)                                  ; range(0, 5, 2)
slice(1, 2, 3)                                  ; slice(1, 2)
zoneinfo.ZoneInfo("Europe/Paris")               ; zoneinfo.ZoneInfo("Europe/Berlin")
dt.datetime(2020, 1, 1, tzinfo=zoneinfo.ZoneInfo("UTC")) ; dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
dt.timezone(dt.timedelta(hours=1), "x")         ; dt.timezone(dt.timedelta(hours=1), "y")
Fraction(2, 4)                                  ; Fraction(1, 3)
decimal.Decimal("NaN")                          ; decimal.Decimal("sNaN")
ipaddress.ip_network("1.2.3.0/24")              ; ipaddress.ip_network("1.2.3.0/25")
ipaddress.ip_address("::1")                     ; ipaddress.ip_address("::2")
ipaddress.ip_interface("1.2.3.4/8")             ; ipaddress.ip_interface("1.2.3.5/8")
functools.partial(int, "1", base=2)             ; functools.partial(int, "1", base=3)
functools.partialmethod(int, 1)                 ; functools.partialmethod(int, 2)
itertools.count(1, 2)                           ; itertools.count(1, 3)
itertools.cycle([1, 2])                         ; itertools.cycle([2, 1])
itertools.repeat(1, 3)                          ; itertools.repeat(1, 4)
itertools.product([1], [2])                     ; itertools.product([1], [3])
itertools.groupby("aab")                        ; itertools.groupby("abb")
itertools.tee([1])                              ; itertools.tee([2])
itertools.islice(yielding(1, 2, 3), 2)          ; itertools.islice(yielding(1, 2, 3), 3)
itertools.pairwise("abc")                       ; itertools.pairwise("abd")
zip([1], [2])                                   ; zip([1], [3])
map(str, [1])                                   ; map(str, [2])
map(abs, itertools.count())                     ; map(abs, itertools.count(1))
filter(None, [1, 0])                            ; filter(None, [2])
enumerate("a")                                  ; enumerate("a", 1)
reversed([1, 2])                                ; reversed([2, 1])
iter(collections.OrderedDict(a=1))              ; iter(collections.OrderedDict(b=1))
iter(collections.deque([1]))                    ; iter(collections.deque([2]))
reversed(collections.deque([1]))                ; reversed(collections.deque([2]))
iter(array.array("b", [1]))                     ; iter(array.array("b", [2]))
iter(memoryview(b"a"))                          ; iter(memoryview(b"b"))
struct.iter_unpack("b", b"ab")                  ; struct.iter_unpack("b", b"ac")
re.finditer("a", "aa")                          ; re.finditer("a", "a")
yielding(1, 2)                                  ; yielding(1, 3)
later(1)                                        ; later(2)
awaited(1)                                      ; awaited(2)
io.StringIO("a")                                ; io.StringIO("b")
opened("r")                                     ; opened("rb")
opened("rb")                                    ; opened("r+b")
ExceptionGroup("m", [KeyError(1)])              ; ExceptionGroup("m", [KeyError(2)])
noted(KeyError(1), "a")                         ; noted(KeyError(1), "b")
noted(KeyError(1), "a")                         ; KeyError(1)
noted(KeyError(), cause=ValueError())           ; noted(KeyError(), cause=TypeError())
ImportError("m", name="a")                      ; ImportError("m", name="b")
AttributeError("m", name="a")                   ; AttributeError("m", name="b")
NameError("m", name="a")                        ; NameError("m", name="b")
OSError(2, "m", "f", None, "g")                 ; OSError(2, "m", "f", None, "h")
UnicodeDecodeError("a", b"b", 0, 1, "r")        ; UnicodeDecodeError("a", b"b", 0, 1, "s")
SyntaxError("m", ("f", 1, 2, "t"))              ; SyntaxError("m", ("f", 1, 3, "t"))
StopIteration(1)                                ; StopIteration(2)
weakref.ref(kept(Slots(1)))                     ; weakref.ref(kept(Slots(2)))
weakref.ref(Slots(1))                           ; weakref.ref(kept(Slots(1)))
list[int]                                       ; list[str]
typing.List[int]                                ; typing.List[str]
typing.Optional[int]                            ; typing.Optional[str]
typing.Union[int, str]                          ; typing.Union[int, bytes]
typing.Callable[[int], str]                     ; typing.Callable[[str], str]
typing.Annotated[int, 1]                        ; typing.Annotated[int, 2]
Generic[int]                                    ; Generic[str]
int | str                                       ; int | bytes
with_state(Marked(1), note=1)                   ; with_state(Marked(1), note=2)
with_state(Marked(1), note=1)                   ; with_state(Marked(2), note=1)
Row(1, 2)                                       ; Row(1, 3)
Row(1, 2)                                       ; (1, 2)
Slots(1)                                        ; Slots(2)
Slots.__new__(Slots)                            ; Slots(1)
SlotsAndMore(1, 2)                              ; SlotsAndMore(1, 3)
SlotsAndMore(1, 2)                              ; SlotsAndMore(2, 2)
with_state(Text("a"), n=1)                      ; with_state(Text("a"), n=2)
with_state(Text("a"), n=1)                      ; with_state(Text("b"), n=1)
with_state(Number(1), n=1)                      ; with_state(Number(1), n=2)
with_state(Number(1), n=1)                      ; with_state(Number(2), n=1)
Number(1)                                       ; 1
pathlib.Path("a") / "b"                         ; pathlib.Path("a/c")
uuid.UUID(int=1)                                ; uuid.UUID(int=2)
re.compile("a").search("ba")                    ; re.compile("a").search("ba", 1)
time.gmtime(0)                                  ; time.gmtime(1)
urllib.parse.urlsplit("http://a/b")             ; urllib.parse.urlsplit("http://a/c")
subprocess.CompletedProcess(["a"], 0)           ; subprocess.CompletedProcess(["a"], 1)
statistics.NormalDist(1, 2)                     ; statistics.NormalDist(1, 3)
string.Template("a")                            ; string.Template("b")
contextlib.nullcontext(1)                       ; contextlib.nullcontext(2)
property(len)                                   ; property(abs)
decimal.Context(5)                              ; decimal.Context(6)
[1].append                                      ; [2].append
"""

PARTLY = """
done(1)                                         ; done(2)
collections.defaultdict(lambda: 1, a=1)         ; collections.defaultdict(lambda: 1, a=2)
weakref.WeakValueDictionary({1: kept(Slots(1))}) ; weakref.WeakValueDictionary({1: kept(Slots(2))})
weakref.WeakSet([kept(Slots(1))])               ; weakref.WeakSet([kept(Slots(2))])
typing.Literal[1]                               ; typing.Literal[True]
typing.ForwardRef("a")                          ; typing.ForwardRef("b")
queued(1)                                       ; queued(2)
threading.Event()                               ; with_state(threading.Event(), _flag=True)
"""

OPAQUE = """
kept(socket.socket())
io.TextIOWrapper(io.BytesIO(b"a"))
io.BufferedReader(io.BytesIO(b"a"))
Struct(1)
ctypes.c_int(1)
(ctypes.c_int * 2)(1, 2)
ctypes.pointer(ctypes.c_int(1))
csv.reader(["a,b"])
threading.Lock()
random.Random(1)
struct.Struct("i")
compile("1", "f", "eval")
operator.itemgetter(1)
contextvars.ContextVar("c")
mmap.mmap(-1, 4)
weakref.proxy(kept(Slots(1)))
types.CellType(1)
"""


def rows(table: str) -> list[list[str]]:
    return [[part.strip() for part in line.split(" ; ")] for line in table.strip().splitlines()]


def made(expression: str) -> Observation:
    return seen(eval(expression), drives=True)


@pytest.mark.parametrize(
    ("expression", "other", "shown"),
    [
        *([*row, "full"] for row in rows(FULL)),
        *([*row, "partial"] for row in rows(PARTLY)),
    ],
)
def test_two_made_alike_agree_and_two_made_otherwise_differ(
    expression: str, other: str, shown: str
) -> None:
    for one in (expression, other):
        assert first_difference(made(one), made(one), STRICT) is None
    for left, right in ((expression, other), (other, expression)):
        assert first_difference(made(left), made(right), STRICT) is not None
        assert first_difference(made(left), made(right)) is not None
    assert evidence(made(expression)) == shown


@pytest.mark.parametrize("expression", [row for (row,) in rows(OPAQUE)])
def test_what_cannot_be_read_is_opaque_and_no_evidence(expression: str) -> None:
    assert evidence(made(expression)) == "none"
    assert first_difference(made(expression), made(expression), STRICT) is None
    assert first_difference(made(expression), made("1")) is not None


@pytest.mark.parametrize("expression", ["hashlib.sha256(b'a')", "lambda: 1", "lambda: 'a'"])
def test_what_digests_and_what_can_be_called_is_evidence(expression: str) -> None:
    assert evidence(made(expression)) == "full"
    assert first_difference(made(expression), made(expression), STRICT) is None
    other = expression.replace("b'a'", "b'b'").replace(": 1", ": 2").replace(": 'a'", ": 'b'")
    assert first_difference(made(expression), made(other)) is not None
