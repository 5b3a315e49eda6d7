"""For every generated use of an answer: a mocked script gives what the case chooses."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, note, settings
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository

from tests.property.answer_uses import programs
from tests.property.answers import run, variants

CHILD = Path(__file__).with_name("choosing_child.py")
FAILURES = {"404": "", "redirect": "", "timeout": "ReadTimeout", "connection": "ConnectionError"}
"""What `requests` raises by itself; an answer with another status is one that can be read."""


def chosen(source: str, place: str, *stubs: str) -> dict[str, list[dict[str, str]]]:
    """What comes of each variant of a place, twice."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.py").write_text(source)
        made = compile_slice(Repository(folder), ["program.py::Task.run"], Options(stubs=stubs))
        script = Path(folder) / "script.py"
        script.write_text(made.source)
        done = subprocess.run(
            [sys.executable, str(CHILD), str(script), place],
            cwd=folder, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stderr)


def plainly(source: str, answer: object) -> str:
    """What a program raises where an answer is simply given to it."""
    try:
        run(source, answer)
    except Exception as error:  # noqa: BLE001 (whatever it raises is told)
        return ", ".join(cls.__name__ for cls in type(error).__mro__)
    return ""


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_a_stub_answers_what_is_chosen(source: str) -> None:
    note(source)
    expected = {each.name: each.value for each in variants(source, "any")}
    found = chosen(source, "outside.fetch()", "outside")
    for name, (first, again) in found.items():
        note(f"{name}: {first}")
        assert first == again
        assert first["raised"] == plainly(source, expected[name])


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_a_library_that_stays_real_answers_what_is_chosen(source: str) -> None:
    note(source)
    expected = {each.name: each.value for each in variants(source)}
    asked = "requests.get('https://api.example/x').json()"
    real = source.replace("import outside", "import requests").replace("outside.fetch()", asked)
    for name, (first, again) in chosen(real, "requests").items():
        note(f"{name}: {first}")
        assert first == again
        if FAILURES.get(name):
            assert FAILURES[name] in first["raised"].split(", ")
        elif name not in FAILURES:
            assert first["raised"] == plainly(source, expected[name])
