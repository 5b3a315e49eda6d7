"""The report of cases: drawn by seed, with what each shows, and the medians of all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.cases.case_report import main, report, shown

RECORDS = [
    {
        "repository": "owner/name",
        "target": f"module.py::function_{n}",
        "cases": [f"def case_{i}():\n    return function_{n}({i})\n" for i in range(n)],
        "shows": [f"returns {i}" for i in range(n)],
    }
    for n in range(4)
]


def test_cases_are_drawn_by_seed() -> None:
    one = report(RECORDS, 3, 1)
    assert one == report(RECORDS, 3, 1)
    assert one.count("```python") == 3
    assert len({report(RECORDS, 3, seed) for seed in range(9)}) > 1


def test_each_has_its_target_its_code_and_what_it_shows() -> None:
    text = report(RECORDS, 100, 1)
    assert text.count("```python") == 6
    assert "## `module.py::function_1`\n\nOf owner/name.\n" in text
    assert "def case_0():\n    return function_1(0)\n```\n\nReturns `0`\n" in text
    assert "2 cases a target (median; at most 3), 1 lines a case" in text


def test_records_that_do_not_say_what_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    old = {key: value for key, value in RECORDS[2].items() if key != "shows"}
    file = tmp_path / "records.jsonl"
    file.write_text(f"{json.dumps({**old, 'endings': [0, 1]})}\n")
    assert main([str(file)]) == 0
    text = capsys.readouterr().out
    assert "Returns\n" in text
    assert "Raises\n" in text


def test_a_run_without_cases_has_a_report() -> None:
    assert "0 of 0 cases" in report([{**RECORDS[0], "cases": None}], 30, 1)


@pytest.mark.parametrize(
    ("observation", "told"),
    [
        ({"outcome": "returned", "value": 3}, "returns 3"),
        ({"outcome": "returned", "value": None}, "returns None"),
        ({"outcome": "returned", "value": None, "stdout": "a\n"}, "prints 'a\\n'"),
    ],
)
def test_what_a_case_shows_is_one_line(observation: object, told: str) -> None:
    assert shown(json.dumps(observation)) == told
