"""Results are told in the parts that others report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.common import report
from benchmarks.environments import environment_counts


def test_rows_of_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "big/a.py": "def f(): ...\n",
        "small/b.py": "from torch.nn import X\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = [_record("big", "a.py", f"f{n}", passed=n < 40, state="one") for n in range(50)]
    found.append(_record("small", "b.py", "g", passed=True, state="two"))
    monkeypatch.setattr(environment_counts, "RESULTS", tmp_path)
    report.write_result("now", {"functions": found}, tmp_path)
    report.write_result("before", {"functions": found[:10]}, tmp_path)
    row = {
        "idx": "1", "repo_name": "big", "commit_id": "", "func_path": "a.py", "orig_func": "",
        "orig_context": "", "eval_script": "",
    }  # fmt: skip
    data = tmp_path / "data.jsonl"
    lines = [json.dumps({**row, "func_name": name}) for name in ("f1", "f45", "gone")]
    data.write_text("\n".join(lines), encoding="utf-8")
    words = ["now", "--repos", str(tmp_path), "--earlier", "before", "--data", str(data)]
    assert environment_counts.main(words) == 0
    rows = dict(
        line.strip("| ").split(" | ")[:2] for line in capsys.readouterr().out.splitlines()[2:]
    )
    assert rows["all"] == "41 of 51 (80.4 %)"
    assert rows["without the largest repository, big"] == "1 of 1 (100 %)"
    assert rows["without GPU and cloud"] == "40 of 50 (80.0 %)"
    assert rows["at most 30 of a repository"].split(" of ")[1].startswith("31 ")
    assert rows["not in an earlier result"] == "31 of 41 (75.6 %)"
    assert rows["measured at two"] == "1 of 1 (100 %)"
    assert rows["of the 3 targets of data.jsonl"] == "1 of 2 (50.0 %)"


def _record(
    repository: str, path: str, name: str, *, passed: bool, state: str
) -> dict[str, object]:
    return {
        "repository": repository, "target": f"{path}::{name}", "apart": 1.0, "state": state,
        "path": path, "qualname": name, "sliced": True, "passed": passed, "cases": 2,
        "runs": True, "called": True, "stable": True, "branches": 1.0, "killed": 1.0,
        "reasons": [], "gaps": {}, "seconds": 1.5,
    }  # fmt: skip
