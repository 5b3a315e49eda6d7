"""A candidate's names and its new module's: each keeps its own, whichever they share."""

from __future__ import annotations

import ast

import pytest
from slicefunc.verifier.scoring.module_holes import FilledText, holed

MODULE = '''\
from os.path import basename
import math

STEP = 100
SEEN = []


def part(value):
    return value + STEP


class Box:
    """A box."""

    size: int = 3

    def __init__(self, value):
        self.value = value


def target(value):
    global FIRST
    FIRST = value
    return Box(part(value))


def other(value):
    return late(part(value)), sum([value, STEP]), basename("a/b"), math.pi > 3


def late(value):
    return value * 2
'''
OTHERS = (210, 105, "b", True)


def run(candidate: str, name: str = "target") -> tuple[dict[str, object], FilledText]:
    """The module with a candidate, executed."""
    found = holed(MODULE, name).filled(candidate)
    assert isinstance(found, FilledText), found
    scope: dict[str, object] = {"__name__": "module"}
    exec(found.text, scope)
    return scope, found


OWN = {
    "a function": "def part(a, b): return a * b\ndef target(v): return part(v, 3)",
    "a function behind it": "def target(v): return part(v, 3)\ndef part(a, b): return a * b",
    "one that stands behind the target": "def late(a, b): return a * b\ndef target(v): return late(v, 3)",
    "a constant": "STEP = 3\ndef target(v): return v * STEP",
    "a default": "STEP = 3\ndef target(v, step=STEP): return v * step",
    "a builtin": "def sum(a, b): return a * b\ndef target(v): return sum(v, 3)",
    "an import": "from operator import mul as part\ndef target(v): return part(v, 3)",
    "an import of a module": "import operator as math\ndef target(v): return math.mul(v, 3)",
    "a class": "class Box:\n    def by(self, v): return v * 3\ndef target(v): return Box().by(v)",
    "a class as a base": "class Box:\n    by = 3\nclass Sub(Box): pass\ndef target(v): return v * Sub.by",
    "a decorator": "def part(f): return lambda v: f(v) * 3\n@part\ndef target(v): return v",
    "a lambda": "part = lambda a: a * 3\ntarget = lambda v: part(v)",
    "several at once": "STEP, late = 3, 4\ndef target(v): return v * STEP",
    "in branches": "try:\n    STEP = 1 / 0\nexcept ArithmeticError:\n    STEP = 3\ndef target(v): return v * STEP",
    "declared": "STEP = 1\ndef target(v):\n    global STEP\n    STEP = 3\n    return v * STEP",
    "in an inner function": "STEP = 3\ndef target(v):\n    def inner(): return v * STEP\n    return inner()",
    "in a comprehension": "STEP = 3\ndef target(v): return [v * STEP for v in [v]][0]",
    "beside a parameter": "STEP = 9\ndef target(v):\n    def part(STEP): return v * STEP\n    return part(3) + 0 * STEP",
    "beside a local": "STEP = 9\ndef part():\n    STEP = 3\n    return STEP\ndef target(v): return v * part()",
    "beside a comprehension": "STEP = 3\ndef target(v): return [STEP for STEP in [v]][0] * STEP",
    "beside a class": "STEP = 3\nclass A:\n    STEP = 9\n    def get(self): return STEP\ndef target(v): return v * A().get()",
    "beside an exception": "STEP = 9\ndef target(v):\n    try: raise ValueError(3)\n    except ValueError as STEP: return v * STEP.args[0]",
    "beside a pattern": "STEP = 9\ndef target(v):\n    match [v, 3]:\n        case [v, STEP]: return v * STEP",
    "beside a keyword": "STEP = 3\ndef part(STEP=0): return STEP\ndef target(v): return v * part(STEP=STEP)",
    "with :=": "STEP = 3\ndef target(v): return (part := v) * STEP + 0 * part",
    "its own name taken as well": "STEP_2 = 1\nSTEP = 3\ndef target(v): return v * STEP * STEP_2",
}


@pytest.mark.parametrize("name", OWN)
def test_both_keep_their_own(name: str) -> None:
    alone: dict[str, object] = {}
    exec(OWN[name], alone)
    scope, _ = run(OWN[name])
    assert scope["target"](5) == alone["target"](5) == 15  # type: ignore[operator]
    assert scope["other"](5) == OTHERS  # type: ignore[operator]


def test_what_is_repeated_is_the_modules() -> None:
    candidate = MODULE.replace('    """A box."""\n', "").replace(
        "def part(value):", "def part(value: int) -> int:"
    )
    scope, found = run(candidate)
    assert found.text.count("class Box") == 1
    assert found.text.count("def part") == 1
    assert type(scope["target"](5)) is scope["Box"]  # type: ignore[operator]
    assert found.added == frozenset()


def test_more_of_a_class_than_the_slice_holds_is_the_same_class() -> None:
    more = "    def twice(self):\n        return self.value * 2\n\n\ndef target"
    whole = MODULE.replace("\n\ndef target", "\n" + more)
    scope, found = run(whole)
    assert found.text.count("class Box") == 1
    assert type(scope["target"](5)) is scope["Box"]  # type: ignore[operator]
    needing = whole.replace("return Box(part(value))", "return Box(Box(value).twice())")
    scope, found = run(needing)
    assert scope["target"](5).value == 10  # type: ignore[operator]
    assert type(scope["target"](5)) is scope["Box"]  # type: ignore[operator]


def test_another_class_of_the_same_name_is_another() -> None:
    scope, _ = run("class Box:\n    size: int = 4\ndef target(value): return Box()")
    assert type(scope["target"](5)) is not scope["Box"]  # type: ignore[operator]
    assert scope["Box"](1).size == 3  # type: ignore[operator]


def test_what_is_read_first_means_the_modules() -> None:
    scope, _ = run(
        "from functools import lru_cache\npart = lru_cache(part)\ndef target(v): return part(v)"
    )
    assert scope["target"](5) == 105  # type: ignore[operator]
    scope, _ = run("STEP += 1\ndef target(v): return part(v)")
    assert scope["target"](5) == 106  # type: ignore[operator]


def test_a_global_that_the_target_makes_is_not_the_candidates_own() -> None:
    scope, found = run("FIRST = None\ndef target(v):\n    global FIRST\n    FIRST = v")
    scope["target"](5)  # type: ignore[operator]
    assert scope["FIRST"] == 5
    assert found.added == frozenset()


def test_what_nothing_needs_stays_behind() -> None:
    candidate = """
import missing_package
from module_of_the_repository import Thing, basename
from os.path import join, split

app = missing_package.App()

@app.route("/")
def page(): return Thing()

class Page(Thing): pass

def target(v):
    return join("a", str(v))

if __name__ == "__main__":
    app.run()
"""
    scope, _ = run(candidate)
    assert scope["target"](5) == "a/5"  # type: ignore[operator]


REGISTRIES = {
    "decorator": """
KNOWN = {}
def known(name):
    def add(function):
        KNOWN[name] = function
        return function
    return add
@known("three")
def _three(v): return v * 3
def target(v): return KNOWN["three"](v)
""",
    "base class": """
class Way:
    known = []
    def __init_subclass__(cls): Way.known.append(cls)
class Three(Way):
    def go(self, v): return v * 3
def target(v): return Way.known[0]().go(v)
""",
    "statement": "KNOWN = []\ndef three(v): return v * 3\nKNOWN.append(three)\ndef target(v): return KNOWN[0](v)\n",
    "text": "def three(v): return v * 3\ndef target(v): return globals()['thr' + 'ee'](v)\n",
}


@pytest.mark.parametrize("name", REGISTRIES)
def test_what_is_found_in_other_ways_comes_along(name: str) -> None:
    scope, _ = run(REGISTRIES[name])
    assert scope["target"](5) == 15  # type: ignore[operator]


WHOLE = '''\
"""A file."""
from json import dumps, loads

try:
    from fast import one, two
except ImportError:
    one, two = str, repr


class Box:
    for part in ("a", "b"):
        exec(part + " = 1")
    del part
    kept = dumps

    def get(self):
        return [one(two(self.kept)), globals()["loads"]]


def one_more(value):
    return one(value)


if __name__ == "__main__":
    one_more(3)
'''


@pytest.mark.parametrize("name", ["Box.get", "one_more", "Box"])
def test_the_file_itself_changes_nothing(name: str) -> None:
    found = holed(WHOLE, name).filled(WHOLE)
    assert isinstance(found, FilledText)
    assert ast.dump(ast.parse(found.text)) == ast.dump(ast.parse(WHOLE))
    assert found.added == frozenset()


def test_the_names_of_a_class_body_are_its_own_except_what_it_reads_before() -> None:
    candidate = """
STEP = 5

def part(value):
    return value

class Own:
    STEP = STEP
    size = [STEP for _ in "a"][0]

    @property
    def part(self):
        return self._part

    @part.setter
    def part(self, new, step=STEP):
        self._part = new + step

def target(value):
    own = Own()
    own.part = part(value)
    return own.part + own.STEP + own.size
"""
    scope, found = run(candidate)
    assert scope["target"](1) == 16  # type: ignore[operator]
    assert scope["STEP"] == 100
    assert scope["part"](1) == 101  # type: ignore[operator]
    assert found.text.count("@part.setter") == 1


def test_what_only_a_class_body_reads_first_is_no_name_of_the_module() -> None:
    first = "class Own:\n    STEP = 1\n    def get(self, n=STEP): return n\n"
    scope, _ = run(f"{first}STEP = 5\ndef target(v): return Own().get() + STEP")
    assert scope["target"](1) == 6  # type: ignore[operator]
    assert scope["part"](1) == 101  # type: ignore[operator]
