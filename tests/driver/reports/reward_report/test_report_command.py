"""`slice-func report` of a run and of a log, as people call it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from slicefunc.driver.cli.command import main
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.evaluation.runs import write_run
from slicefunc.driver.record.environment_files import write_environment
from slicefunc.driver.record.score_log import LoggedScore

from tests.driver.evaluation.sample_rows import sample
from tests.driver.places.small_environments import (
    GRADE,
    GRADE_CALLS,
    LEARNED_GRADE,
    RIGHT_GRADE,
    small_environment,
)
from tests.driver.record.test_environment import needs_sandbox

WRONG = "def grade(points, limit=50):\n    return 'pass'\n"
CANDIDATES = (
    (LEARNED_GRADE, "passed"), (RIGHT_GRADE, "passed"), (GRADE, "passed"), (GRADE, "passed"),
    (WRONG, "passed"), (WRONG, "failed"),
)  # fmt: skip
"""Texts and recorded verdicts; one verdict is wrong."""
SETTINGS = {"schema": 1, "model": "m", "samples": 6, "task": "completion"}
Places = tuple[Path, str]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """A folder with one environment, and its id."""
    root = tmp_path_factory.mktemp("dataset")
    environment = small_environment(GRADE, "grade", GRADE_CALLS)
    write_environment(root / "grade", environment)
    return root, environment.record["id"]


def _run(place: Path, identity: str, **settings: object) -> Path:
    rows = [
        replace(
            sample(identity, verdict, sample=n, completion=text, code=text),
            path="one.py", qualname="grade", hidden=0,
        )
        for n, (text, verdict) in enumerate(CANDIDATES)
    ]  # fmt: skip
    write_run(Store.at(str(place)), {**SETTINGS, **settings}, rows)
    return place


def _log(place: Path, identity: str) -> Path:
    lines = [
        LoggedScore(float(n), identity, text, verdict, float(verdict == "passed"), 4, 4, 0, 0)
        for n, (text, verdict) in enumerate(CANDIDATES)
    ]
    place.write_text("".join(f"{json.dumps(asdict(each))}\n" for each in lines))
    return place


@needs_sandbox
def test_a_run_says_which_passes_are_refuted_and_which_verdicts_have_changed(
    dataset: Places, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, identity = dataset
    run = _run(tmp_path / "run", identity)
    assert main(["report", str(run), "--dataset", str(root), "--json", "-q"]) == 0
    found = json.loads(capsys.readouterr().out)
    fresh, drift = found["fresh"], found["drift"]
    assert (fresh["distinct_passing"], fresh["answered"], fresh["refuted"]) == (4, 4, 2)
    assert fresh["interval"][0] < 0.5 < fresh["interval"][1]
    assert {each["sample"] for each in fresh["first"]} == {0, 4}
    assert all(each["function"] == "one.py::grade" for each in fresh["first"])
    assert all("grade(" in each["input"] for each in fresh["first"])
    assert (drift["scored"], drift["rewards_differ"]) == (6, 1)
    assert drift["changes"] == {"passed to failed": 1}
    assert found["tenths"] is None
    assert main(["report", str(run), "--dataset", str(root), "--json", "-q"]) == 0
    assert json.loads(capsys.readouterr().out) == found


@needs_sandbox
def test_a_log_is_a_run_in_the_order_of_time(
    dataset: Places, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, identity = dataset
    log = _log(tmp_path / "log.jsonl", identity)
    page = tmp_path / "page.html"
    words = ["report", str(log), "--dataset", str(root), "--drift", "1", "--fresh", "all", "-q"]
    assert main([*words, "-o", str(page)]) == 0
    assert capsys.readouterr().out == ""
    text = page.read_text()
    assert "In the order of time" in text
    assert "one.py::grade" in text
    assert "<script" not in text
    assert main(words) == 0
    assert "1 of 1 asked" in capsys.readouterr().out


def test_without_a_dataset_the_report_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = _run(tmp_path / "run", "e1", kind="training")
    assert main(["report", str(run)]) == 0
    out = capsys.readouterr().out
    assert "note: without --dataset: no fresh inputs" in out
    assert "fresh inputs\n" not in out
    assert "6 candidates for 1 environments" in out
    assert "In the order of time" in out


def test_texts_of_candidates_are_escaped(tmp_path: Path) -> None:
    place = tmp_path / "run"
    row = replace(sample("e1"), path="<script>alert(1)</script>.py")
    write_run(Store.at(str(place)), SETTINGS, [row])
    page = tmp_path / "page.html"
    assert main(["report", str(place), "-o", str(page), "-q"]) == 0
    assert "<script" not in page.read_text()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("RUN", "--dataset", "none"), "none"),
        (("RUN", "--fresh", "few"), "--fresh"),
        (("RUN", "--seed", "x"), "--seed"),
        (("DAMAGED",), "samples.parquet"),
        (("NO_RUN",), "no run"),
        (("NO_LOG",), "no log of scores"),
        (("DATASET",), "a page about a dataset needs a file"),
        (("DATASET", "--json", "-o", "page.html"), "--json is for a run"),
        (("RUN", "-o", "none/page.html"), "none"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(
    words: tuple[str, ...],
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    damaged, no_run = tmp_path / "damaged", tmp_path / "no_run"
    damaged.mkdir()
    (damaged / "run.json").write_text(json.dumps(SETTINGS))
    (damaged / "samples.parquet").write_text("no table")
    no_run.mkdir()
    (no_run / "run.json").write_text("{}")
    (tmp_path / "log.jsonl").write_text("\n")
    (tmp_path / "dataset").mkdir()
    places = {
        "RUN": _run(tmp_path / "run", "e1"), "DAMAGED": damaged, "NO_RUN": no_run,
        "NO_LOG": tmp_path / "log.jsonl", "DATASET": tmp_path / "dataset",
    }  # fmt: skip
    assert main(["report", *(str(places.get(word, word)) for word in words)]) == 2
    errors = capsys.readouterr().err
    assert problem in errors
    assert "Traceback" not in errors
