"""What a case chooses: where the places stand, and what is told of one that has no such variant."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository

STATE = """\
import os

import requests


def state(key):
    answer = requests.get("https://api.example/" + key, timeout=3)
    if os.path.exists("cache.json"):
        with open("cache.json") as stream:
            return stream.read()
    return answer.json()["state"] if answer.ok else answer.status_code
"""
BEGIN = "import script, slice_func_mocks as mocks\n"


def told(tmp_path: Path, program: str) -> tuple[str, str]:
    (tmp_path / "a.py").write_text(STATE)
    made = compile_slice(Repository(tmp_path), ["a.py::state"])
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "script.py").write_text(made.source)
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program],
        cwd=tmp_path / "inside", capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout, done.stderr


def test_places_that_were_asked_can_be_looked_up(tmp_path: Path):
    shown, errors = told(
        tmp_path, "script.state('a')\nfor place in mocks.places.items(): print(*place)"
    )
    assert shown.splitlines() == [
        "requests ['default', '404', 'redirect', 'timeout', 'connection']",
        "files ['default', 'broken', 'missing']",
    ], errors


def test_a_variant_that_there_is_not_is_told(tmp_path: Path):
    program = "mocks.choose(requests='{}', files='missing')\nprint(script.state('a'))"
    assert told(tmp_path, program.format("503")) == ("503\n", "")
    (tmp_path / "inside").rename(tmp_path / "before")
    shown, errors = told(tmp_path, program.format("timeot"))
    assert shown == "state-1\n"
    assert "requests has no variant 'timeot', but default, 404, redirect, timeout" in errors
    assert errors.startswith("<string>:2: RuntimeWarning: ")


def test_a_stub_may_answer_what_is_false(tmp_path: Path):
    (tmp_path / "a.py").write_text(
        "import alarm_panel\n\n\ndef quiet():\n"
        "    if alarm_panel.trouble():\n        raise RuntimeError\n    return 'quiet'\n"
    )
    made = compile_slice(Repository(tmp_path), ["a.py::quiet"], Options(stubs=("alarm_panel",)))
    (tmp_path / "script.py").write_text(made.source)
    program = (
        "print(script.quiet(), mocks.places)\n"
        "mocks.choose(**{'alarm_panel.trouble()': 'is_text_1'})\nscript.quiet()"
    )
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "quiet {'alarm_panel.trouble()': ['default', 'is_text_1']}\n"
    assert done.stderr.endswith("RuntimeError\n")


def test_a_program_that_is_looked_for_may_be_missing(tmp_path: Path):
    (tmp_path / "a.py").write_text(
        "from shutil import which\n\n\ndef there(name):\n    return which(name) is not None\n"
    )
    made = compile_slice(Repository(tmp_path), ["a.py::there"])
    (tmp_path / "script.py").write_text(made.source)
    program = (
        "print(script.there('git'), 'missing' in mocks.places['subprocess'])\n"
        "mocks.choose(subprocess='missing')\nprint(script.there('git'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "True True\nFalse\n", done.stderr
