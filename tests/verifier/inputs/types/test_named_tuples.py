"""Named tuples that a call makes are given like those that a class statement makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.inputs.types.isinstance_classes import isinstance_classes

if TYPE_CHECKING:
    from pathlib import Path

MADE = """
import collections
from collections import namedtuple
from typing import NamedTuple

Point = namedtuple("Point", "x, y")
Name = NamedTuple("Name", [("first", str), ("times", int)])
Line = NamedTuple("Line", [("start", Point), ("label", "str")])
Size = collections.namedtuple("Size", ["width", "height"], defaults=[2])
Pair = namedtuple("Pair", ("left", "right"))
Other = dict(a=1)

class Area(namedtuple("Area", "width height")):
    def size(self):
        return self.width * self.height

class Spot(NamedTuple):
    lat: int
    lon: int
"""


def texts(folder: Path, target: str, *, is_imported: bool = False) -> tuple[str, ...]:
    """What the first parameter of `f` can be."""
    (folder / "made.py").write_text(MADE)
    (folder / "a.py").write_text(f"from made import *\n{target}" if is_imported else MADE + target)
    repository = Repository(folder)
    found = inputs_of(repository, slice_function(repository, "a.py::f"))
    assert found is not None
    plain = "__import__(\"importlib\").import_module('made')."
    return tuple(text.replace(plain, "") for text in found.pools[0].texts)


@pytest.mark.parametrize("is_imported", [False, True])
@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("def f(p: Point):\n    return p._replace(x=p.x + p.y)\n", "Point(x=1.5, y=1.5)"),
        ("def f(p: Point):\n    a, b = p\n    return a.upper() + b.upper()\n",
         "Point(x='x-1', y='y-1')"),
        ("def f(p: Point):\n    return p[0].upper(), p[-1] + 1\n", "Point(x='x-1', y=1)"),
        ("def f(p: Point):\n    return p._replace(x=p.x) if p.y == 'up' else p.x + 1\n",
         "Point(x=1, y='up')"),
        ("def f(p: Name):\n    return p\n", "Name(first='first-1', times=1)"),
        ("def f(p: Line):\n    return p.start.x + 1\n",
         "Line(start=Point(x=1, y=1.5), label='label-1')"),
        ("def f(ps: list[Pair]):\n    return [p.left + 1 for p in ps]\n",
         "[Pair(left=1, right='right-1'), Pair("),
        ("def f(p: Size | None):\n    return p.width * p.height * 2\n",
         "Size(width=1, height=1)"),
        ("def f(p: Area):\n    return p.size()\n", "Area(width=1, height=1)"),
        ("def f(p: type[Name]):\n    return p('a', 1)\n", "Name"),
        ("def f(p: Other):\n    return p.a + 1\n", "type('P', (), {"),
    ],
)  # fmt: skip
def test_annotations_name_them(
    tmp_path: Path, target: str, expected: str, *, is_imported: bool
) -> None:
    assert texts(tmp_path, target, is_imported=is_imported)[0].startswith(expected)


def test_each_outcome_of_a_test_of_a_field_has_a_value(tmp_path: Path) -> None:
    target = "def f(p: Name):\n    return 1 if p.first == 'Ann' else p.times\n"
    names = [text.partition(",")[0] for text in texts(tmp_path, target)]
    assert names[0] == "Name(first='Ann'"
    assert len(set(names)) > 1


def test_they_are_tested_for(tmp_path: Path) -> None:
    target = "def f(p):\n    return p if isinstance(p, Name) else None\n"
    assert "Name(first='first-1', times=1)" in texts(tmp_path, target)


@pytest.mark.parametrize("name", ["Point", "Spot"])
def test_the_slice_gets_those_that_only_a_docstring_names(tmp_path: Path, name: str) -> None:
    body = f'    """Shown.\n\n    Args:\n        p ({name}): where.\n    """\n    return p\n'
    (tmp_path / "a.py").write_text(f"{MADE}\n\ndef f(p):\n{body}")
    repository = Repository(tmp_path)
    sliced = slice_function(repository, "a.py::f")
    assert isinstance_classes(repository, sliced) == (f"a.py::{name}",)
    sliced = slice_function(repository, "a.py::f", keep=(f"a.py::{name}",))
    found = inputs_of(repository, sliced)
    assert found is not None
    assert found.pools[0].texts[0].startswith(f"{name}(")
    assert isinstance_classes(repository, sliced) == ()
