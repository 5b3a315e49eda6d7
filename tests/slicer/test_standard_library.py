"""What code of the standard library calls on objects of ours, makes of them and hands back."""

from __future__ import annotations

from pathlib import Path

import pytest

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

""",
    SHAPE,
)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_gives_the_same_sliced(program: str, tmp_path: Path) -> None:
    check(program, tmp_path)
