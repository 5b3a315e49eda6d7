"""Chunks: which pieces a file has, where they are, and what a class keeps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from textwrap import dedent, indent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.retrieval.chunks import LONGEST_BLOCK, Chunk, chunks_of
from slicefunc.llm.retrieval.languages import LANGUAGES, language_of

PYTHON = '''\
"""Shapes."""

import math

@dataclass
class Shape(Base):
    """A shape."""

    sides: int = 0  # of any length

    @property
    def area(self) -> float:
        """Its area."""
        return secret(self)

    class Inner:
        depth = 2

        async def walk(self):
            return other_secret(self)

    def name(self): return "shape"

def outer(x):
    def helper(y):
        return y + x
    return helper

LIMIT = 3
if LIMIT:
    LIMIT += 1
'''
JAVA = """\
package shapes;

import java.util.List;

@Deprecated
public class Shape extends Base {
    private int sides = 1;

    public Shape(int sides) {
        this.sides = secret(sides);
    }

    @Override
    public int area(int height) {
        return otherSecret(height);
    }

    static class Inner {
        int depth() { return 2; }
    }
}

interface Figure {
    int area();
}

record Point(int x) {
    int twice() {
        return secret(x);
    }
}
"""
JAVASCRIPT = """\
import base from "base";

export class Shape extends Base {
  sides = 1;
  area(height) {
    return secret(height);
  }
}

export default function main() {
  return new Shape();
}

const LIMIT = 3;
function* numbers() {
  yield 1;
}
"""
GO = """\
package shapes

import "fmt"

type Shape struct {
	Sides int
}

func (s *Shape) Area(height int) int {
	return secret(s, height)
}

func (Shape) Name() string {
	return "shape"
}

type Figure interface {
	Area(height int) int
}

const Limit = 3

func main() {
	fmt.Println(Limit)
}
"""
RUST = """\
use std::fmt;

pub struct Shape {
    sides: u32,
}

impl Shape {
    pub fn area(&self) -> u32 {
        secret(self)
    }
}

impl fmt::Display for Point {
    fn fmt(&self) -> String {
        other_secret(self)
    }
}

trait Figure {
    fn area(&self) -> u32;
    fn twice(&self) -> u32 {
        secret(self)
    }
}

mod inner {
    const LIMIT: u32 = 3;
    pub fn deep() -> u32 {
        LIMIT
    }
}
"""
EXPECTED = {
    "shapes.py": (
        PYTHON,
        [
            "1-3 block ",
            "5-22 class Shape",
            "11-14 function Shape.area",
            "16-20 class Shape.Inner",
            "19-20 function Shape.Inner.walk",
            "22-22 function Shape.name",
            "24-27 function outer",
            "29-31 block ",
        ],
    ),
    "Shapes.java": (
        JAVA,
        [
            "1-3 block ",
            "5-21 class Shape",
            "9-11 function Shape.Shape",
            "13-16 function Shape.area",
            "18-20 class Shape.Inner",
            "19-19 function Shape.Inner.depth",
            "23-25 class Figure",
            "24-24 function Figure.area",
            "27-31 class Point",
            "28-30 function Point.twice",
        ],
    ),
    "shapes.mjs": (
        JAVASCRIPT,
        [
            "1-1 block ",
            "3-8 class Shape",
            "5-7 function Shape.area",
            "10-12 function main",
            "14-14 block ",
            "15-17 function numbers",
        ],
    ),
    "shapes.go": (
        GO,
        [
            "1-3 block ",
            "5-7 class Shape",
            "9-11 function Shape.Area",
            "13-15 function Shape.Name",
            "17-19 class Figure",
            "21-21 block ",
            "23-25 function main",
        ],
    ),
    "shapes.rs": (
        RUST,
        [
            "1-1 block ",
            "3-5 class Shape",
            "7-11 class Shape",
            "8-10 function Shape.area",
            "13-17 class Point",
            "14-16 function Point.fmt",
            "19-24 class Figure",
            "20-20 function Figure.area",
            "21-23 function Figure.twice",
            "26-31 class inner",
            "28-30 function inner.deep",
        ],
    ),
}


def cut(text: str, path: str = "module.py") -> list[Chunk]:
    language = language_of(path)
    assert language is not None
    return list(chunks_of(path, text.encode(), language))


def shown(chunks: list[Chunk]) -> list[str]:
    return [f"{each.first}-{each.last} {each.kind} {each.name}" for each in chunks]


@pytest.mark.parametrize("path", EXPECTED)
def test_a_file_of_any_language_is_cut_along_its_syntax(path: str) -> None:
    text, chunks = EXPECTED[path]
    assert shown(cut(text, path)) == chunks


def test_an_example_of_every_language_is_there() -> None:
    assert {language_of(path) for path in EXPECTED} == set(LANGUAGES)


@pytest.mark.parametrize("path", EXPECTED)
def test_a_chunk_that_is_no_class_has_the_text_of_its_lines(path: str) -> None:
    text, _ = EXPECTED[path]
    lines = text.splitlines(keepends=True)
    for each in cut(text, path):
        if each.kind != "class":
            assert each.text == "".join(lines[each.first - 1 : each.last])


@pytest.mark.parametrize("path", EXPECTED)
def test_a_class_is_cut_without_the_bodies_of_its_methods(path: str) -> None:
    text, _ = EXPECTED[path]
    chunks = cut(text, path)
    assert any("ecret(" in each.text for each in chunks if each.kind == "function")
    assert not any("ecret(" in each.text for each in chunks if each.kind == "class")


def test_a_class_keeps_its_head_its_attributes_and_the_heads_of_its_members() -> None:
    outline = next(each for each in cut(PYTHON) if each.name == "Shape").text
    kept = [
        "@dataclass",
        "class Shape(Base):",
        '    """A shape."""',
        "    sides: int = 0  # of any length",
        "    @property",
        "    def area(self) -> float:",
        "    class Inner:",
    ]
    assert [line for line in outline.splitlines() if line in kept] == kept


def test_a_head_of_several_lines_is_kept_whole() -> None:
    head = "    def area(\n        self,\n        height,\n    ):\n"
    outline, _ = cut(f"class Shape:\n{head}        return secret(height)\n")
    assert outline.text == f"class Shape:\n{head}"


def test_decorators_belong_to_what_they_decorate() -> None:
    function, method = (
        "@one\n@two(\n    3,\n)\ndef f():\n    pass\n",
        "    @three\n    def g(self): ...\n",
    )
    first, _, last = cut(f"{function}class A:\n{method}")
    assert (first.text, last.text) == (function, method)


def test_a_function_in_a_function_is_part_of_it() -> None:
    text = "def outer():\n    def inner():\n        class Deep: ...\n    return inner\n"
    assert shown(cut(text)) == ["1-4 function outer"]


def test_a_comment_that_ends_with_its_line_is_on_no_other_line() -> None:
    block, function = cut("/// What it does.\nfn main() {\n}\n", "main.rs")
    assert (block.text, function.text) == ("/// What it does.\n", "fn main() {\n}\n")


def test_consecutive_statements_are_one_block() -> None:
    (block,) = cut("import a\n\n# about b\nb = 1\nif b:\n    c = 2\n")
    assert (block.first, block.last, block.kind, block.name) == (1, 6, "block", "")


def test_a_long_run_of_statements_is_several_blocks() -> None:
    text = "".join(f"x{number} = {number}\n" for number in range(3 * LONGEST_BLOCK))
    blocks = cut(text)
    assert len(blocks) > 1
    assert "".join(each.text for each in blocks) == text
    assert all(each.last - each.first < LONGEST_BLOCK for each in blocks)


@pytest.mark.parametrize("text", ["", "\n\n", "   \n"])
def test_an_empty_file_has_no_chunks(text: str) -> None:
    assert cut(text) == []


def test_a_file_that_is_no_python_is_cut_all_the_same() -> None:
    text = "def f(:\n    return (\n\ndef whole():\n    return 1\n"
    assert any("def whole():" in each.text for each in cut(text))


def test_bytes_that_are_no_text_are_cut_all_the_same() -> None:
    language = language_of("a.py")
    assert language is not None
    content = b"x = '\xff'\n\ndef f():\n    return 1\n"
    block, function = chunks_of("a.py", content, language)
    assert block.text == "x = '�'\n"
    assert function.name == "f"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_ends_of_lines_are_kept(ending: str) -> None:
    text = ending.join(["x = 1", "def f():", "    return 1", "def g():", "    return 2", ""])
    chunks = cut(text)
    assert "".join(each.text for each in chunks) == text
    assert [each.name for each in chunks] == ["", "f", "g"]


def test_a_carriage_return_in_a_text_moves_no_chunk() -> None:
    chunks = cut("x = '\r'\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n")
    assert [each.text for each in chunks[1:]] == [
        "def f():\n    return 1\n",
        "def g():\n    return 2\n",
    ]


def test_a_class_is_cut_without_the_comments_in_the_bodies_of_its_methods() -> None:
    outline, _ = cut("class A:\n    def f(self):\n        # how it is done\n        return 1\n")
    assert "how it is done" not in outline.text


def test_an_enum_is_cut_without_the_bodies_of_its_methods() -> None:
    text = "enum Color {\n  RED, GREEN;\n  int code() {\n    return secret(7);\n  }\n}\n"
    outline, method = cut(text, "Color.java")
    assert method.name == "Color.code"
    assert "secret" not in outline.text


def test_a_method_of_a_generic_type_has_the_name_of_the_type_in_go() -> None:
    text = "package p\n\nfunc (s *Stack[T]) Push(item T) {\n}\n"
    assert cut(text, "stack.go")[-1].name == "Stack.Push"


def test_a_method_of_a_generic_type_has_the_name_of_the_type_in_rust() -> None:
    text = "impl<T> Stack<T> {\n    fn push(&mut self, item: T) {\n    }\n}\n"
    assert cut(text, "stack.rs")[-1].name == "Stack.push"


@dataclass(frozen=True)
class Piece:
    """Some lines of a module, and the qualified names of what they define."""

    text: str
    functions: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()


NAMES = st.from_regex(r"[a-z][a-z_0-9]{2,6}_[0-9]", fullmatch=True)
STATEMENTS = st.sampled_from(
    [
        "x = 1\n",
        "import os\n",
        "# a comment\n",
        "\n",
        "if x:\n    y = 2\nelse:\n    y = 3\n",
        'text = """one\ntwo\n  three\n"""\n',
        "values = [\n    1,\n\n    2,\n]\n",
        "def_ = class_ = 'def f(): pass'\n",
    ]
)
BODIES = st.lists(STATEMENTS.filter(lambda each: "one\ntwo" not in each), max_size=3).map(
    lambda lines: "".join(lines) + "return None\n"
)


@st.composite
def functions(draw: st.DrawFn) -> Piece:
    name = draw(NAMES)
    before = draw(st.sampled_from(["", "@one\n", "@one\n@two(\n    3\n)\n"]))
    head = draw(st.sampled_from(["def {}():\n", "async def {}(a, *b):\n", "def {}(\n    a,\n):\n"]))
    doc = draw(st.sampled_from(["", '"""Doc."""\n', '"""Doc\n\nof more lines.\n"""\n']))
    return Piece(before + head.format(name) + indent(doc + draw(BODIES), "    "), (name,))


@st.composite
def classes(draw: st.DrawFn, depth: int = 2) -> Piece:
    name = draw(NAMES)
    inner = [functions(), STATEMENTS.map(Piece)] + ([classes(depth - 1)] if depth else [])
    members = draw(st.lists(st.one_of(inner), max_size=4))
    text = "".join(each.text for each in members) + "last = 1\n"
    decorator = draw(st.sampled_from(["", "@one\n"]))
    return Piece(
        f"{decorator}class {name}:\n" + indent(text, "    "),
        tuple(f"{name}.{each}" for member in members for each in member.functions),
        (name, *(f"{name}.{each}" for member in members for each in member.classes)),
    )


MODULES = st.lists(st.one_of(functions(), classes(), STATEMENTS.map(Piece)), max_size=8)


@given(MODULES)
def test_every_line_with_something_on_it_is_in_a_chunk(pieces: list[Piece]) -> None:
    text = "".join(each.text for each in pieces)
    chunks = cut(text)
    for number, line in enumerate(text.splitlines(), start=1):
        around = [each for each in chunks if each.first <= number <= each.last]
        assert not line.strip() or any(line in each.text.splitlines() for each in around)


@given(MODULES)
def test_every_function_and_class_is_the_name_of_a_chunk(pieces: list[Piece]) -> None:
    chunks = cut("".join(each.text for each in pieces))
    for kind in ("function", "class"):
        wanted = [
            n for each in pieces for n in (each.functions if kind == "function" else each.classes)
        ]
        assert sorted(each.name for each in chunks if each.kind == kind) == sorted(wanted)


@given(MODULES)
def test_the_chunk_of_a_function_is_the_function(pieces: list[Piece]) -> None:
    for each in cut("".join(each.text for each in pieces)):
        if each.kind == "function":
            compile(dedent(each.text), each.label, "exec")
            assert each.name.rpartition(".")[2] in each.text


@given(MODULES)
def test_functions_and_blocks_share_no_line(pieces: list[Piece]) -> None:
    parts = [each for each in cut("".join(each.text for each in pieces)) if each.kind != "class"]
    for one, next_one in pairwise(parts):
        assert one.last < next_one.first
