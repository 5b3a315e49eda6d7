"""The AST check sees every change of what a slice holds, in every layout, and nothing else."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.slicer import (
    Edit,
    EmittedFile,
    Repository,
    Slice,
    SliceFuncError,
    slice_function,
)
from slicefunc.verifier.same_code.ast_equivalence import Equivalence, equivalence
from slicefunc.verifier.script.bare_trees import bare

FILES = {
    "pkg/__init__.py": "",
    "pkg/main.py": '''\
"""The target's module."""

import functools

from .tools import Box, helper


@functools.lru_cache(maxsize=None)
def target(n: int, times: int = 2) -> str:
    """Say it."""
    # how often
    return Box(n).show() * times + helper(n)


def unused():
    return None
''',
    "pkg/tools.py": '''\
LIMIT = 3

try:
    import json
except ImportError:
    json = None


def helper(n):
    """Help's own docstring with 'quotes' and a \\\\ in it."""
    label: str = "a\\n"
    return label * (n + LIMIT)


class Box:
    """A box."""

    size: int = 1

    def __init__(self, n):
        self.n = n

    def show(self):
        return str(json and json.dumps(self.n))

    def shut(self):
        return None
''',
}
LAYOUTS = ("flat", "modules", "package")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture(params=LAYOUTS)
def sliced(folder: Path, request: pytest.FixtureRequest) -> Slice:
    found = slice_function(Repository(folder), "pkg/main.py::target", emit=request.param)
    assert found.manifest.layout == request.param
    return found


def changed(sliced: Slice, old: str, new: str) -> Slice:
    """The slice with a text replaced wherever it stands."""
    assert any(old.encode() in file.content for file in sliced.files)
    files = tuple(
        EmittedFile(file.path, file.content.replace(old.encode(), new.encode()))
        for file in sliced.files
    )
    return replace(sliced, source=sliced.source.replace(old, new), files=files)


def verdicts(found: Equivalence) -> tuple[bool, bool, bool, bool]:
    return (
        found.ast_equal,
        found.ast_equal_bare,
        found.dependencies_equal,
        found.dependencies_equal_bare,
    )


def names(found: Equivalence) -> set[str]:
    return {comparison.qualname for comparison in found.different}


def test_a_slice_is_the_repositorys_own(folder: Path, sliced: Slice) -> None:
    found = equivalence(folder, sliced)
    assert verdicts(found) == (True, True, True, True)
    kept = {comparison.qualname for comparison in found.definitions}
    assert kept >= {"target", "helper", "LIMIT", "Box", "Box.show", "Box.__init__"}
    assert not {text for c in found.definitions for text in (c.why, c.diff) if text}


@pytest.mark.parametrize(
    ("old", "new", "differing"),
    [
        ("* times + helper", "* times - helper", {"target"}),
        ("lru_cache(maxsize=None)", "lru_cache(maxsize=1)", {"target"}),
        ("times: int = 2", "times: int = 3", {"target"}),
        ("(n + LIMIT)", "(n - LIMIT)", {"helper"}),
        ("LIMIT = 3", "LIMIT = 4", {"LIMIT"}),
        ("class Box:", "class Box(dict):", {"Box"}),
        ("self.n = n", "self.n = 1", {"Box", "Box.__init__"}),
        ("def show(self)", "def shown(self)", {"Box", "Box.show"}),
        ("except ImportError", "except ValueError", {"json"}),
    ],
)
def test_a_change_of_the_code_is_seen_by_both_verdicts(
    folder: Path, sliced: Slice, old: str, new: str, differing: set[str]
) -> None:
    found = equivalence(folder, changed(sliced, old, new))
    assert names(found) == differing
    is_target = "target" in differing
    assert found.ast_equal == found.ast_equal_bare == (not is_target)
    assert not found.dependencies_equal
    assert not found.dependencies_equal_bare


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""Say it."""', '"""Forge it."""'),
        ("n: int, times", "n: str, times"),
        (") -> str:", ") -> int:"),
        ("n: int, times: int = 2", "n, times = 2"),
    ],
)
def test_docstrings_and_annotations_count_in_the_first_verdict_alone(
    folder: Path, sliced: Slice, old: str, new: str
) -> None:
    found = equivalence(folder, changed(sliced, old, new))
    assert verdicts(found) == (False, True, False, True)
    assert [c.why for c in found.targets] == ["docstrings or annotations differ"]


@pytest.mark.parametrize(
    ("old", "new"), [("# how often", "# twice"), ("times + helper", "times  +  helper")]
)
def test_comments_and_layout_do_not_count(folder: Path, sliced: Slice, old: str, new: str) -> None:
    assert verdicts(equivalence(folder, changed(sliced, old, new))) == (True, True, True, True)


def test_a_member_that_was_added_is_seen(folder: Path, sliced: Slice) -> None:
    member = changed(sliced, '    """A box."""', '    """A box."""; extra = 1')
    assert names(equivalence(folder, member)) == {"Box"}


def test_the_difference_is_shown_as_a_diff(folder: Path, sliced: Slice) -> None:
    found = equivalence(folder, changed(sliced, "self.n = n", "self.n = 1"))
    box = next(c for c in found.definitions if c.qualname == "Box")
    lines = box.diff.splitlines()
    assert lines[0] == "--- repository, pkg/tools.py:15"
    assert [line for line in lines[2:] if line[:1] in "+-"] == [
        "-        self.n = n",
        "+        self.n = 1",
    ]  # and not the member that was pruned
    assert str(box) == "pkg/tools.py::Box (line 15): the tree differs"


def test_what_the_slice_lost_is_missed(folder: Path, sliced: Slice) -> None:
    lost = changed(sliced, "def helper(n):", "def another(n):")
    found = equivalence(folder, lost)
    assert names(found) == {"helper"}
    assert not found.dependencies_equal


def test_a_listed_edit_excuses_a_dependency_but_never_the_target(
    folder: Path, sliced: Slice
) -> None:
    forged = changed(sliced, "LIMIT)", "2)")
    edits = (Edit("pkg/tools.py", 12, "a number", ""), Edit("pkg/main.py", 12, "no more", ""))
    edited = replace(forged, manifest=replace(sliced.manifest, edits=edits))
    assert verdicts(equivalence(folder, edited)) == (True, True, True, True)
    worse = changed(edited, "* times +", "* 2 +")
    assert verdicts(equivalence(folder, worse)) == (False, False, True, True)


def test_the_repository_may_have_changed_since(folder: Path, sliced: Slice) -> None:
    file = folder / "pkg/tools.py"
    assert equivalence(folder, sliced).dependencies_equal
    file.write_text(FILES["pkg/tools.py"].replace("LIMIT = 3", "LIMIT = 33"), encoding="utf-8")
    assert names(equivalence(folder, sliced)) == {"LIMIT"}


@pytest.fixture
def one_file(tmp_path: Path) -> Callable[..., tuple[Path, Slice]]:
    def one_file(text: str, name: str, emit: str = "script") -> tuple[Path, Slice]:
        (tmp_path / "m.py").write_text(text, encoding="utf-8")
        return tmp_path, slice_function(Repository(tmp_path), f"m.py::{name}", emit=emit)  # type: ignore[arg-type]

    return one_file


TWICE = """\
import sys

if sys.platform == "win32":
    def f(x):
        return 1
else:
    def f(x):
        return 2
"""


@pytest.mark.parametrize("emit", ["script", "package"])
def test_all_definitions_of_the_target_count(
    one_file: Callable[..., tuple[Path, Slice]], emit: str
) -> None:
    folder, sliced = one_file(TWICE, "f", emit)
    assert len(equivalence(folder, sliced).targets) == 2
    assert equivalence(folder, sliced).ast_equal
    assert not equivalence(folder, changed(sliced, "return 2", "return 1")).ast_equal
    # the branches are swapped: each definition is there, on the other's side
    swapped = changed(changed(sliced, "return 2", "return 9"), "return 1", "return 2")
    assert not equivalence(folder, changed(swapped, "return 9", "return 1")).ast_equal


def test_a_function_inside_a_function_stands_for_the_outer_one(
    one_file: Callable[..., tuple[Path, Slice]],
) -> None:
    text = "def outer(x):\n    def inner(y):\n        return y\n    return inner(x)\n"
    folder, sliced = one_file(text, "outer.inner")
    assert [c.qualname for c in equivalence(folder, sliced).targets] == ["outer"]
    assert not equivalence(folder, changed(sliced, "inner(x)", "inner(1)")).ast_equal


def test_a_name_that_holds_a_function_is_a_target_too(
    one_file: Callable[..., tuple[Path, Slice]],
) -> None:
    folder, sliced = one_file("f = lambda x: x\n", "f")
    assert equivalence(folder, sliced).ast_equal
    assert not equivalence(folder, changed(sliced, ": x", ": 1")).ast_equal


def test_a_target_that_is_nowhere_is_not_equal(
    one_file: Callable[..., tuple[Path, Slice]],
) -> None:
    folder, sliced = one_file("def f(x):\n    return x\n", "f")
    (folder / "m.py").write_text("def g(x):\n    return x\n", encoding="utf-8")
    assert not equivalence(folder, sliced).ast_equal


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("def f(x: int) -> int:\n  'd'\n  y: int = 1", "def f(x):\n  y = 1", True),
        ("def f():\n  'only a docstring'", "def f():\n  pass", True),
        ("class C:\n  x: int\n  y: int = 2", "class C:\n  y = 2", True),
        ("async def f(*a: int, **k: int): ...", "async def f(*a, **k): ...", True),
        (
            "def f():\n  def g() -> int: 'd'\n  return g",
            "def f():\n  def g(): pass\n  return g",
            True,
        ),
        ("def f():\n  x = 1\n  'no docstring'", "def f():\n  x = 1", False),
        ("def f(x: int = 1): ...", "def f(x: int): ...", False),
        ("@d\ndef f(): ...", "def f(): ...", False),
        ("if a:\n  x: int\nelse:\n  y = 1", "if a:\n  pass\nelse:\n  y = 1", True),
    ],
)
def test_a_bare_tree_has_neither_docstrings_nor_annotations(
    first: str, second: str, is_same: bool
) -> None:
    trees = [ast.dump(bare(ast.parse(text))) for text in (first, second)]
    assert (trees[0] == trees[1]) == is_same


def test_a_bare_tree_is_a_copy() -> None:
    tree = ast.parse("def f(x: int) -> int:\n  'd'\n")
    before = ast.dump(tree)
    bare(tree)
    assert ast.dump(tree) == before


FIXTURES = Path(__file__).parents[3] / "fixtures"


@pytest.mark.parametrize(
    "name", [file.parent.name for file in sorted(FIXTURES.glob("*/expected.toml"))]
)
def test_the_slices_of_all_fixtures_are_the_repositorys_own(name: str) -> None:
    folder = FIXTURES / name / "repo"
    expected = tomllib.loads((FIXTURES / name / "expected.toml").read_text(encoding="utf-8"))
    for table in expected.get("targets", []):
        for emit in ("script", "package"):
            try:
                sliced = slice_function(Repository(folder), table["target"], emit=emit)
            except SliceFuncError:
                continue  # what cannot be sliced is another test's subject
            assert [str(c) for c in equivalence(folder, sliced).different] == []
