"""Classes are offered for a parameter by each means, and not without a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

ANIMALS = """
class Animal:
    def legs(self): return 4
    def sound(self): return "?"
class Cow(Animal): pass
class Hen(Animal): pass
class Stone:
    weight = 1
"""
FILES = {"farm/__init__.py": "", "farm/animals.py": ANIMALS}


def suggested(
    folder: Path, files: dict[str, str], target: str = "farm/mod.py::target"
) -> list[str]:
    """`parameter = qualname: why` of each suggestion for the target."""
    for path, text in {**FILES, **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    sliced = slice_function(Repository(folder), target)
    return [f"{s.parameter} = {s.qualname}: {s.why}" for s in sliced.manifest.suggested_types]


CALLS = {
    "a positional argument": "from farm.mod import target\ntarget(Cow())\n",
    "a keyword": "from farm.mod import target\ntarget(x=Cow())\n",
    "through the module": "from farm import mod\nmod.target(Cow())\n",
    "in a function with its own import": "def f():\n"
    "    from farm.mod import target\n    target(Cow())\n",
    "a name in a method": "from farm.mod import target\nclass T:\n    def m(self):\n"
    "        cow = Cow()\n        return target(cow)\n",
    "an annotated parameter": "from farm.mod import target\ndef f(cow: Cow):\n    target(cow)\n",
    "in a comprehension": "from farm.mod import target\nall(target(c) for c in (Cow(), Cow()))\n",
    "one of two": "from farm.mod import target\ntarget(Cow() if CALLS else None)\n",
}


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_what_calls_pass(tmp_path: Path, call: str) -> None:
    text = f"from farm.animals import Cow\n{call}"
    line = next(n for n, line in enumerate(text.splitlines(), 1) if "target(" in line)
    files = {"farm/mod.py": "def target(x): return x.legs\n", "tests/test_it.py": text}
    assert suggested(tmp_path, files) == [f"x = Cow: passed by a call (tests/test_it.py:{line})"]


def test_what_calls_pass_inside_a_container_or_as_a_class(tmp_path: Path) -> None:
    files = {
        "farm/mod.py": "def target(a, b): return [x.legs for x in a], b\n",
        "use.py": "from farm.animals import Cow, Hen\nfrom farm.mod import target\n"
        "target([Cow()], Hen)\n",
    }
    assert suggested(tmp_path, files) == [
        "a = Cow: inside what a call passes (use.py:3)",
        "b = Hen: the class itself is passed by a call (use.py:3)",
    ]


METHODS = {
    "T.plain": "T(0).plain(Cow())",
    "T.static": "T.static(Cow())",
    "T.made": "T.made(Cow())",
    "T.__init__": "T(Cow())",
    "T": "T(x=Cow())",
}


@pytest.mark.parametrize(("target", "call"), METHODS.items())
def test_calls_of_methods(tmp_path: Path, target: str, call: str) -> None:
    mod = (
        "class T:\n    def __init__(self, x): pass\n    def plain(self, x): return x\n"
        "    @staticmethod\n    def static(x): return x\n"
        "    @classmethod\n    def made(cls, x): return x\n"
    )
    files = {
        "farm/mod.py": mod,
        "use.py": f"from farm.animals import Cow\nfrom farm.mod import T\n{call}\n",
    }
    found = suggested(tmp_path, files, f"farm/mod.py::{target}")
    assert found == ["x = Cow: passed by a call (use.py:3)"]


OTHERS = {
    "another function of that name": "def target(x): pass\ntarget(Cow())\n",
    "a method of that name": "class T:\n    def target(self, x): pass\nT().target(Cow())\n",
    "of an unknown receiver": "def f(m): m.target(Cow())\n",
    "an unpacked argument": "from farm.mod import target\ntarget(*[Cow()])\n",
    "a class inside a function": "from farm.mod import target\n"
    "def f():\n    class Local: pass\n    target(Local())\n",
    "a file that does not parse": "from farm.mod import target\ntarget(Cow())\ndef\n",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=list(OTHERS))
def test_what_is_no_call_that_tells(tmp_path: Path, text: str) -> None:
    files = {
        "farm/mod.py": "def target(x): return x.legs\n",
        "use.py": f"from farm.animals import Cow\n{text}",
    }
    assert suggested(tmp_path, files) == []


@pytest.mark.parametrize("parameter", ["x: int", "x: str = ''", "x=1", "x: list[int]"])
def test_a_parameter_whose_class_is_said_is_not_searched(tmp_path: Path, parameter: str) -> None:
    files = {
        "farm/mod.py": f"def target({parameter}): return x\n",
        "use.py": "from farm.animals import Cow\nfrom farm.mod import target\ntarget(Cow())\n",
    }
    assert suggested(tmp_path, files) == []


BELOW = ["x = Cow: subclass of Animal", "x = Hen: subclass of Animal"]
ANNOTATIONS = {
    "Animal": BELOW,
    "'Animal | None'": BELOW,
    "list[Animal]": BELOW,
    "Beast": BELOW,
    "T": BELOW,
    "Cow": [],
}


@pytest.mark.parametrize(("annotation", "expected"), ANNOTATIONS.items())
def test_annotations(tmp_path: Path, annotation: str, expected: list[str]) -> None:
    mod = (
        "from typing import TYPE_CHECKING, TypeVar, Union\nfrom farm.animals import Animal, Cow\n"
        "Beast = Union[Animal, None]\nT = TypeVar('T', bound=Animal)\n"
        f"def target(x: {annotation}): return x\n"
    )
    found = suggested(tmp_path, {"farm/mod.py": mod})
    assert [f.split(",")[0] for f in found if "subclass" in f] == expected
    assert all(f.endswith("(farm/mod.py:5)") for f in found)


def test_an_annotation_for_type_checkers_only(tmp_path: Path) -> None:
    mod = (
        "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from farm.animals import Animal\n"
        "def target(x: Animal): return x\n"
    )
    found = [f.split(":")[0] for f in suggested(tmp_path, {"farm/mod.py": mod})]
    assert {"x = Cow", "x = Hen"} <= set(found)


def test_a_base_with_many_subclasses_offers_none(tmp_path: Path) -> None:
    many = "from farm.animals import Animal\n" + "".join(
        f"class A{n}(Animal): pass\n" for n in range(9)
    )
    mod = "from farm.animals import Animal\ndef target(x: Animal): return x\n"
    assert suggested(tmp_path, {"farm/mod.py": mod, "farm/many.py": many}) == []


def test_a_protocol_offers_the_classes_with_its_members(tmp_path: Path) -> None:
    mod = (
        "from typing import Protocol\nclass Heavy(Protocol):\n    weight: int\n"
        "def target(x: Heavy): return x.weight\n"
    )
    assert suggested(tmp_path, {"farm/mod.py": mod}) == [
        "x = Stone: has the members of Heavy, which the annotation names (farm/mod.py:4)"
    ]


def test_a_name_that_the_package_annotates_elsewhere(tmp_path: Path) -> None:
    files = {
        "farm/mod.py": "def target(rock): return rock\n",
        "farm/other.py": "from farm.animals import Stone\n\ndef f(rock: Stone): return rock\n",
    }
    text = "rock = Stone: another function of the package annotates rock so (farm/other.py:3)"
    assert suggested(tmp_path, files) == [text]


def test_a_name_that_means_different_things_tells_nothing(tmp_path: Path) -> None:
    files = {
        "farm/mod.py": "def target(rock): return rock\n",
        "farm/other.py": "from pathlib import Path\nfrom farm.animals import Stone\n"
        "def f(rock: Stone): return rock\ndef g(rock: Path): return rock\n",
    }
    assert suggested(tmp_path, files) == []


def test_members_that_the_body_uses(tmp_path: Path) -> None:
    mod = "def target(x): return x.legs() + len(x.sound())\n"
    assert suggested(tmp_path, {"farm/mod.py": mod}) == [
        "x = Animal: has legs, sound, which the body uses (farm/mod.py:1)"
    ]


@pytest.mark.parametrize(
    "body",
    [
        "x.legs()",
        "x.legs(), x.append(1)",
        "x.legs(), x.sound(), x.wings",
        "[x.legs() for x in x], x.sound()",
    ],
)
def test_members_that_tell_too_little(tmp_path: Path, body: str) -> None:
    assert suggested(tmp_path, {"farm/mod.py": f"def target(x): return {body}\n"}) == []


def test_what_the_slice_holds_is_not_offered(tmp_path: Path) -> None:
    files = {
        "farm/mod.py": "from farm.animals import Cow\ndef target(x): return x or Cow()\n",
        "use.py": "from farm.animals import Cow, Hen\nfrom farm.mod import target\n"
        "target(Cow())\ntarget(Hen())\n",
    }
    assert suggested(tmp_path, files) == ["x = Hen: passed by a call (use.py:4)"]


def test_a_huge_repository_is_searched_like_a_small_one(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for number in range(400):
        (tmp_path / f"more/m{number}.py").write_text(f"VALUE = {number}\n")
    files = {
        "farm/mod.py": "def target(x): return x.legs() + x.sound()\n",
        "use.py": "from farm.animals import Cow\nfrom farm.mod import target\ntarget(Cow())\n",
    }
    assert suggested(tmp_path, files) == ["x = Cow: passed by a call (use.py:3)"]


def test_suggestions_leave_the_slice_as_it_is(tmp_path: Path) -> None:
    files = {
        "farm/mod.py": "def target(x): return x.legs()\n",
        "use.py": "from farm.animals import Cow\nfrom farm.mod import target\ntarget(Cow())\n",
    }
    assert suggested(tmp_path, files)
    sliced = slice_function(Repository(tmp_path), "farm/mod.py::target")
    assert {d.path for d in sliced.manifest.definitions} == {"farm/mod.py"}
