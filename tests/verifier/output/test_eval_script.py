"""Eval scripts run in every layout and in every way, and tell a wrong implementation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.model import Emit
from slicefunc.verifier.execution.executors.interface import Case
from slicefunc.verifier.output.eval_script import eval_script
from slicefunc.verifier.output.exporter import RecordedCase
from slicefunc.verifier.same_code.sanity_checks import Evaluated, sanity_checks

from tests.nightly import one_in
from tests.verifier.observation.running import run_records

NOTHING = (
    '{"outcome":"returned","value":1,"arguments":[],"globals":[],"files":[],"effects":[],'
    '"stdout":"","stderr":"","shared":[]}'
)
PRINTED = NOTHING.replace('"value":1', '"value":null').replace('"stdout":""', '"stdout":"x"')


class Example(NamedTuple):
    """A module, its target, and the body of a case."""

    text: str
    target: str
    case: str
    right: str
    """Text of the new implementation, and what makes it wrong."""
    wrong: str
    observation: str = NOTHING
    is_async: bool = False


SHAPE = '''
class Shape:
    """A shape."""

    def __init__(self, size=1):
        self.size = size

    @classmethod
    def twice(cls, size):
        return cls(size * 2)

    @staticmethod
    def area(size):
        return size * size

    @property
    def half(self):
        return self.size / 2

    @half.setter
    def half(self, value):
        self.size = value * 2

    def grow(self, by):
        self.size += by

    def __eq__(self, other):
        return self.size == other.size

    def depth(self, n):
        return 0 if n <= 0 else 1 + self.depth(n - 1)


class Tile(Shape):
    @property
    def whole(self):
        return self.half * 2 if self.size < 4 else self.smaller().whole

    def smaller(self):
        return Tile(self.size - 3)

    def walk(self, n):
        return [self.size, *self.step(n)]

    def step(self, n):
        return self.walk(n - 1) if n else []


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)
'''
COMMAND = """
class Command:
    def __init__(self, callback):
        self.callback = callback


class Page:
    @Command
    def title(self, text):
        return text.upper()
"""
EXAMPLES = {
    "method kept by a decorator": Example(
        COMMAND, "Page.title", "page = Page()\nreturn page.title.callback(page, 'you')",
        "upper", "lower",
    ),
    "value": Example(
        "def f(items):\n    return items[1:]\n", "f", "return f(items=[1, 2])", "[1:]", "[2:]"
    ),
    "error": Example(
        "def f(n):\n    if n < 0:\n        raise ValueError(n)\n", "f", "return f(-1)",
        "ValueError", "KeyError",
    ),
    "changed argument": Example(
        "def f(items):\n    items.append(1)\n", "f", "items = []\nreturn f(items)", "(1)", "(2)"
    ),
    "argument that is called": Example(
        "def f(add, items):\n    return [add(each) for each in items]\n", "f",
        "class Add:\n    def __call__(self, it):\n        return it + 1\n"
        "return f(add=Add(), items=[1])",
        "add(each)", "each",
    ),
    "printed": Example("def f():\n    print('x')\n", "f", "return f()", "'x'", "'y'", PRINTED),
    "generator": Example(
        "def f(n):\n    yield from range(n)\n", "f", "return f(n=3)", "(n)", "(n - 1)"
    ),
    "coroutine": Example(
        "async def f(n):\n    return n\n", "f", "return await f(n=3)", "return n", "return 0",
        is_async=True,
    ),
    "async generator": Example(
        "async def f(n):\n    yield n\n", "f", "async for _ in f(n=3):\n    pass",
        "yield n", "yield 0", is_async=True,
    ),
    "recursion": Example(
        "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n", "f", "return f(n=4)", "1 if", "2 if"
    ),
    "names of helpers": Example(
        "def random(n):\n    return n\n\n\ndef _observed(n):\n    return random(n)\n\n\n"
        "def f(io):\n    return _observed(io)\n",
        "f", "return f(io=3)", "(io)", "(0)",
    ),
    "method": Example(
        SHAPE, "Shape.grow", "shape = Shape(2)\nreturn shape.grow(by=3)", "+= by", "+= 1"
    ),
    "class method": Example(SHAPE, "Shape.twice", "return Shape.twice(size=2)", "* 2", "* 3"),
    "static method": Example(SHAPE, "Shape.area", "return Shape.area(2)", "* size", "* 3"),
    "property": Example(SHAPE, "Shape.half", "shape = Shape(3)\nreturn shape.half", "/ 2", "/ 3"),
    "constructor": Example(SHAPE, "Shape.__init__", "return Shape(size=3)", "= size", "= 0"),
    "operator": Example(
        SHAPE, "Shape.__eq__", "shape = Shape()\nreturn shape.__eq__(other=Shape())", "==", "!="
    ),
    "recursive property": Example(
        SHAPE, "Tile.whole", "tile = Tile(5)\nreturn tile.whole", "* 2", "* 3"
    ),
    "functions that call one another": Example(
        SHAPE, "is_even", "return is_even(n=3)", "n == 0", "n == 1"
    ),
    "methods that call one another": Example(
        SHAPE, "Tile.walk", "tile = Tile(1)\nreturn tile.walk(n=2)", "[self.size", "[n"
    ),
    "recursive method": Example(
        SHAPE, "Shape.depth", "shape = Shape()\nreturn shape.depth(n=3)", "1 +", "2 +"
    ),
}  # fmt: skip
WAYS = {
    "run": "import subprocess, sys; sys.exit(subprocess.run([sys.executable, 'ev.py']).returncode)",
    "import": "import ev; ev.test_{0}()",
    "runpy": "import runpy; runpy.run_path('ev.py', run_name='__main__')",
    "another name": (
        "import importlib.util as u; s = u.spec_from_file_location('other', 'ev.py'); "
        "m = u.module_from_spec(s); s.loader.exec_module(m); m.test_{0}()"
    ),
}


def _script(folder: Path, example: Example, emit: Emit, *, carried: bool = False) -> str:
    package = folder / "shapes"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    head = "from shapes.user import USED\n\n\n" if emit == "modules" else ""
    tail = f"\n\n{example.target.split('.')[0]}.used = USED\n" if head else ""
    user = "import shapes.it\n\nUSED = 1\n" if carried else "USED = 1\n"
    (package / "user.py").write_text(user)
    (package / "it.py").write_text(head + example.text + tail)
    sliced = slice_function(Repository(folder), f"shapes/it.py::{example.target}", emit=emit)
    assert sliced.manifest.layout == emit
    word = "async def" if example.is_async else "def"
    body = "".join(f"    {line}\n" for line in example.case.splitlines())
    seen = RecordedCase(Case("case_one", f"{word} case_one():\n{body}"), example.observation)
    text = eval_script(sliced.source, "shapes/it.py", example.target, [seen])
    name = example.target.rpartition(".")[2]
    checks = sanity_checks(Evaluated(example.target, example.text, (), sliced.source, text))
    assert [c for c in checks if not c.is_passed and c.name != "target-tokens"] == [], name
    return text


def _status(folder: Path, text: str, code: str) -> int:
    (folder / "ev.py").write_text(text)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, timeout=60)
    return done.returncode


@pytest.mark.parametrize("layout", ["flat", "visible", "carried"])
@pytest.mark.parametrize("name", one_in(2, EXAMPLES))
def test_a_copy_passes_and_a_wrong_one_does_not(tmp_path: Path, name: str, layout: str) -> None:
    example = EXAMPLES[name]
    emit: Emit = "flat" if layout == "flat" else "modules"
    text = _script(tmp_path / "repo", example, emit, carried=layout == "carried")
    assert _status(tmp_path, text, WAYS["run"]) == 0
    head, mark, rest = text.partition("_new_implementation")
    at = rest.index(example.right)
    wrong = head + mark + rest[:at] + example.wrong + rest[at + len(example.right) :]
    assert _status(tmp_path, wrong, WAYS["run"]) == 1


@pytest.mark.parametrize("layout", ["flat", "visible", "carried"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", one_in(2, ["recursion", "constructor"]))
def test_it_runs_in_four_ways(tmp_path: Path, name: str, way: str, layout: str) -> None:
    example = EXAMPLES[name]
    emit: Emit = "flat" if layout == "flat" else "modules"
    text = _script(tmp_path / "repo", example, emit, carried=layout == "carried")
    test = example.target.rpartition(".")[2]
    assert _status(tmp_path, text, WAYS[way].format(test)) == 0


def test_the_test_runs_when_it_is_run(tmp_path: Path) -> None:
    for emit, carried in (("flat", False), ("modules", False), ("modules", True)):
        folder = tmp_path / f"{emit}{carried}"
        text = _script(folder, EXAMPLES["value"], emit, carried=carried)
        broken = text.replace("assert actual.error is", "assert actual.error is not")
        assert _status(tmp_path, broken, WAYS["run"]) == 1


def test_a_case_that_repeats_its_call_is_left_out() -> None:
    case = Case("case_one", "def case_one():\n    return [f(n) for n in (1, 2)]\n")
    text = eval_script("def f(n):\n    return n\n", "a.py", "f", [RecordedCase(case, NOTHING)])
    assert "case_one" not in text


WRITES = """
def f(name):
    with open(name, "w") as file:
        file.write("right")
"""


def test_files_that_a_version_leaves_are_compared_and_taken_away(tmp_path: Path) -> None:
    case = Case("case_one", "def case_one():\n    return f('a.txt')\n")
    _, record, _ = run_records(tmp_path, WRITES, "f", "return f('a.txt')")
    observed = record.partition('"observation":')[2][:-1]
    assert "files ==" not in eval_script(WRITES, "a.py", "f", [RecordedCase(case, NOTHING)])
    text = eval_script(WRITES, "a.py", "f", [RecordedCase(case, observed)])
    assert "    assert actual.files == expected.files\n" in text
    assert _status(tmp_path, text, WAYS["run"]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"ev.py", "box", "records"}
    head, mark, rest = text.partition("_new_implementation")
    wrong = head + mark + rest.replace("right", "wrong", 1)
    assert _status(tmp_path, wrong, WAYS["run"]) == 1
