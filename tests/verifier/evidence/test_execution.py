"""What is noted of a run in the repository: statements that changed what is read, functions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository
from slicefunc.slicer.model import LineMap
from slicefunc.verifier.evidence.in_place.in_place_script import in_place
from slicefunc.verifier.evidence.in_place.repository_copy import copy_of
from slicefunc.verifier.evidence.repair.observed_execution import Execution, execution
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import Case, Determinism, Profile

BOX = "class Box:\n    def __init__(self, held):\n        self.held = held\n\n\n"
READS = "\n\ndef f():\n    return READ\n"


LINES = LineMap(1, "m.py", 1, 0)


def _noted(
    folder: Path, files: dict[str, str], lines: tuple[LineMap, ...] | None = None
) -> Execution:
    """What is noted; `lines` are what the slice holds, where that is said."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    repository = Repository(folder)
    sliced = compile_slice(repository, "m.py::f")
    copy = copy_of(repository)
    assert copy is not None
    place = in_place(repository, sliced, Path(copy.name))
    executor = EmbeddedExecutor()
    executor.start(Profile(readable=(Path(copy.name),)))
    case = Case("c", "def c():\n    return f()\n")
    manifest = sliced.manifest if lines is None else replace(sliced.manifest, lines=lines)
    try:
        return execution(executor.run, place, manifest, [case], Determinism())
    finally:
        executor.close()


@pytest.mark.parametrize(
    "written",
    [
        "READ.append(1)",
        "READ += [1]",
        "for name in ['READ']:\n    vars()[name].append(1)",
        "inner = Box(READ)\n\n\nBox.__init__(inner, READ.append(2))",
    ],
)
def test_a_statement_that_changes_what_is_read_is_noted(tmp_path: Path, written: str) -> None:
    text = f"{BOX}READ = []\nother = 1\n{written}\nother = 2{READS}"
    first = 8 + written.count("\n\n\n") * 3
    lacking = replace(LINES, count=6)  # up to the list
    found = _noted(tmp_path, {"m.py": text}, lines=(lacking,))
    assert found.wrote == (("m.py", first),)


def test_an_object_is_changed_through_another_that_holds_it(tmp_path: Path) -> None:
    files = {
        "m.py": f"{BOX}READ = Box([])\nitems = READ.held\nitems.append(1)\nclass Sub(Box): 0{READS}"
    }
    found = _noted(tmp_path, files, lines=(replace(LINES, count=6),))
    assert found.wrote == (("m.py", 8), ("m.py", 9))


def test_a_statement_of_another_module_is_noted_and_not_the_import_of_it(tmp_path: Path) -> None:
    files = {
        "m.py": f"from table import READ\nimport fills{READS}",
        "table.py": "READ = {}\n",
        "fills.py": "import importlib\n\nname = 'tab' + 'le'\n"
        "importlib.import_module(name).READ['a'] = 1\n",
    }
    assert _noted(tmp_path, files).wrote == (("fills.py", 4),)


def test_functions_that_a_call_runs_are_noted(tmp_path: Path) -> None:
    files = {
        "m.py": "import importlib\n\n\ndef f(name='he' + 'lp'):\n"
        "    return getattr(importlib.import_module(name), 'go' + 'od')()\n",
        "help.py": "def good():\n    return worse()\n\n\ndef worse():\n    return 1\n\n\n"
        "def unused():\n    return 2\n",
    }
    assert _noted(tmp_path, files).functions == (("help.py", 1), ("help.py", 5))


def test_what_is_printed_by_a_repository_is_not_taken_for_what_was_noted(tmp_path: Path) -> None:
    files = {"m.py": f"print('>>> execution: [1]')\nREAD = []{READS}"}
    assert _noted(tmp_path, files).functions == ()
