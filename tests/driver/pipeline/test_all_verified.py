"""`--all --test --verify`: every function becomes an environment, or an entry that says why not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.pipeline.passes import Verification, compile_environment
from slicefunc.driver.record.environment_files import read_environment
from slicefunc.slicer import Repository

from tests.driver.conftest import empty_cache, run
from tests.driver.record.test_environment import needs_sandbox
from tests.verifier.execution.environments.wheels import Wheel

MODULE = '''\
"""Three ends."""
import logging


def far(a: int, b: int) -> int:
    if a > b:
        return a - b
    return a + b


def address(a: int) -> int:
    return id(object()) + a


def logs(a: int) -> None:
    logging.getLogger("x").warning("seen %d", a)
'''
INTERRUPTIBLE = """
import signal, sys
from slicefunc.driver.cli.command import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # which nohup has ignored
sys.exit(main())
"""
ALL = ("--all", "--test", "--verify", "--no-install")
STAGES = (
    "functions", "sliced", "runs", "called", "stable", "faithful", "branches_80", "branches_100",
    "killed_80", "unseen_80", "environments",
)  # fmt: skip

pytestmark = needs_sandbox


@pytest.fixture
def ends(tmp_path: Path) -> Path:
    """A repository of functions of which one becomes an environment."""
    folder = tmp_path / "ends"
    folder.mkdir()
    (folder / "a.py").write_text(MODULE)
    return folder


def _report(out: bytes) -> dict[str, Any]:
    report = json.loads(out)
    for entry in report["entries"]:
        del entry["seconds"]
    return report


def test_the_waterfall_has_a_reason_for_each_function_that_falls(
    ends: Path, tmp_path: Path
) -> None:
    envs = tmp_path / "envs"
    done = run(ends, *ALL, "--json", "--jobs", "2", "--env", envs)
    report = _report(done.out)
    assert done.status == 0
    assert {name: report[name] for name in STAGES} == {
        "functions": 3, "sliced": 3, "runs": 3, "called": 3, "stable": 2, "faithful": 2,
        "branches_80": 2, "branches_100": 2, "killed_80": 1, "unseen_80": 1, "environments": 1,
    }  # fmt: skip
    assert report["in_place"] == {"asked": 2, "compared": 2, "same": 2, "why_not": {}}
    assert report["reasons"] == {"only_logs": 1, "unstable": 1}
    reasons = {each["qualname"]: each["reasons"] for each in report["entries"]}
    assert reasons["far"] == []
    (unstable,) = reasons["address"]
    assert (unstable["path"], unstable["line"]) == ("a.py", 11)
    assert "under another hash seed" in unstable["hint"]
    environments = {each["qualname"]: each["environment"] for each in report["entries"]}
    assert environments == {"address": None, "far": "a.py/far", "logs": None}
    assert sorted(each.name for each in (envs / "a.py").iterdir()) == ["far"]
    assert read_environment(envs / "a.py/far").record["reasons"] == []


@pytest.mark.nightly
def test_an_interrupted_run_goes_on(ends: Path, tmp_path: Path) -> None:
    envs, journal = tmp_path / "envs", tmp_path / "envs/results.jsonl"
    words = [ends, *ALL, "--json", "--jobs", "1", "--env", envs]
    command = [sys.executable, "-c", INTERRUPTIBLE, *map(str, words)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        while process.poll() is None and not journal.exists():
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert b"--resume goes on" in told
    assert b"Traceback" not in told
    before = _rows(journal)
    assert before < 1 + 3
    done = run(*words, "--resume")
    assert _report(done.out)["environments"] == 1
    assert _rows(journal) == 1 + 3
    again = run(*words, "--resume")
    assert _report(again.out) == _report(done.out)
    assert "executor" not in again.err  # nothing was left to run


def _rows(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def test_what_takes_too_long_ends_as_an_entry_and_the_rest_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "a.py").write_text(
        "import time\n\nPAUSE = time.sleep(100) or 1\n\n\n"
        "def long(a: int) -> int:\n    return a + PAUSE\n"
    )
    (folder / "b.py").write_text("def short(a: int) -> int:\n    return a + 1\n")
    done = run(folder, *ALL, "--json", "--jobs", "1", "--function-seconds", "15", "--mock", "none")
    entries = {each["qualname"]: each for each in _report(done.out)["entries"]}
    long = entries["long"]
    assert (long["sliced"], long["passed"]) == (True, False)
    assert [each["code"] for each in long["reasons"]] == ["out_of_time"]
    assert entries["short"]["passed"]


@pytest.mark.nightly
def test_the_library_gives_the_reasons_too(ends: Path) -> None:
    asked = Verification(test=True, installs=False)
    found = compile_environment(Repository(ends), "a.py::logs", None, asked)
    assert [each.code for each in found.reasons] == ["only_logs"]
    assert found.environment is None
    assert compile_environment(Repository(ends), "a.py::far", None, asked).reasons == ()


def test_without_cases_only_the_run_is_told(ends: Path) -> None:
    report = _report(run(ends, "--all", "--verify", "--no-install", "--json").out)
    assert {name: report.get(name) for name in STAGES[:4]} == {
        "functions": 3, "sliced": 3, "runs": 3, "called": None,
    }  # fmt: skip


def test_places_are_lines_of_the_repository(tmp_path: Path) -> None:
    folder = tmp_path / "weak"
    folder.mkdir()
    rest = '"""Weak."""\n\n\ndef unused():\n    return 1\n\n\n'
    weak = (
        "def weak(a: int) -> int:\n    size = 7 if a == 8_765_432 else 8\n    return size * 0 + a\n"
    )
    (folder / "a.py").write_text(rest + weak)
    asked = Verification(test=True, installs=False)
    found = compile_environment(Repository(folder), "a.py::weak", None, asked)
    survived = found.verified.strength.survived if found.verified.strength else ()
    assert survived
    assert {each.line for each in survived} <= {9, 10}


@pytest.mark.nightly
def test_installing_is_not_of_a_functions_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.endswith(".whl"):
                time.sleep(12)
            super().do_GET()

    page = tmp_path / "pages/tiny-two"
    page.mkdir(parents=True)
    name = Wheel("tiny-two").write(page).name
    (page / "index.html").write_text(f'<a href="{name}">{name}</a>')
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a.py").write_text("import tiny_two\n\ndef f():\n    return tiny_two.VERSION\n")
    handler = partial(Slow, directory=tmp_path / "pages")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("SLICE_FUNC_CACHE", str(empty_cache(tmp_path / "cache")))
        words = ("--all", "--verify", "--json", "--function-seconds", "10")
        done = run(folder, *words)
        server.shutdown()
    (entry,) = json.loads(done.out)["entries"]
    assert (entry["runs"], entry["reasons"]) == (True, [])
    assert entry["seconds"] > 10
