"""Runs over whole repositories go on from what is there."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.common import report
from benchmarks.environments import environments


def test_what_stands_among_the_results_is_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repositories = tmp_path / "repositories"
    (repositories / "one").mkdir(parents=True)
    (repositories / "one/a.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    entry = {
        "path": "a.py", "qualname": "f", "sliced": True, "passed": True, "cases": 2,
        "runs": True, "called": True, "stable": True, "branches": 1.0, "killed": 1.0,
        "reasons": [], "gaps": {}, "seconds": 1.5,
    }  # fmt: skip
    known = {"repository": "one", "target": "a.py::f", "apart": 2.0, **entry}
    monkeypatch.setattr(environments, "RESULTS", tmp_path)
    monkeypatch.setattr(environments, "_measured", lambda *given: _none_is_left(given[1]))
    report.write_result("before", {"functions": [known]}, tmp_path)
    words = ["--repos", str(repositories), "--work", str(tmp_path / "work"), "--json"]
    assert environments.main([*words, "--known", "before"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["target"] for each in found["functions"]] == ["a.py::f"]
    assert found["summary"]["environments"] == 1


def test_results_do_not_name_folders_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = str(tmp_path / "kept")
    monkeypatch.setenv("SLICE_FUNC_CACHE", cache)
    work = str(tmp_path / "work")
    hint = f"'{sys.base_prefix}/lib', then '{cache}/environments/a/lib', then '{work}/slices'"
    text = report.write_result("seen", {"hint": hint}, tmp_path, {"WORK": work}).read_text()
    expected = "'PYTHON/lib', then 'CACHE/environments/a/lib', then 'WORK/slices'"
    assert json.loads(text)["hint"] == expected


def _none_is_left(targets: list[object]) -> None:
    assert not targets
