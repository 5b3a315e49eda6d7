"""Methods that copying, replacing and pickling ask for by themselves."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.slicer.small_programs import check

REPLACED = """\
import copy
class Paper:
    def __init__(self, **said): self.said = said
    def __replace__(self, /, **said): return Paper(**{**self.said, **said})
    def unused(self): return 1
def f(): return copy.replace(Paper(size=4), ink="red").said
"""


def test_what_copy_replace_asks_for_is_kept(tmp_path: Path) -> None:
    """Before Python 3.13 it has no such function, so that only the text shows it."""
    (tmp_path / "m.py").write_text(REPLACED)
    sliced = slice_function(Repository(tmp_path), "m.py::f").source
    assert "__replace__" in sliced
    assert "unused" not in sliced


@pytest.mark.skipif(sys.version_info < (3, 13), reason="copy.replace is of Python 3.13")
def test_what_is_replaced_is_the_same(tmp_path: Path) -> None:
    check(REPLACED, tmp_path)


HELD = """\
import copy, pickle
class Leaf:
    def __init__(self, n): self.n = n
    def __deepcopy__(self, memo): return Leaf(self.n + 1)
    def __reduce__(self): return Leaf, (self.n + 10,)
class Tree:
    def __init__(self, *leaves): self.leaves = {each.n: [each] for each in leaves}
def f():
    tree = Tree(Leaf(1), Leaf(2))
    return copy.deepcopy(tree).leaves[2][0].n, Leaf.__reduce__(tree.leaves[1][0])[1]
"""
CACHED = """\
from functools import cache
CALLS = []
class Key:
    def __init__(self, name): self.name = name
    def __eq__(self, other): return self.name == other.name
    def __hash__(self): return hash(self.name)
class Book:
    def __init__(self, key): self.key = key
    def __eq__(self, other): return isinstance(other, Book)
    def __hash__(self): return 1
    @cache
    def page(self, number): CALLS.append(number); return number
@cache
def look(key, *, twice=None): CALLS.append(key.name); return key.name
def f():
    look(Key('a')); look(Key('a')); look(Key('b'), twice=Key('c')); look(Key('b'), twice=Key('c'))
    Book(1).page(2); Book(2).page(2)
    return CALLS
"""


@pytest.mark.parametrize(
    "program", [HELD, CACHED], ids=["held by what is copied", "keys of a cache"]
)
def test_methods_that_nobody_names_are_kept(program: str, tmp_path: Path) -> None:
    check(program, tmp_path)
