"""What code of the standard library calls on objects of ours, makes of them and hands back."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.slicer.small_programs import check, programs

SHAPE = """\
class Shape:
    def area(self): return 10


"""
PROGRAMS = programs(
    """\
# inherited constructor of dict
class Bag(dict):
    def total(self): return sum(self.values())
def f(): return Bag.fromkeys("ab", 2).total()

# inherited constructor of date
from datetime import date
class Day(date):
    def quarter(self): return (self.month - 1) // 3 + 1
def f(): return Day.fromisoformat("2020-03-31").quarter()

# inherited constructor of int, called in a method of the class
class Ident(int):
    @classmethod
    def read(cls, data): return cls.from_bytes(data, "big")
    def show(self): return f"#{int(self):04x}"
def f(): return Ident.read(b"ab").show()

# inherited constructor above an override
from datetime import date
class Day(date):
    @classmethod
    def fromisoformat(cls, text): return super().fromisoformat(text.strip())
    def quarter(self): return (self.month - 1) // 3 + 1
def f(): return Day.fromisoformat(" 2020-03-31").quarter()

# constructor of the metaclass of ctypes
import ctypes
class Header(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint8)]
    def describe(self): return f"k{self.kind}"
def f(): return Header.from_buffer_copy(b"a").describe()

# inherited constructor of a traceback
import traceback
class Shown(traceback.TracebackException):
    def short(self): return self.exc_type.__name__
def f(): return Shown.from_exception(KeyError("a")).short()

# a test case by the name of its method
import unittest
class T(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.db = 1
    def test_a(self): self.assertEqual(self.db, 1)
def f():
    r = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(T).run(r)
    T("test_a").run(r)
    return r.testsRun, len(r.errors)

# isinstance with structural classes
import contextlib, os
from collections.abc import Callable, Container, Hashable, Sized
from typing import Iterable, SupportsFloat
class All:
    def __len__(self): return 1
    def __iter__(self): return iter("a")
    def __contains__(self, item): return True
    def __call__(self): return 1
    def __fspath__(self): return "a"
    def __float__(self): return 1.5
    def __eq__(self, other): return True
    def __enter__(self): return self
    def __exit__(self, *exc): return None
def f():
    kinds = [Callable, Container, Hashable, Sized, Iterable, SupportsFloat]
    x = All()
    return (isinstance(x, Callable), isinstance(x, (int, Container)), isinstance(x, Hashable),
            isinstance(x, Sized), isinstance(x, Iterable), isinstance(x, SupportsFloat),
            isinstance(x, os.PathLike), isinstance(x, contextlib.AbstractContextManager))

# issubclass of a structural class
from collections.abc import Iterable
class A:
    def __iter__(self): return iter("a")
def f(): return issubclass(A, Iterable)

# a pattern with a structural class
from collections.abc import Iterable
class A:
    def __iter__(self): return iter("a")
def kind(x):
    match x:
        case Iterable(): return "it"
        case _: return "no"
def f(): return kind(A())

# equality takes the hash away
class C:
    def __init__(self, a): self.a = a
    def __eq__(self, o): return self.a == o.a
def f():
    try: return bool(hash(C(1)))
    except TypeError: return "no hash"

# an abstract class that decides itself
import abc
class Drawable(abc.ABC):
    @classmethod
    def __subclasshook__(cls, C): return hasattr(C, "draw")
class Sprite:
    def draw(self): return 1
def show(o): return o.draw() if isinstance(o, Drawable) else None
def f(): return show(Sprite())

# a class that is registered with an abstract one
import abc
class Plugin(abc.ABC): pass
class Third:
    def go(self): return 3
Plugin.register(Third)
def run(o): return o.go() if isinstance(o, Plugin) else None
def f(): return run(Third())

# a product
import math
class M:
    def __init__(self, n): self.n = n
    def __mul__(self, o): return M(self.n * o.n)
def f(): return math.prod([M(2), M(3)], start=M(1)).n

# a packed truth value
import struct
class Flag:
    def __bool__(self): return False
def f(): return struct.pack("?", Flag())

# a read-only view
import types
class Conf:
    def __getitem__(self, k): return 1
    def get(self, k, default=None): return default
def f(): return types.MappingProxyType(Conf()).get("b", 5)

# a group that derives its own, caught by a part of it
class Group(ExceptionGroup):
    def derive(self, errors): return Group("derived", errors)
    def count(self): return len(self.exceptions)
def f():
    try: raise Group("whole", [KeyError(), ValueError()])
    except* KeyError as group: found = group.message, group.count()
    except* ValueError: pass
    return found

# a group that derives its own, split
class Group(ExceptionGroup):
    def derive(self, errors): return Group("derived", errors)
def f():
    try: raise Group("whole", [KeyError(), ValueError()])
    except ExceptionGroup as group: return group.split(KeyError)[0].message

# a set that says how to make another
from collections.abc import Set
class Sorted(Set):
    def __init__(self, items): self.items = list(items)
    def __iter__(self): return iter(self.items)
    def __contains__(self, item): return item in self.items
    def __len__(self): return len(self.items)
    @classmethod
    def _from_iterable(cls, items): return cls(sorted(items))
def f(): return (Sorted("ca") | Sorted("b")).items

# what a pickle makes of what cannot be pickled
import io, pickle
class Pickler(pickle.Pickler):
    def reducer_override(self, value):
        return (list, ()) if getattr(value, "__name__", "") == "<lambda>" else NotImplemented
def f():
    file = io.BytesIO()
    Pickler(file).dump(lambda: 1)
    return pickle.loads(file.getvalue())

# handlers of a scheme, an error and an answer
import urllib.request
class Handler(urllib.request.BaseHandler):
    def mem_open(self, request): return request.host
    def mem_response(self, request, answer): return answer + "!"
    def http_error_418(self, request, file, code, message, headers): return message
def f():
    opener = urllib.request.build_opener(Handler)
    request = urllib.request.Request("http://a")
    return opener.open("mem://a"), opener.error("http", request, None, 418, "tea", {})

# help of a shell, by the beginning of its name
import cmd, io
class Shell(cmd.Cmd):
    def help_quit(self): self.stdout.write("how to quit")
def f():
    shown = io.StringIO()
    Shell(stdout=shown).onecmd("help quit")
    return shown.getvalue()

""",
    SHAPE,
)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_gives_the_same_sliced(program: str, tmp_path: Path) -> None:
    check(program, tmp_path)


def test_a_protocol_that_is_only_for_type_checkers_is_no_error(tmp_path: Path) -> None:
    program = """\
import importlib.metadata
class Found(dict):
    def items(self): return [1]
def names(info: importlib.metadata.PackageMetadata): return list(info.items())
def f(): return names(Found())
"""
    check(program, tmp_path)


def test_tests_are_started_by_runners_alone(tmp_path: Path) -> None:
    program = """\
import unittest
def helper(table): return table["run"]("a")
def other(): return 2
class T(unittest.TestCase):
    def test_a(self): self.assertEqual(helper({"run": len}), 1)
    def test_b(self): self.assertEqual(other(), 2)
def suite(): return unittest.TestLoader().loadTestsFromTestCase(T)
"""
    (tmp_path / "m.py").write_text(program)
    repository = Repository(tmp_path)
    assert "test_b" not in slice_function(repository, "m.py::T.test_a").source
    assert "test_b" in slice_function(repository, "m.py::suite").source
