"""The six repository tools of a model, on a small repository."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from slicefunc.llm.tools import REPOSITORY_TOOLS, CodeIndex, ToolInputError, openai_schema
from slicefunc.llm.tools.code_index import index_of
from slicefunc.llm.tools.get_imports import undefined_names
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import TargetError

BASE = '''\
"""Shapes."""
from collections import OrderedDict
from dataclasses import dataclass
from typing import overload


class Shape:
    """Anything with an area."""

    unit = "cm"

    def __init__(self, name: str) -> None:
        self.name = name

    def area(self) -> float:
        """The area in square units."""
        return 0.0

    def describe(self) -> str:
        return f"{self.name}: {self.area()} {self.unit}"


@dataclass
class Point:
    x: int
    y: int = 0


class Registry(OrderedDict):
    """Shapes by name."""


@overload
def scaled(shape: int) -> int: ...
@overload
def scaled(shape: str) -> str: ...
def scaled(shape):
    return shape * 2
'''
SQUARES = '''\
"""Squares."""
import math as m

from .base import Point, Shape


class Square(Shape):
    def __init__(self, side: float) -> None:
        super().__init__("square")
        self.side = side

    def area(self) -> float:
        return self.side ** 2

    @property
    def diagonal(self) -> float:
        """Length from corner to corner."""
        return m.sqrt(2) * self.side


def bounding_square(points: list[Point]) -> Square:
    """The smallest square that holds all points."""
    return Square(max(max(p.x, p.y) for p in points))
'''
TOOLS = {tool.name: tool for tool in REPOSITORY_TOOLS}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shapes").mkdir()
    (tmp_path / "shapes/__init__.py").touch()
    (tmp_path / "shapes/base.py").write_text(BASE)
    (tmp_path / "shapes/squares.py").write_text(SQUARES)
    (tmp_path / "broken.py").write_text("def f(:\n")
    return tmp_path


@pytest.fixture
def index(folder: Path) -> CodeIndex:
    return index_of(Repository(folder))


def called(index: CodeIndex, name: str, **arguments: Any) -> str:
    return TOOLS[name].call(index, arguments)


def test_a_class_is_shown_with_inherited_members(index: CodeIndex) -> None:
    text = called(index, "get_class_info", class_name="Square")
    assert "class Square(Shape):" in text
    assert "def describe(self) -> str  # inherited from Shape" in text
    assert "# inherits from shapes/base.py::Shape" in text
    assert text.count("def area") == 1


def test_members_that_fit_a_thought_come_first(index: CodeIndex) -> None:
    text = called(index, "get_class_info", class_name="Square", thought="the corner length")
    assert text.index("def diagonal") < text.index("def __init__")


def test_a_name_is_met_by_the_nearest(index: CodeIndex) -> None:
    with pytest.raises(ToolInputError, match=r"did you mean shapes/squares\.py::Square"):
        called(index, "get_class_info", class_name="Sqare")


def test_a_name_of_several_is_not_guessed(index: CodeIndex) -> None:
    with pytest.raises(ToolInputError, match=r"2 are called area: shapes/base\.py::Shape\.area"):
        called(index, "get_signature", method_name="area")


@pytest.mark.parametrize("name", ["Square.area", "shapes/squares.py::Square.area"])
def test_a_qualified_name_is_enough(index: CodeIndex, name: str) -> None:
    assert "return self.side ** 2" in called(index, "get_method_body", method_name=name)


def test_an_inherited_method_has_the_body_of_its_class(index: CodeIndex) -> None:
    text = called(index, "get_method_body", class_name="Square", method_name="describe")
    assert text.startswith("# shapes/base.py:")
    assert "{self.area()}" in text


def test_the_constructor_of_a_dataclass_is_known(index: CodeIndex) -> None:
    text = called(index, "get_signature", class_name="Point", method_name="__init__")
    assert "def __init__(self, x: int, y: int = 0) -> None" in text


def test_a_method_of_a_standard_class_has_its_signature(index: CodeIndex) -> None:
    text = called(index, "get_method_body", class_name="Registry", method_name="move_to_end")
    assert text.startswith("def move_to_end(self, /, key, last=True)")
    assert "collections.OrderedDict, outside the repository" in text


def test_overloads_are_passed_over(index: CodeIndex) -> None:
    assert "return shape * 2" in called(index, "get_method_body", method_name="scaled")


def test_a_member_that_is_missing_is_told_with_those_that_are_there(index: CodeIndex) -> None:
    with pytest.raises(ToolInputError, match=r"has no member volume; it has .*diagonal"):
        called(index, "get_signature", class_name="Square", method_name="volume")


def test_missing_imports_have_all_their_sources(index: CodeIndex) -> None:
    text = called(index, "get_imports", code="def f(p: Point):\n    return m.pi + json.loads(p)\n")
    assert "from shapes.base import Point  # defined in shapes/base.py:" in text
    assert "import math as m  # as in 1 file of the repository" in text
    assert "import json  # a standard module" in text


def test_names_of_the_file_need_no_import(index: CodeIndex) -> None:
    text = called(index, "get_imports", code="Square(m.pi)", path="shapes/squares.py")
    assert text == "no name is undefined: no import is missing"


def test_files_outside_are_not_read(index: CodeIndex, folder: Path) -> None:
    (folder / "link.py").symlink_to("/etc/hostname")
    for path in ("../x.py", "/etc/hostname", "link.py"):
        with pytest.raises(TargetError):
            called(index, "get_imports", code="x", path=path)


def test_code_that_does_not_parse_is_told(index: CodeIndex) -> None:
    with pytest.raises(ToolInputError, match="the code does not parse: line 1"):
        called(index, "get_imports", code="def f(:")


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("x = 1\nprint(x)", []),
        ("def f(a):\n    return a + b", ["b"]),
        ("[i for i in rows]", ["rows"]),
        ("class A(Base):\n    y: Kind = z", ["Base", "Kind", "z"]),
        ("def f():\n    global seen\n    seen = 1\nprint(seen)", []),
        ("    def g(self):\n        return self.a, helper()", ["helper"]),
        ("try:\n    pass\nexcept Failed as e:\n    raise e", ["Failed"]),
    ],
    ids=["bound", "free", "comprehension", "class", "global", "indented", "exception"],
)
def test_undefined_names(code: str, names: list[str]) -> None:
    assert undefined_names(code) == names


def test_snippets_match_words_inside_identifiers(index: CodeIndex) -> None:
    text = called(index, "get_related_snippets", search_string="boundingSquare")
    assert text.startswith("# shapes/squares.py:21-23 (bounding_square)")


def test_relevant_classes_come_without_bodies(index: CodeIndex) -> None:
    text = called(index, "get_relevant_code", search_string="area of a shape")
    assert "def area(self) -> float: ..." in text
    assert "return 0.0" not in text


def test_a_search_that_finds_nothing_says_so(index: CodeIndex) -> None:
    with pytest.raises(ToolInputError, match="shares a word"):
        called(index, "get_relevant_code", search_string="zzz")


def test_unchanged_files_keep_their_records(folder: Path, index: CodeIndex) -> None:
    changed = folder / "shapes/base.py"
    changed.write_text(BASE + "\n\ndef added():\n    return 1\n")
    os.utime(changed, ns=(1, 1))
    again = index_of(Repository(folder), index)
    assert "added" in [each.qualname for each in again.definitions]
    assert again.stamps["shapes/squares.py"][1] is index.stamps["shapes/squares.py"][1]


def test_long_results_are_cut_and_say_how_to_go_on(folder: Path) -> None:
    body = "".join(f"    value = {number} * 'some text to fill it'\n" for number in range(900))
    (folder / "long.py").write_text(f"def long():\n{body}    return value\n")
    index = index_of(Repository(folder))
    first = called(index, "get_method_body", method_name="long")
    assert len(first) < 17_000
    note = first.splitlines()[-1]
    assert note.startswith("[lines 1-")
    following = int(note.rpartition("first_line=")[2].rstrip("]"))
    rest = called(index, "get_method_body", method_name="long", first_line=following)
    assert f"value = {following - 3} *" in rest.splitlines()[0]
    with pytest.raises(ToolInputError, match="the result has 903 lines"):
        called(index, "get_method_body", method_name="long", first_line=904)


@pytest.mark.parametrize("tool", REPOSITORY_TOOLS, ids=lambda tool: tool.name)
def test_each_parameter_is_described_for_models(tool: Any) -> None:
    function = openai_schema(tool)["function"]
    assert len(function["description"]) > 80
    properties = function["parameters"]["properties"]
    assert all(each["description"] for each in properties.values())
    assert function["parameters"]["additionalProperties"] is False


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "the argument class_name is missing"),
        ({"class_name": 3}, "class_name: input should be a valid string"),
        ({"class_name": "Square", "colour": 1}, "there is no argument colour"),
        ({"class_name": "Square", "first_line": 0}, "first_line: input should be greater"),
    ],
    ids=["missing", "type", "unknown", "range"],
)
def test_wrong_arguments_are_one_line(
    index: CodeIndex, arguments: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ToolInputError, match=problem) as error:
        TOOLS["get_class_info"].call(index, arguments)
    assert "\n" not in error.value.problem
    assert error.value.advice
