"""What a script does with the definitions that a slice keeps is told by name, and only that."""

from __future__ import annotations

import ast
import io
import token
import tokenize
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slicefunc.slicer import Repository, Slice, slice_function
from slicefunc.verifier.same_code.aggregated_scripts import (
    AggregatedVerdicts,
    ComparedDefinition,
    compared,
)
from slicefunc.verifier.script.module_statements import first_line_of

Given = Callable[[str, str], AggregatedVerdicts]

MAIN = '''\
import functools

from .tools import LIMIT, Box, helper


@functools.lru_cache(maxsize=None)
def target(n: int, times: int = 2) -> str:
    """Say it."""
    # how often
    return Box(n).show() * times + helper(n)[:LIMIT]
'''
TOOLS = '''\
LIMIT = 3


class Base:
    """What boxes have in common."""

    size: int = 1

    def __init__(self, n):
        self.n = n * self.size


class Box(Base):
    """A box."""

    @property
    def text(self):
        return str(self.n)

    @text.setter
    def text(self, value):
        self.n = int(value)

    def show(self):
        self.text = "1"
        return self.text

    def shut(self):
        return None


def helper(n):
    """Help."""
    label: str = "a"
    if n:
        return label * n
    return label
'''
SCRIPT = "import functools\n" + TOOLS + MAIN.partition("helper\n")[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    for name, text in {"__init__": "", "main": MAIN, "tools": TOOLS}.items():
        (tmp_path / f"pkg/{name}.py").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def given_script(folder: Path) -> Callable[..., AggregatedVerdicts]:
    def given_script(old: str = "", new: str = "") -> AggregatedVerdicts:
        assert old in SCRIPT
        sliced = slice_function(Repository(folder), ("pkg/main.py::target",))
        return compared(folder, sliced, SCRIPT.replace(old, new) if old else SCRIPT)

    return given_script


@pytest.fixture
def of_file(tmp_path: Path) -> Callable[[str, str, str], AggregatedVerdicts]:
    """Verdicts on a script for a target of a repository of one file."""

    def of_file(text: str, name: str, script: str) -> AggregatedVerdicts:
        (tmp_path / "m.py").write_text(text, encoding="utf-8")
        sliced = slice_function(Repository(tmp_path), (f"m.py::{name}",))
        return compared(tmp_path, sliced, script)

    return of_file


def told(found: AggregatedVerdicts) -> dict[str, str]:
    """The kind of each definition that is not the same, by name."""
    return {each.qualname: each.kind for each in found.different}


def of(found: AggregatedVerdicts, name: str) -> ComparedDefinition:
    (each,) = (c for c in (*found.targets, *found.dependencies) if c.qualname == name)
    return each


# ------------------------------------------------------------------------ what is the same


def test_a_verbatim_script_is_the_same_by_every_name(given_script: Given) -> None:
    found = given_script("", "")
    assert found.target == "same"
    assert not found.different
    assert {each.qualname for each in found.dependencies} == {
        *("LIMIT", "Base", "Base.__init__", "Base.size"),
        *("Box", "Box.text", "Box.show", "helper"),
    }


def test_the_slice_itself_is_the_same(folder: Path) -> None:
    sliced = slice_function(Repository(folder), ("pkg/main.py::target",))
    assert not compared(folder, sliced, sliced.source).different


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    # how often\n", ""),
        ('"a"', "'a'"),
        ("label * n", "(label  *  n)"),
        ("LIMIT = 3", "LIMIT = 0x3"),
        ('= "1"', '= u"1"'),
        ("LIMIT = 3", "if True:\n    LIMIT = 3"),
        ("    def shut(self):\n        return None\n", ""),
    ],
    ids=[
        "a comment", "quotes", "parentheses", "the spelling of a number", "a prefix",
        "a branch around it", "a member that the slice does not keep",
    ],
)  # fmt: skip
def test_what_makes_no_difference(given_script: Given, old: str, new: str) -> None:
    assert told(given_script(old, new)) == {}


def test_the_order_makes_no_difference(folder: Path) -> None:
    sliced = slice_function(Repository(folder), ("pkg/main.py::target",))
    turned = ast.Module(ast.parse(SCRIPT).body[::-1], [])
    assert not compared(folder, sliced, ast.unparse(turned)).different


def test_a_class_may_stand_for_the_module_of_its_name(
    tmp_path: Path,
) -> None:
    (tmp_path / "config.py").write_text("WIDTH = 40\nHEIGHT = 9\n\ndef area(): return WIDTH\n")
    text = "import config\n\ndef f():\n    return config.WIDTH, config.HEIGHT, config.area()\n"
    (tmp_path / "m.py").write_text(text)
    sliced = slice_function(Repository(tmp_path), ("m.py::f",))
    script = "class config:\n    WIDTH = 40\n    HEIGHT = 8\n    @staticmethod\n"
    script += "    def area(): return WIDTH\n" + text.partition("config\n")[2]
    assert told(compared(tmp_path, sliced, script)) == {"HEIGHT": "altered"}
    other = script.replace("class config", "class options")
    assert told(compared(tmp_path, sliced, other)) == {
        "WIDTH": "missing", "HEIGHT": "missing", "area": "missing",
    }  # fmt: skip


# ------------------------------------------------------------------------ what differs


@pytest.mark.parametrize(
    ("old", "new", "kind", "detail"),
    [
        ('    """Say it."""\n', "", "docstring", "it is gone"),
        ("Say it.", "Tell it.", "docstring", "other words"),
        ('"""Say it."""', '"""Say it.\n    """', "docstring", "other words"),
        (
            "@functools.lru_cache(maxsize=None)\n", "", "decorators",
            "`functools.lru_cache(maxsize=None)` is gone",
        ),
        ("n: int, times", "n: str, times", "annotations", "`int` became `str`"),
        (") -> str:", "):", "annotations", "`str` is gone"),
        ("times: int = 2", "times: int = 3", "signature", "`2` became `3`"),
        ("def target", "async def target", "signature", "now async"),
        ("* times +", "* times -", "altered",
         "`Box(n).show() * times + helper(n)[:LIMIT]` became "
         "`Box(n).show() * times - helper(n)[:LIMIT]`"),
        ("    # how often\n", "    n = n + 1\n", "altered", "`n = n + 1` is new"),
        ("def target", "def another", "missing", "the script does not define it"),
    ],
)  # fmt: skip
def test_the_target_is_told_by_what_differs(
    given_script: Given, old: str, new: str, kind: str, detail: str
) -> None:
    found = given_script(old, new)
    assert found.target == kind
    assert told(found) == {"target": kind}
    assert found.targets[0].detail.endswith(detail)


def test_the_line_is_the_scripts(given_script: Given) -> None:
    found = given_script("return label * n", "return n")
    (difference,) = of(found, "helper").differences
    assert SCRIPT.splitlines()[difference.line - 1] == "        return label * n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return label * n", "return n", {"helper": "altered"}),
        ('    """Help."""\n', "", {"helper": "docstring"}),
        ("label: str =", "label =", {"helper": "annotations"}),
        ("def helper(n)", "def helped(n)", {"helper": "missing"}),
        ("LIMIT = 3", "LIMIT = 4", {"LIMIT": "altered"}),
        ("LIMIT = 3", "LIMIT = Mock()", {"LIMIT": "altered"}),
        ("LIMIT = 3\n", "", {"LIMIT": "missing"}),
        ("size: int = 1", "size: str = 1", {"Base.size": "annotations"}),
        ("size: int = 1", "size: int = 2", {"Base.size": "altered"}),
        ("    size: int = 1\n", "", {"Base.size": "missing"}),
        ("class Box(Base):", "class Box:", {"Box": "bases"}),
        ("class Box(Base):", "@final\nclass Box(Base):", {"Box": "decorators"}),
        ('    """A box."""\n', "", {"Box": "docstring"}),
        ("def show", "def shown", {"Box.show": "missing"}),
        ("int(value)", "value", {"Box.text": "altered"}),
        ("class Base:", "class Root:", dict.fromkeys(
            ["Base", "Base.size", "Base.__init__"], "missing")),
    ],
)  # fmt: skip
def test_a_dependency_is_told_by_its_name(
    given_script: Given, old: str, new: str, expected: dict[str, str]
) -> None:
    found = given_script(old, new)
    assert told(found) == expected
    assert found.target == "same"


def test_a_class_names_its_bases_and_members(given_script: Given) -> None:
    found = given_script(
        "class Box(Base):", "class Box(dict):\n    extra = 1\n    def show(self): return ''\n"
    )
    box = of(found, "Box")
    assert (box.lost_bases, box.added, box.missing_members) == (("Base",), ("extra",), ())
    gone = of(given_script("def show", "def shown"), "Box")
    assert (gone.kind, gone.missing_members, gone.added) == ("same", ("Box.show",), ("shown",))
    other = of(given_script("return str(self.n)", "return ''"), "Box")
    assert (other.kind, other.altered_members) == ("same", ("Box.text",))


def test_a_base_under_another_path_is_changed_and_not_lost(
    of_file: Callable[[str, str, str], AggregatedVerdicts],
) -> None:
    text = "import abc\n\nclass A(abc.ABC):\n    pass\n\ndef f():\n    return A()\n"
    found = of_file(text, "f", text.replace("A(abc.ABC)", "A(ABC)"))
    assert (told(found), of(found, "A").lost_bases) == ({"A": "bases"}, ())


def test_several_differences_are_told_the_gravest_first(given_script: Given) -> None:
    found = given_script('def helper(n):\n    """Help."""\n', "def helper(n, more=1):\n    n = 1\n")
    helper = of(found, "helper")
    assert helper.kind == "altered"
    assert {each.part for each in helper.differences} == {"docstring", "signature", "altered"}
    where = SCRIPT.splitlines().index("def helper(n):") + 2
    assert str(helper) == (
        f"pkg/tools.py::helper (line 32): altered, line {where} of the script: `n = 1` is new"
    )


def test_what_the_script_imports_instead_is_missing(given_script: Given) -> None:
    found = given_script("LIMIT = 3\n", "from limits import LIMIT\n")
    assert of(found, "LIMIT").why == "the script imports it on line 2"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("\nLIMIT = 5\n", {"LIMIT": "altered"}),
        ("\ndef helper(n):\n    return 'mocked'\n", {"helper": "altered"}),
        ("\nfrom mocks import helper\n", {"helper": "altered"}),
        ("\nfrom pkg.tools import helper\n", {}),
        ("\nBox.show = lambda self: ''\n", {"Box.show": "altered"}),
        ("\ndef test():\n    LIMIT = 5\n", {}),
        ("\nif __name__ == '__main__':\n    LIMIT = 5\n", {}),
        ("\ndef target_new_implementation(n):\n    return n\n", {}),
    ],
)
def test_what_is_bound_again_is_no_more_the_same(
    given_script: Given, more: str, expected: dict[str, str]
) -> None:
    last = SCRIPT.splitlines()[-1]
    assert told(given_script(last, last + "\n" + more)) == expected


# ------------------------------------------------------------------------ several of one name

PAIR = """\
class C:
    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = value


def f(c: C):
    c.v = 1
    return c.v
"""
SETTER = "    @v.setter\n    def v(self, value):\n        self._v = value\n"


def test_of_a_property_each_function_has_its_own_verdict(
    of_file: Callable[[str, str, str], AggregatedVerdicts],
) -> None:
    def kinds(script: str) -> list[tuple[int, str]]:
        found = of_file(PAIR, "f", script)
        return [(c.line, c.kind) for c in found.dependencies if c.qualname == "C.v"]

    assert kinds(PAIR) == [(2, "same"), (6, "same")]
    assert kinds(PAIR.replace(SETTER, "")) == [(2, "same"), (6, "missing")]
    assert kinds(PAIR.replace("= value", "= 1")) == [(2, "same"), (6, "altered")]
    assert kinds(PAIR.replace("return self._v", "return 1")) == [(2, "altered"), (6, "same")]


def test_a_setter_that_the_slice_does_not_keep_hides_nothing(
    of_file: Callable[[str, str, str], AggregatedVerdicts],
) -> None:
    text = PAIR.replace("    c.v = 1\n", "").replace(SETTER, "")
    assert not of_file(text, "f", text.replace("_v\n", "_v\n\n" + SETTER, 1)).different


OVERLOADED = """\
from typing import overload

@overload
def g(x: int) -> int: ...
@overload
def g(x: str) -> str: ...
def g(x):
    return x

def f(x):
    return g(x)
"""


def test_an_overload_is_no_more_than_an_annotation(
    of_file: Callable[[str, str, str], AggregatedVerdicts],
) -> None:
    bare = OVERLOADED.replace("@overload\ndef g(x: int) -> int: ...\n", "")
    assert told(of_file(OVERLOADED, "f", bare)) == {"g": "annotations"}
    assert told(of_file(OVERLOADED, "f", bare.replace("return x\n\n", "return 1\n\n"))) == {
        "g": "altered",
    }
    assert of_file(OVERLOADED, "g", bare).target == "annotations"
    assert told(of_file(OVERLOADED, "f", "def f(x):\n    return g(x)\n")) == {"g": "missing"}


BRANCHES = """\
import sys

if sys.platform == "win32":
    def g():
        return 1
else:
    def g():
        return 2

def f():
    return g()
"""


def test_a_target_in_branches_is_altered_where_one_is_gone(
    of_file: Callable[[str, str, str], AggregatedVerdicts],
) -> None:
    assert of_file(BRANCHES, "g", BRANCHES).target == "same"
    assert of_file(BRANCHES, "g", "def g():\n    return 2\n").target == "altered"
    assert of_file(BRANCHES, "g", "").target == "missing"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (BRANCHES, {}),
        (BRANCHES.replace("win32", "linux"), {"g": "altered"}),
        (BRANCHES.replace("return 2", "return 3"), {"g": "altered"}),
        ("def g():\n    return 2\n\ndef f():\n    return g()\n", {"g": "altered"}),
        ("def f():\n    return g()\n", {"g": "missing"}),
    ],
)
def test_branches_that_define_a_dependency_count_as_one(
    of_file: Callable[[str, str, str], AggregatedVerdicts], script: str, expected: dict[str, str]
) -> None:
    assert told(of_file(BRANCHES, "f", script)) == expected


def test_an_import_with_something_in_its_place_is_an_import(
    of_file: Callable[[str, str, str], AggregatedVerdicts],
) -> None:
    text = "try:\n    import json\nexcept ImportError:\n    json = None\n\ndef f(): return json\n"
    assert not of_file(text, "f", "import json\n\ndef f(): return json\n").different


def test_a_nested_class_and_a_target_in_it_are_compared_by_their_qualified_names(
    of_file: Callable[[str, str, str], AggregatedVerdicts],
) -> None:
    text = "class A:\n    class B:\n        k = 1\n        def go(self): return self.k\n"
    found = of_file(text, "A.B.go", text.replace("self.k", "1"))
    assert (found.target, told(found)) == ("altered", {"A.B.go": "altered"})
    assert told(of_file(text, "A.B.go", text.replace("k = 1", "k = 2"))) == {"A.B.k": "altered"}


def test_of_a_class_its_members_are_the_target_too(
    of_file: Callable[[str, str, str], AggregatedVerdicts],
) -> None:
    text = "K = 1\n\nclass A:\n    def go(self): return K\n"
    found = of_file(text, "A", text.replace("return K", "return 1"))
    assert ([c.qualname for c in found.targets], found.target) == (["A", "A.go"], "altered")
    assert [c.qualname for c in found.dependencies] == ["K"]


@pytest.fixture
def twins(tmp_path: Path) -> tuple[Path, Slice]:
    """A repository with two functions of one name, and a slice that keeps both."""
    for name in "ab":
        (tmp_path / f"{name}.py").write_text(f"KIND = 'x'\n\ndef g():\n    return KIND, '{name}'\n")
    (tmp_path / "m.py").write_text("import a, b\n\ndef f():\n    return a.g(), b.g()\n")
    return tmp_path, slice_function(Repository(tmp_path), ("m.py::f",))


def test_equal_names_of_several_files_get_what_is_most_like_them(
    twins: tuple[Path, Slice],
) -> None:
    def kinds(script: str) -> dict[str, str]:
        found = compared(*twins, f"KIND = 'x'\n{script}\ndef f():\n    return a.g(), b.g()\n")
        return {each.path: each.kind for each in found.different}

    a, b = (f"def g():\n    return KIND, '{name}'\n" for name in "ab")
    assert kinds(a + b) == kinds(b + a) == {}  # one KIND serves both
    assert kinds(b) == {"a.py": "missing"}
    assert kinds(a + b.replace("KIND", "None")) == {"b.py": "altered"}


# ------------------------------------------------------------------------ hostile scripts


@pytest.mark.parametrize(
    "script", ["def target(:\n", "x = '\0'\n", "x = " + "-" * 100_000 + "1\n", "("]
)
def test_a_script_that_cannot_be_read_holds_nothing(folder: Path, script: str) -> None:
    sliced = slice_function(Repository(folder), ("pkg/main.py::target",))
    whole = compared(folder, sliced, SCRIPT)
    found = compared(folder, sliced, script)
    assert found.error
    assert found.target == "missing"
    assert {each.kind for each in (*found.targets, *found.dependencies)} == {"missing"}
    assert len(found.dependencies) == len(whole.dependencies)


def test_a_syntax_error_is_told_with_its_line(given_script: Given) -> None:
    assert given_script("class Base:", "class Base").error == "line 5: expected ':'"


# ------------------------------------------------------------------------ every change is seen

MANY = '''\
import sys
from typing import overload

WIDTH, HEIGHT = 4, 5
names: list[str] = ["a"]
names += ["b"]

if sys.platform == "win32":
    SEP = "x"
else:
    SEP = "y"

with open(sys.argv[0]) as file:
    first = file.readline()


class Base:
    size = 1

    def area(self, by=2):
        """How large."""
        return self.size * by


class Box(Base, metaclass=type):
    """A box."""

    deep: int = 0

    class Inner:
        on = True

        def turn(self):
            return not self.on

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = value and value > 1

    @staticmethod
    async def wait(*, n=0):
        for i in range(n):
            yield i
        else:
            yield -1


@overload
def g(x: int) -> int: ...
@overload
def g(x: str) -> str: ...
def g(x, *more):
    if x == 0 or more:
        return names[1:]
    return {"k": [x + 1]}


def target(n, flag=False):
    box = Box()
    box.v = n
    box.deep += 1
    inner = box.Inner().turn()
    return box.v, box.area(), box.wait(n=1), inner, g(n), WIDTH, HEIGHT, SEP, first, flag
'''
SWAPS = [
    ("+", "-"), ("*", "/"), ("==", "!="), (">", "<"), ("+=", "-="), ("=", "+="), ("and", "or"),
    ("True", "False"), ("not", "~"), ("return", "yield"), ("in", "is"), ("is", "in"),
]  # fmt: skip
SWAPPED = dict(SWAPS) | {new: old for old, new in SWAPS if old not in {"=", "is"}}
LAYOUT = {
    token.NEWLINE, token.NL, token.INDENT, token.DEDENT, token.COMMENT, token.ENDMARKER,
}  # fmt: skip


def changes(found: tokenize.TokenInfo) -> list[str]:
    """What may stand in the place of a token."""
    if found.type == token.NAME and found.string not in SWAPPED:
        return [f"{found.string}_x", "", f"{found.string} {found.string}"]
    if found.type == token.NUMBER:
        return [f"{found.string}1", f"-{found.string}"]
    if found.type == token.STRING:
        return ["'other'", f"{found.string} 'more'", "b'other'"]
    return [SWAPPED.get(found.string, ""), "", f"{found.string} {found.string}"]


def changed(word: tokenize.TokenInfo, new: str) -> str:
    """The script with something else in the place of a token."""
    lines = MANY.splitlines(keepends=True)
    (row, column), (_, end) = word.start, word.end
    line = lines[row - 1]
    return "".join([*lines[: row - 1], line[:column], new, line[end:], *lines[row:]])


def tree_of(script: str) -> str:
    """The tree of a script, empty of one that does not parse."""
    try:
        return ast.dump(ast.parse(script))
    except SyntaxError:
        return ""


@dataclass(frozen=True)
class Many:
    """A repository with every kind of definition, and all changes of one token of its text."""

    folder: Path
    sliced: Slice
    owners: dict[int, str]
    """By line, the innermost definition that it belongs to."""
    changes: list[tuple[tokenize.TokenInfo, str]]

    def compared(self, script: str) -> AggregatedVerdicts:
        return compared(self.folder, self.sliced, script)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Many:
    folder = tmp_path_factory.mktemp("many")
    (folder / "m.py").write_text(MANY, encoding="utf-8")
    sliced = slice_function(Repository(folder), ("m.py::target",))
    whole = compared(folder, sliced, MANY)
    assert not whole.different
    owners = owners_of((*whole.targets, *whole.dependencies))
    words = [
        (word, new)
        for word in tokenize.generate_tokens(io.StringIO(MANY).readline)
        if word.type not in LAYOUT and word.start[0] in owners
        for new in changes(word)
    ]
    own = tree_of(MANY)
    return Many(
        folder,
        sliced,
        owners,
        [(w, n) for w, n in words if tree_of(changed(w, n)) not in {"", own}],
    )


def owners_of(found: Iterable[ComparedDefinition]) -> dict[int, str]:
    ends = {
        first_line_of(node): node.end_lineno or 0
        for node in ast.walk(ast.parse(MANY))
        if isinstance(node, ast.stmt)
    }
    return {
        line: each.qualname
        for each in sorted(found, key=lambda each: each.qualname.count("."))
        for line in range(each.script_line, ends[each.script_line] + 1)
    }


def test_there_are_many_changes_of_one_token(many: Many) -> None:
    assert len(many.changes) > 200
    assert len({many.owners[word.start[0]] for word, _ in many.changes}) == 16


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_one_token_changes_the_verdict_of_its_definition_and_of_no_other(
    many: Many, data: st.DataObject
) -> None:
    word, new = data.draw(st.sampled_from(many.changes))
    name = many.owners[word.start[0]]
    reported = set(told(many.compared(changed(word, new))))
    if f"class {word.string}" in MANY and word.string == name.rpartition(".")[2]:
        reported = {each.partition(f"{name}.")[0] or name for each in reported}  # its members too
    assert reported == {name}
