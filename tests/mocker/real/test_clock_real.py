"""Clocks and generators of the mock, beside the real ones and those of the verifier."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository

SOURCE = """
import random
import time
import uuid
from datetime import date, datetime


def shape():
    begin, steady = time.time(), time.monotonic()
    time.sleep(0.02)
    now = datetime.now()
    return {
        "types": [type(v).__name__ for v in (
            begin, steady, now, date.today(), time.localtime(), time.time_ns(),
            time.strftime("%Y"), random.random(), uuid.uuid4(),
        )],
        "agree": abs(now.timestamp() - time.time()) < 2,
        "slept": 0.02 <= time.time() - begin < 5,
        "steady": 0.02 <= time.monotonic() - steady < 5,
        "day": now.date() == date.today(),
        "version": uuid.uuid4().version,
    }


def moment():
    time.sleep(60)
    return [time.time(), datetime.now().isoformat(), random.random(), str(uuid.uuid4())]
"""
CASES = """
import json, sys
from slicefunc.verifier.sandbox.cases.case_runner import run_cases

settings = json.loads(sys.argv[2])
records = []
run_cases(
    {
        "source": open(sys.argv[1]).read(), "name": "script.py", "target": "moment",
        "cases": [
            {"name": name, "code": f"def {name}():\\n    return moment()\\n"} for name in ("a", "b")
        ],
        "determinism": settings,
    },
    lambda text: records.append(json.loads(text)),
)
print(json.dumps(records))
"""


def sliced(folder: Path, target: str, mock: str = "auto") -> Path:
    repository = folder / f"repository_{mock}"
    repository.mkdir()
    (repository / "example.py").write_text(SOURCE)
    options = Options(mock=mock)
    script = compile_slice(Repository(repository), [f"example.py::{target}"], options).source
    path = folder / f"{mock}.py"
    path.write_text(script)
    return path


def python(code: str, *arguments: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_the_standing_clock_has_the_shape_of_the_real_one(tmp_path: Path):
    code = "import runpy, sys; print(runpy.run_path(sys.argv[1])['shape']())"
    mocked = python(code, str(sliced(tmp_path, "shape")), folder=tmp_path)
    real = python(code, str(sliced(tmp_path, "shape", "none")), folder=tmp_path)
    assert mocked == real


def values(script: Path, **settings: object) -> list[str]:
    records = json.loads(python(CASES, str(script), json.dumps(settings), folder=script.parent))
    found = [r["observation"] for r in records if r["kind"] == "case"]
    return [json.dumps(observation) for observation in found]


def test_every_case_begins_at_the_same_moment_with_the_same_numbers(tmp_path: Path):
    script = sliced(tmp_path, "moment")
    first, second = values(script)
    assert first == second
    assert "2024-01-01T12:01:00" in first
    assert values(script) == [first, second]


def test_clocks_that_the_verifier_has_stopped_are_left_to_it(tmp_path: Path):
    script = sliced(tmp_path, "moment")
    first, second = values(script, seed=0, clock=1_000_000_000.0, entropy=True)
    assert first == second
    assert "2001-09-09T01:47:40" in first


def test_stopping_gives_the_clocks_back(tmp_path: Path):
    code = """
import runpy, sys, time, datetime, random, os
before = time.time, time.sleep, os.urandom, vars(datetime.datetime)["now"], random.getstate()
runpy.run_path(sys.argv[1])
assert time.time is not before[0]
import slice_func_mocks
slice_func_mocks.stop()
after = time.time, time.sleep, os.urandom, vars(datetime.datetime)["now"], random.getstate()
print(before == after, datetime.datetime.now().year > 2024)
"""
    assert python(code, str(sliced(tmp_path, "moment")), folder=tmp_path) == "True True"


def test_a_clock_that_a_class_keeps_does_not_become_a_method(tmp_path: Path):
    code = """
import runpy, sys, time
runpy.run_path(sys.argv[1])
class Timer:
    clock = time.perf_counter
    local = time.localtime
import logging
record = logging.LogRecord("a", 20, "p", 1, "text", (), None)
line = logging.Formatter("%(asctime)s").format(record)
print(Timer().clock() > 0, Timer().local(0).tm_year, line)
"""
    found = python(code, str(sliced(tmp_path, "moment")), folder=tmp_path)
    assert found.startswith("True 1970 2024-01-01 12:0")
