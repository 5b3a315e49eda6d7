"""Repositories in the syntax of a newer Python than the one that runs the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.settings.cache_folders import cache_folder
from slicefunc.verifier.execution.environments.installer.pythons import find_python

from tests.driver.conftest import run

NEWER = None if sys.version_info >= (3, 12) else find_python(">=3.12", cache_folder())
needs_newer = pytest.mark.skipif(NEWER is None, reason="no Python that is newer in syntax is here")

SHAPES = """\
from math import (
    floor,  # of the real line
    ceil,
)


class Shape:
    sides = 4


type Sized[T: Shape] = tuple[T, int]


class Pile[T: Shape](list[T]):
    def top[U](self, other: U) -> T | U:
        return self[-1] if self else other


def gather(count: int, *shapes: *tuple[Shape, ...]) -> str:
    pile = Pile(shapes)
    return f"{"/".join(str(pile.top(Shape()).sides) for _ in range(count))} {floor(1.5)}"
"""


@pytest.fixture
def shapes(tmp_path: Path) -> Path:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "shapes.py").write_text(SHAPES)
    return tmp_path / "repo"


@needs_newer
def test_the_slice_is_made_by_a_python_that_reads_it(shapes: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    done = run(shapes, "shapes.py::gather", "-o", script)
    assert done.status == 0, done.err
    assert "going on under Python 3." in done.err
    assert "gap:" not in done.err
    assert "Sized" not in script.read_text()
    asked = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import script; "
    given = subprocess.run(
        [str(NEWER), "-c", f"{asked}print(script.gather(2))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert given.stdout == "4/4 1\n"


@needs_newer
def test_an_environment_is_built_and_scored_by_it(shapes: Path, tmp_path: Path) -> None:
    right = "def gather(count: int, *shapes: *tuple[Shape, ...]) -> str:\n"
    right += '    return f"{"/".join(["4"] * count)} 1"\n'
    (tmp_path / "right.py").write_text(right)
    (tmp_path / "wrong.py").write_text(right.replace('} 1"', '} 2"'))
    (tmp_path / "cases.py").write_text("def case_of_two():\n    return gather(2)\n")
    made = run(
        shapes, "shapes.py::gather", "--cases", tmp_path / "cases.py", "--verify",
        "--no-install", "--env", tmp_path / "env", "-o", tmp_path / "script.py",
        "--min-branches", "0", "--min-killed", "0",
    )  # fmt: skip
    assert (tmp_path / "env" / "environment.json").exists(), made.err
    done = run("score", tmp_path / "env", tmp_path / "right.py", tmp_path / "wrong.py")
    assert [line.split()[1] for line in done.out.decode().splitlines()] == ["passed,", "failed,"]


CODES = """\
import re

type Code = str


def is_code(text: Code) -> bool:
    if re.fullmatch(r"[A-Z]{2}-[0-9]{3}", text):
        return True
    return False
"""


@needs_newer
@pytest.mark.nightly
def test_texts_for_patterns_are_found_by_it(tmp_path: Path) -> None:
    (tmp_path / "codes.py").write_text(CODES)
    made = run(tmp_path, "codes.py::is_code", "--test", "--env", tmp_path / "env", "--no-install")
    assert made.status == 0, made.err
    record = json.loads((tmp_path / "env" / "environment.json").read_text())
    assert record["metrics"]["branch_coverage"] == 1


def test_where_no_python_reads_it_the_error_stays(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(:\n    pass\n")
    done = run(tmp_path, "m.py::f")
    assert done.status == 2
    assert "does not parse" in done.err
    assert "going on" not in done.err


@needs_newer
def test_a_whole_repository_is_done_by_it(shapes: Path) -> None:
    (shapes / "plain.py").write_text("def plain():\n    return 1\n")
    done = run(shapes, "--all", "--verify", "--no-install", "--json", "--jobs", "1")
    assert "going on under Python 3." in done.err
    found = json.loads(done.out)
    assert found["sliced"] == found["runs"] == found["functions"] == 3, done.err


def test_tests_in_newer_syntax_are_no_reason_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_syntax.py").write_text("type A = int\n")
    (tmp_path / "plain.py").write_text("def plain():\n    return 1\n")
    done = run(tmp_path, "--all")
    assert done.status == 0
    assert "going on" not in done.err
