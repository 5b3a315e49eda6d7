"""The lines that are traced are the target's, in every layout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.case_synthesis import search_cases
from slicefunc.slicer import Emit, Repository, slice_function
from slicefunc.verifier.execution.executors.interface import Outcome
from slicefunc.verifier.inputs.argument_builder import ArgumentBuilder
from slicefunc.verifier.script.branch_coverage import branch_coverage
from slicefunc.verifier.script.target_lines import TracedLines, target_definitions, traced_lines

MAIN = """\
import b


def unused():
    return None


def f(x):
    if x:
        return b.g(x)
    return 0
"""
CYCLE = "import a\n\n\ndef g(x):\n    return a.f(x - 1)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(MAIN, encoding="utf-8")
    (tmp_path / "b.py").write_text(CYCLE, encoding="utf-8")
    return tmp_path


def source_of(found: TracedLines) -> str:
    return "\n".join(found.text.split("\n")[found.first - 1 : found.last])


@pytest.mark.parametrize(("emit", "file"), [("modules", "a.py"), ("package", "a.py")])
def test_the_lines_are_found_in_a_carried_module_and_in_a_tree(
    folder: Path, emit: Emit, file: str
) -> None:
    (found,) = traced_lines(folder, slice_function(Repository(folder), "a.py::f", emit=emit))
    assert found.file == file
    assert source_of(found) == "def f(x):\n    if x:\n        return b.g(x)\n    return 0"


def test_the_lines_are_found_in_the_script_itself(tmp_path: Path) -> None:
    text = MAIN.replace("b.g(x)", "1").replace("import b", "# nothing")
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    (found,) = traced_lines(tmp_path, slice_function(Repository(tmp_path), "a.py::f"))
    assert (found.file, found.first + found.offset, found.last + found.offset) == ("", 8, 11)
    assert source_of(found).startswith("def f(x):")


def test_a_target_of_two_branches_has_two_blocks(tmp_path: Path) -> None:
    text = "import sys\n\nif sys.platform:\n    def f():\n        return 1\nelse:\n    f = None\n"
    text += "if not f:\n    def f():\n        return 2\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    found = traced_lines(tmp_path, slice_function(Repository(tmp_path), "a.py::f"))
    assert [(block.first + block.offset, block.last + block.offset) for block in found] == [
        (4, 5),
        (9, 10),
    ]


def test_overloads_are_no_blocks_and_say_nothing_of_the_inputs(tmp_path: Path) -> None:
    text = "from typing import overload\n\n@overload\ndef f(x: int) -> int: ...\n"
    text += "@overload\ndef f(x: str) -> str: ...\ndef f(x):\n    return x\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    sliced = slice_function(Repository(tmp_path), "a.py::f")
    (found,) = traced_lines(tmp_path, sliced)
    assert (found.first + found.offset, found.last + found.offset) == (7, 8)
    definitions = list(target_definitions(text, sliced.manifest, sliced.manifest.targets[0]))
    assert [each.first_line for each in definitions] == [3, 5, 7]
    function = ArgumentBuilder(Repository(tmp_path), sliced).target
    assert function is not None
    assert function.node.lineno == 7


PROGRAM = """
import json, runpy, sys
from slicefunc.verifier.sandbox.cases.arcs import collecting
script, file, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
scope = runpy.run_path(script)
with collecting(file, first, last) as found:
    scope["f"](0)
print(json.dumps(found.arcs()))
"""


def test_arcs_of_a_carried_target_are_reported_on_the_repositorys_lines(folder: Path) -> None:
    sliced = slice_function(Repository(folder), "a.py::f", emit="modules")
    script = folder / "out" / "slice.py"
    script.parent.mkdir()
    script.write_text(sliced.source, encoding="utf-8")
    (lines,) = traced_lines(folder, sliced)
    arguments = [str(script), lines.file or str(script), str(lines.first), str(lines.last)]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        check=True, capture_output=True, text=True, env=os.environ,
    )  # fmt: skip
    arcs = frozenset((a, b) for a, b in json.loads(run.stdout))
    found = branch_coverage(lines.text, lines.first, lines.last, arcs, offset=lines.offset)
    assert [str(branch) for branch in found.missing] == [
        "line 9 never jumped to line 10: `x` was never true"
    ]


def test_a_file_that_is_loaded_under_two_names_has_no_one_text(tmp_path: Path) -> None:
    lib = tmp_path / "lib"
    lib.mkdir()
    (lib / "tool.py").write_text(
        "from other import shout\n\n\ndef setup(loud):\n    return shout() if loud else 'a'\n"
    )
    (lib / "other.py").write_text(
        "import lib.tool\nimport tool\n\n\n"
        "def shout():\n    return lib.tool.setup(False).upper() + tool.setup(False)\n"
    )
    repository = Repository(tmp_path)
    target = "lib/tool.py::setup"
    sliced = slice_function(repository, target, emit="modules")
    assert traced_lines(tmp_path, sliced) == ()
    found = search_cases(repository, sliced, lambda _job: Outcome("exited"))
    assert (found.code, found.cases) == ("not_called", ())
    assert "two names" in found.failure
