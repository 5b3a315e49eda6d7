"""Members whose names a class lists: those are kept, and all where the list may be another."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.slicer.small_programs import check, programs

EXACT = programs("""\
# a tuple
class A:
    fields = ("one",)
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A().all()
# a list, and a loop
class A:
    fields: list = ["one"]
    def one(self): return 1
    def two(self): return 2
    def all(self):
        found = []
        for n in self.fields:
            found.append(getattr(self, n)())
        return found
def f(): return A().all()
# words of a text
class A:
    _fields = "one three".split()
    def one(self): return 1
    def two(self): return 2
    def three(self): return 3
    def all(self): return [getattr(self, n)() for n in self._fields]
def f(): return A().all()
# the first of each pair
class A:
    fields = (("one", 1), ("three", 3))
    def one(self): return 1
    def two(self): return 2
    def three(self): return 3
    def all(self): return [getattr(self, n)() + k for n, k in self.fields]
def f(): return A().all()
# a subclass lists more
class A:
    fields = ("one",)
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
class B(A):
    fields = A.fields + ("three",)
    def two(self): return 4
    def three(self): return 3
def f(): return A().all(), B().all()
# a subclass lists something else
class A:
    fields = ()
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
class B(A):
    fields = frozenset({"three"})
    def three(self): return 3
def f(): return B().all()
# a subclass that is never made
class A:
    fields = ()
    def two(self): return 2
    @classmethod
    def all(cls): return [getattr(cls, n)() for n in cls.fields]
class B(A):
    fields = {"three": 3}
    @classmethod
    def three(cls): return 3
def f(): return B.all()
# a mixin that lists nothing itself
class Mixin:
    fields = ()
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
class Base:
    fields = ("three",)
    def three(self): return 3
class C(Base, Mixin): pass
def f(): return C().all()
# a table with another one in it
class Base:
    fields = {"one": 1}
    def one(self): return 1
class A(Base):
    fields = {**Base.fields, "three": 3}
    def two(self): return 2
    def three(self): return 3
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A().all()
# slots
class A:
    __slots__ = ("one",)
    def __init__(self): self.one = 1
    def two(self): return 2
    def all(self): return [getattr(self, n) for n in self.__slots__]
def f(): return A().all()
# the class by its name
class A:
    fields = ("one",)
    def one(self): return 1
    def two(self): return 2
def f(): return [getattr(A, n)(A()) for n in A.fields]
# in lower case
class A:
    def one(self): return 1
    def two(self): return 2
def f(): return [getattr(A(), n.lower())() for n in ("ONE",)]
""")

ANY = programs("""\
# an instance lists others
class A:
    fields = ("one",)
    def __init__(self): self.fields = ["two"]
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A().all()
# somebody adds to the list
class A:
    fields = ["one"]
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
A.fields.append("tw" + "o")
def f(): return A().all()
# somebody adds to the list, later
class A:
    fields = ["one"]
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f():
    A.fields += ["tw" + "o"]
    return A().all()
# somebody sets it by a text
class A:
    fields = ["one"]
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f():
    setattr(A, "fields", ["tw" + "o"])
    return A().all()
# a keyword argument sets it
class A:
    fields = ["one"]
    def __init__(self, **given): vars(self).update(given)
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A(fields=["tw" + "o"]).all()
# a metaclass adds to it
class Meta(type):
    def __new__(mcs, name, bases, body):
        made = super().__new__(mcs, name, bases, body)
        made.fields += ("tw" + "o",)
        return made
class A(metaclass=Meta):
    fields = ("one",)
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A().all()
# a decorator gives it
def listing(cls):
    cls.fields = [n for n in vars(cls) if n.startswith("t")]
    return cls
@listing
class A:
    fields = ("one",)
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A().all()
# a base gives it to those that derive from it
class Base:
    fields = ()
    def __init_subclass__(cls): cls.fields = [n for n in vars(cls) if n.startswith("t")]
    def all(self): return [getattr(self, n)() for n in self.fields]
class A(Base):
    def one(self): return 1
    def two(self): return 2
def f(): return A().all()
# a property gives it
class A:
    @property
    def fields(self): return [n for n in dir(self) if n.startswith("t")]
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A().all()
# it is computed
def listed(): return ["tw" + "o"]
class A:
    fields = listed()
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A().all()
# another table in it
OTHERS = {"tw" + "o": 2}
class A:
    fields = {"one": 1, **OTHERS}
    def one(self): return 1
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A().all()
# it is unpacked
class A:
    fields, others = ("tw" + "o",), ()
    def two(self): return 2
    def all(self): return [getattr(self, n)() for n in self.fields]
def f(): return A().all()
""")


@pytest.mark.parametrize("program", EXACT.values(), ids=EXACT)
def test_the_listed_ones_are_kept_alone(program: str, tmp_path: Path) -> None:
    check(program, tmp_path)
    source = slice_function(Repository(tmp_path), "program.py::f").source
    assert "def two" not in source


@pytest.mark.parametrize("program", ANY.values(), ids=ANY)
def test_any_is_kept_where_the_list_may_be_another(program: str, tmp_path: Path) -> None:
    check(program, tmp_path)


def test_a_subclass_of_another_module_counts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(EXACT["a tuple"].partition("def f")[0])
    (tmp_path / "b.py").write_text(
        "from a import A\n"
        "class B(A):\n"
        "    fields = ['three', *A.fields]\n"
        "    def three(self): return 3\n"
        "def f(): return B().all()\n"
    )
    source = slice_function(Repository(tmp_path), "b.py::f").source
    assert [name for name in ("one", "two", "three") if f"def {name}" in source] == ["one", "three"]
