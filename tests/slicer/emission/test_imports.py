"""Imports with fewer names: what is left binds the kept names, and keeps its lines and comments."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slicefunc.slicer.emission.import_edits import narrowed, shortened

if TYPE_CHECKING:
    from pathlib import Path

often = settings(max_examples=max(200, settings().max_examples))
"""An example takes a millisecond."""
END = re.compile(r"\r\n|\r|\n")
NAMES = ["a", "bc", "été", "match", "d_1", "Name"]


@dataclass(frozen=True, slots=True)
class Statement:
    """An import statement, and which of its names stay."""

    text: str
    kept: tuple[int, ...]

    @property
    def node(self) -> ast.Import | ast.ImportFrom:
        return parsed(self.text)


def parsed(text: str) -> ast.Import | ast.ImportFrom:
    (node,) = ast.parse(text).body
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    return node


def aliases(text: str) -> list[tuple[str, str | None]]:
    return [(alias.name, alias.asname) for alias in parsed(text).names]


@st.composite
def statements(draw: st.DrawFn) -> Statement:
    """Imports of every layout: on one line, continued with backslashes, and in parentheses."""
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    layout = draw(st.sampled_from(["line", "backslashes", "parentheses"]))
    is_from = layout == "parentheses" or draw(st.booleans())
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6))
    names = [draw(spelled(name, dotted=not is_from)) for name in names]
    space = draw(st.sampled_from(["", " ", "\t", "\f", "  "]))
    gap = {
        "line": st.just(space),
        "backslashes": st.sampled_from([space, f" \\{end}    ", f"\\{end}\t"]),
        "parentheses": gaps_in_parentheses(end),
    }[layout]
    text = draw(gap) if layout == "parentheses" else ""
    for number, name in enumerate(names):
        before = draw(gap) if draw(st.integers(0, 5)) == 0 else ""
        last = number == len(names) - 1
        comma = (
            before + "," if not last or (layout == "parentheses" and draw(st.booleans())) else ""
        )
        text += name + comma + (draw(gap) if not last or layout == "parentheses" else "")
    head = draw(st.sampled_from(["from m import", "from ..a . b import", f"from .\\{end} import"]))
    head = head if is_from else "import"
    text = f"({text})" if layout == "parentheses" else f"{draw(st.sampled_from([' ', '  ']))}{text}"
    tail = draw(st.sampled_from(["", ";", "  # noqa: F401, (a)", "\t", " ;  # end"]))
    start = draw(st.sampled_from(["", "", "\f"]))
    positions = st.sets(st.integers(0, len(names) - 1), min_size=1)
    return Statement(start + head + text + tail + end, tuple(sorted(draw(positions))))


def spelled(name: str, *, dotted: bool) -> st.SearchStrategy[str]:
    name_ = st.sampled_from([name, f"{name}.sub"]) if dotted else st.just(name)
    return st.builds("".join, st.tuples(name_, st.sampled_from(["", "", " as x", "  as\ty"])))


def gaps_in_parentheses(end: str) -> st.SearchStrategy[str]:
    comment = st.sampled_from(["", "  # said, (so)", "# é"])
    above = st.lists(st.sampled_from(["    # about the next", ""]), max_size=2)
    folded = st.builds(
        lambda behind, lines, indent: behind + end + "".join(x + end for x in lines) + indent,
        comment,
        above,
        st.sampled_from(["    ", "", "\t"]),
    )
    return st.one_of(st.sampled_from(["", " ", f" \\{end}  "]), folded)


@often
@given(statements())
def test_exactly_the_kept_names_are_imported(statement: Statement) -> None:
    made = shortened(statement.text, statement.node, statement.kept)
    before = statement.node
    assert aliases(made) == [aliases(statement.text)[number] for number in statement.kept]
    after = parsed(made)
    if isinstance(before, ast.ImportFrom):
        assert isinstance(after, ast.ImportFrom)
        assert (after.module, after.level) == (before.module, before.level)


@often
@given(statements())
def test_no_line_is_added_and_line_ends_stay(statement: Statement) -> None:
    made = shortened(statement.text, statement.node, statement.kept)
    assert len(END.findall(made)) <= len(END.findall(statement.text))
    assert set(END.findall(made)) <= set(END.findall(statement.text))
    assert END.search(made[-2:])


@often
@given(statements())
def test_whatever_keeps_all_names_changes_nothing_but_parentheses(statement: Statement) -> None:
    every = range(len(statement.node.names))
    made = shortened(statement.text, statement.node, tuple(every))
    assert made == statement.text or len(every) == 1


@pytest.mark.parametrize("head", ["from m import", "from ..m.n import"])
def test_without_libcst_the_names_and_the_number_of_lines_stay(
    head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As under a Python that LibCST was not installed for."""
    monkeypatch.setitem(sys.modules, "slicefunc.slicer.emission.import_formatting", None)
    text = f"{head} (  # why\n    a,\n    b as c,  # two\n    d\n)\n"
    made = shortened(text, parsed(text), (0, 1))
    assert aliases(made) == [("a", None), ("b", "c")]
    assert made.count("\n") == text.count("\n")


@often
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.booleans(), st.booleans()), min_size=2),
       st.booleans(), st.data())  # fmt: skip
def test_of_one_name_a_line_the_other_lines_stay(
    names: list[tuple[str, bool, bool]], ends_with_comma: bool, data: st.DataObject
) -> None:
    """Comments above a name and behind it go with the name."""

    def block(number: int) -> str:
        name, above, behind = names[number]
        return (
            (f"    # above {number}\n" if above else "")
            + f"    {name}"
            + ("," if ends_with_comma or number < len(names) - 1 else "")
            + (f"  # behind {number}\n" if behind else "\n")
        )

    kept = sorted(data.draw(st.sets(st.integers(0, len(names) - 1), min_size=2)))
    blocks = [block(number) for number in range(len(names))]
    text = "from m import (  # why\n" + "".join(blocks) + ")  # end\n"
    made = shortened(text, parsed(text), kept)
    left = [blocks[number] for number in kept]
    if not ends_with_comma:
        left[-1] = left[-1].replace(",", "", 1)
    assert made == "from m import (  # why\n" + "".join(left) + ")  # end\n"


LAID_OUT = {
    "a comment stays with the names that stay on its line": (
        "from m import (\n    a, b,  # both\n    c,\n)\n",
        "ac",
        "from m import (\n    a,  # both\n    c,\n)\n",
    ),
    "a comment goes with the last name of its line": (
        "from m import (\n    a, b,  # both\n    c, d,\n)\n",
        "cd",
        "from m import (\n    c, d,\n)\n",
    ),
    "names that begin on the line of the parenthesis": (
        "from m import (a, b,\n               c,\n               d)\n",
        "cd",
        "from m import (c,\n               d)\n",
    ),
    "a comment keeps the parenthesis on a line of its own": (
        "from m import (a,  # first\n               b)\n",
        "a",
        "from m import (a  # first\n               )\n",
    ),
    "a comment about the next name keeps its line": (
        "from m import (a,\n               # second\n               b)\n",
        "b",
        "from m import (\n               # second\n               b)\n",
    ),
    "a comment at the end stays": (
        "from m import (\n    a,\n    b,\n    c,\n    # c2,\n)\n",
        "ab",
        "from m import (\n    a,\n    b,\n    # c2,\n)\n",
    ),
    "commas that begin the lines": (
        "from m import (a  # first\n  , b\n  , c\n)\n",
        "ac",
        "from m import (a  # first\n  , c\n)\n",
    ),
    "a comment before a comma that goes": (
        "from m import (a  # first\n  , b)\n",
        "a",
        "from m import (a  # first\n  )\n",
    ),
    "one name needs no parentheses": (
        "from m import(\n    a,\n    b,\n)  # noqa\n",
        "b",
        "from m import b  # noqa\n",
    ),
    "one name with a comment": (
        "from m import (\n    a,\n    b,  # noqa\n)\n",
        "b",
        "from m import (\n    b,  # noqa\n)\n",
    ),
    "backslashes": (
        "from m import a, b, \\\n    c, d\n",
        "ad",
        "from m import a, \\\n    d\n",
    ),
    "backslashes that nothing follows": (
        "import a, \\\n    b\n",
        "a",
        "import a\n",
    ),
    "the spaces of one line": (
        "from m import a , b,c  ,d  # what\n",
        "bd",
        "from m import b  ,d  # what\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "names", "expected"), [pytest.param(*case, id=name) for name, case in LAID_OUT.items()]
)
def test_layout_of_what_is_left(text: str, names: str, expected: str) -> None:
    kept = [number for number, (name, _) in enumerate(aliases(text)) if name in names]
    assert shortened(text, parsed(text), kept) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from m import *  # noqa: F403, *\n", "from m import a, b  # noqa: F403, *\n"),
        ("from .m import*\r\n", "from .m import a, b\r\n"),
        ("from m import \\\n    *;\n", "from m import \\\n    a, b;\n"),
    ],
)
def test_a_star_is_replaced_by_names(text: str, expected: str) -> None:
    made = narrowed(text, ["a", "b"])
    assert made == expected
    assert aliases(made) == [("a", None), ("b", None)]


def test_a_slice_without_laid_out_imports_does_not_load_libcst(tmp_path: Path) -> None:
    """Loading it takes longer than many a slice."""
    (tmp_path / "m.py").write_text(
        "from os import path, sep\n\n\ndef f():\n    return sep\n", encoding="utf-8"
    )
    program = (
        "import sys\nfrom slicefunc.slicer import Repository, slice_function\n"
        "made = slice_function(Repository(sys.argv[1]), 'm.py::f')\n"
        "print(made.source.partition(chr(10))[0], 'libcst' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=True
    )
    assert done.stdout == "from os import sep False\n"
