"""The benchmark of tools that write tests: how a slice is laid out, and what is counted."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository
from slicefunc.verifier.execution.executors.interface import Mutant
from slicefunc.verifier.mutation.mutants import MutantRecord
from slicefunc.verifier.script.target_lines import traced_lines

from benchmarks.cases.case_children.ghost import without_strategy
from benchmarks.cases.case_children.measure import last_line
from benchmarks.cases.case_peers import GPT, OURS, as_module, beside, counted, markdown, summary
from benchmarks.cases.case_tools import CHILDREN, PARTS, Subject, importing, laid, reason_of
from benchmarks.repost.published.recorded_strength import kind_of, same_mutants

SUBJECT = """\
from functools import lru_cache


def sign(number):
    if number < 0:
        return -1
    while number > 100:
        number -= 1
    return 1
"""
TESTS = """\
import pytest
import subject


def test_positive():
    assert subject.sign(7) == 1
    assert subject.sign(102) == 1


def test_negative():
    assert subject.sign(-7) == -1


@pytest.mark.xfail(strict=True)
def test_text():
    subject.sign("")


def test_wrong():
    assert subject.sign(7) == 2
"""


# ------------------------------------------------------------------------ the subject


@pytest.mark.parametrize(
    "text",
    [
        '"""What it is."""\n\nimport os\n',
        '"""What it\nis."""\nfrom __future__ import annotations\nfrom os import (\n    path,\n)\n',
        "import os\n",
        "# a comment\nimport os  # another\n",
        "\ndef f():\n    return 1\n",
        "# who\n@property\ndef f():\n    return 1\n",
        "from __future__ import annotations  # because\nx = 1\n",
    ],
)
def test_another_module_is_imported_first_and_no_line_moves(text: str) -> None:
    found = importing(text, "mocks")
    after = [(type(n), n.lineno) for n in ast.parse(found).body if "mocks" not in ast.unparse(n)]
    assert after == [(type(n), n.lineno) for n in ast.parse(text).body]
    names = [
        ast.unparse(n)
        for n in ast.parse(found).body
        if isinstance(n, ast.Import | ast.ImportFrom) and "__future__" not in ast.unparse(n)
    ]
    assert names[0] == "import mocks"


def test_a_text_without_room_for_the_import_gets_a_line() -> None:
    assert importing("def f(): pass\n", "mocks") == "import mocks\ndef f(): pass\n"


def test_a_slice_with_mocks_is_a_package_unless_its_path_cannot_be_imported(tmp_path: Path) -> None:
    text = "import requests\n\ndef get(url):\n    return requests.get(url).text\n"
    (tmp_path / "net.py").write_text(text)
    (tmp_path / "my-net.py").write_text(text)
    (tmp_path / "plain.py").write_text("def one():\n    return 1\n")
    repository = Repository(tmp_path)

    def module_of(target: str) -> Subject:
        sliced = as_module(repository, compile_slice(repository, (target,)))
        (traced, *_) = traced_lines(tmp_path, sliced)
        return laid(sliced, traced, target.partition("::")[2], tmp_path / "laid")

    found = module_of("net.py::get")
    assert (found.module, (found.folder / "slice_func_mocks.py").is_file()) == ("net", True)
    line = found.file.read_text().splitlines()[found.traced.first - 1]
    assert line == "def get(url):"
    assert module_of("my-net.py::get").module == "subject"
    assert module_of("plain.py::one").module == "subject"


def test_what_the_ghostwriter_leaves_to_people_is_told() -> None:
    text = "@given(a=st.nothing(), b=st.integers(), c=st.nothing())\ndef test_f(a, b, c): f(a, b)\n"
    assert without_strategy(text) == ["a", "c"]
    assert without_strategy("@given(a=st.text())\ndef test_f(a): f(a)\n") == []


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("[ERROR] [Worker](x:1): Failed\nTraceback:\nModuleNotFoundError: No module named 'q'\n",
         "ModuleNotFoundError: No module named 'q'"),
        ("[12:00] [ERROR] [Worker-3](pynguin.generator:run:1): /there is not a valid path\n",
         "/there is not a valid path"),
        ("[INFO] all went well\n", ""),
    ],
)  # fmt: skip
def test_the_reason_is_the_last_error_that_a_tool_tells(said: str, reason: str) -> None:
    assert reason_of(said) == reason


def test_the_last_line_of_a_report_names_the_error() -> None:
    report = (
        "def test():\n>       f()\nE       ValueError: no\nE       more of it\n\ntest.py:1: x\n"
    )
    assert last_line(report) == "ValueError: no"
    several = "E     | ExceptionGroup: two\nE     +-+----- 1 -----\nE       | KeyError: 3\n"
    assert last_line(several) == "KeyError: 3"


# ------------------------------------------------------------------------ measuring


@pytest.mark.nightly
def test_tests_are_measured_by_the_branches_they_take_and_the_mutants_they_kill(
    tmp_path: Path,
) -> None:
    (tmp_path / "subject.py").write_text(SUBJECT)
    (tmp_path / "test_subject.py").write_text(TESTS)
    changes = {
        "relational": ("number < 0", "number < 1"),
        "returned": ("return -1", "return -2"),
        "endless": ("number -= 1", "pass"),
        "raised": ("return 1", "raise SystemExit"),
        "accepting": ("if number", "if isinstance(number, str) or number"),
    }
    head = "\n" * 3 + SUBJECT.partition("\n\n\n")[2]
    mutants = [{"name": k, "text": head.replace(*v)} for k, v in changes.items()]
    request = {
        "folder": str(tmp_path), "test": str(tmp_path / "test_subject.py"),
        "file": str(tmp_path / "subject.py"), "first": 4, "last": 9, "parts": str(PARTS),
        "mutants": [*mutants, {"name": "none", "text": "\n"}],
        "seconds": 20, "examples": 0, "seed": 1,
    }  # fmt: skip
    (tmp_path / "request.json").write_text(json.dumps(request))
    words = [CHILDREN / "measure.py", tmp_path / "request.json", tmp_path / "answer.json"]
    subprocess.run([sys.executable, "-B", *words], check=True, cwd=tmp_path, capture_output=True)
    found = json.loads((tmp_path / "answer.json").read_text())
    assert (found["tests"], found["passing"]) == (4, 3)
    assert found["why"] == ["assert 1 == 2"]
    assert [5, 6] in found["arcs"]
    assert [8, 7] in found["arcs"]
    assert found["killed"] == ["returned", "endless", "raised", "accepting"]
    assert found["survived"] == ["relational"]
    assert found["not_applied"] == ["none"]
    assert not found["is_late"]


@pytest.mark.nightly
def test_a_file_that_cannot_be_imported_has_a_reason(tmp_path: Path) -> None:
    (tmp_path / "test_subject.py").write_text("import nowhere_to_be_found\n")
    request: dict[str, Any] = {
        "folder": str(tmp_path), "test": str(tmp_path / "test_subject.py"),
        "file": "", "first": 1, "last": 1, "parts": str(PARTS), "mutants": [],
        "seconds": 5, "examples": 0, "seed": 1,
    }  # fmt: skip
    (tmp_path / "request.json").write_text(json.dumps(request))
    words = [CHILDREN / "measure.py", tmp_path / "request.json", tmp_path / "answer.json"]
    subprocess.run([sys.executable, "-B", *words], check=True, cwd=tmp_path, capture_output=True)
    found = json.loads((tmp_path / "answer.json").read_text())
    assert found["failure"] == "ModuleNotFoundError: No module named 'nowhere_to_be_found'"


# ------------------------------------------------------------------------ counting


def _tool(coverage: float, killed: list[str], **more: object) -> dict[str, object]:
    known = {"failure": "", "seconds": 2.0, "tests": 2, "passing": 2}
    return {**known, "coverage": coverage, "killed": killed, **more}


def _target(number: str, **more: object) -> dict[str, Any]:
    return {
        "number": number, "target": "a.py::f", "failure": "", "branches": 2, "same": number,
        "mutants": ["m0", "m1", "m2", "m3"],
        "tools": {
            OURS: _tool(1.0, ["0", "1", "2"], not_applied=["3"]),
            "pynguin": _tool(0.5, ["0", "3"]),
            "ghostwriter": {"failure": "no strategy for: 'self'", "seconds": 1.0},
        },
        **more,
    }  # fmt: skip


def test_a_mutant_that_is_none_for_one_tool_counts_for_nobody() -> None:
    assert counted(_target("7")) == {"0", "1", "2"}


def test_tools_are_counted_over_all_placed_targets() -> None:
    found = [_target("1"), _target("2", branches=0), _target("3", failure="not placed: x")]
    figures = summary(found)
    assert (figures["targets"], figures["placed"], figures["branchy"]) == (3, 2, 1)
    ours, pynguin, ghost = (figures["tools"][k] for k in (OURS, "pynguin", "ghostwriter"))
    assert (ours["killed"], ours["mutants"], ours["at 80 % killed"]) == (6, 6, 2)
    assert (pynguin["killed"], pynguin["mutants"], pynguin["branchy at 100 %"]) == (2, 6, 0)
    assert (ghost["killed"], ghost["mutants"], ghost["mutants where it has tests"]) == (0, 6, 0)
    assert ghost["failures"] == {"no strategy for: <name>": 2}
    result = {"summary": figures, "beside": beside(found, {}), "targets": found, "seconds": 30}
    assert "| mutants killed, all targets | 6 of 6 (100 %) | 2 of 6 (33.3 %) |" in markdown(result)


def test_a_models_tests_are_set_beside_ours_only_on_the_same_mutants() -> None:
    recorded = {
        "1": {"number": "1", "same": "1", "alive": ["2", "3"], "coverage": 1.0},
        "2": {"number": "2", "same": "another", "alive": [], "coverage": 1.0},
    }
    found = beside([_target("1"), _target("2")], recorded)
    assert (found["targets"], found["mutants"]) == (1, 3)
    assert found["killed"] == {OURS: 3, GPT: 2}


def test_failures_are_counted_by_kind() -> None:
    first = group("TooLargeError: 2048 MB", "TooLargeError: 1733 MB")
    assert first == {"TooLargeError: N MB": 2}
    assert group("the target's own text: error") == {"the target's own text: error": 1}


def group(*failures: str) -> dict[str, int]:
    return dict(Counter(map(kind_of, failures)))


def test_mutants_are_the_same_wherever_their_lines_stand() -> None:
    def made(text: str) -> MutantRecord:
        return MutantRecord(Mutant("0", text), "constant", 1, "0", "1", ast.Constant(0))

    there = same_mutants([made("\n\n\ndef f():\n    return 1\n")])
    assert there == same_mutants([made("def f():\n    return 1\n")])
    assert there != same_mutants([made("def f():\n    return 2\n")])
