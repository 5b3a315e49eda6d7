"""What the index has said is not asked again, for a while."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from slicefunc.verifier.execution.environments.installer.environment_errors import InstallError
from slicefunc.verifier.execution.environments.installer.index_answers import remembered
from slicefunc.verifier.execution.environments.installer.uv_process import InstallerRun

HOUR = 3600.0


def answers(*runs: InstallerRun) -> Callable[[], InstallerRun]:
    left = iter(runs)
    return lambda: next(left)


def grown_old(folder: Path, seconds: float) -> None:
    for file in folder.rglob("*.json"):
        os.utime(file, (time.time() - seconds, time.time() - seconds))


def test_a_question_is_asked_once_in_a_day(tmp_path: Path) -> None:
    first, second = InstallerRun(0, "a==1", "resolved"), InstallerRun(0, "a==2", "")
    ask = answers(first, second)
    assert remembered(["a"], tmp_path, ask) == first
    grown_old(tmp_path, 20 * HOUR)
    assert remembered(["a"], tmp_path, ask) == first
    grown_old(tmp_path, 25 * HOUR)
    assert remembered(["a"], tmp_path, ask) == second


def test_what_was_not_there_is_asked_for_again_after_an_hour(tmp_path: Path) -> None:
    missing, found = InstallerRun(1, "", "no such distribution"), InstallerRun(0, "a==1", "")
    ask = answers(missing, found)
    assert remembered(["a"], tmp_path, ask) == missing
    grown_old(tmp_path, 0.5 * HOUR)
    assert remembered(["a"], tmp_path, ask) == missing
    grown_old(tmp_path, 2 * HOUR)
    assert remembered(["a"], tmp_path, ask) == found


def test_other_questions_and_other_indexes_are_other_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = answers(
        InstallerRun(0, "a==1", ""), InstallerRun(0, "b==1", ""), InstallerRun(0, "a==3", "")
    )
    assert remembered(["a"], tmp_path, ask).output == "a==1"
    assert remembered(["b"], tmp_path, ask).output == "b==1"
    monkeypatch.setenv("UV_INDEX", "https://packages.example")
    assert remembered(["a"], tmp_path, ask).output == "a==3"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"status": 0}', '{"status": null, "output": 1}'])
def test_a_broken_answer_is_asked_for_again(tmp_path: Path, text: str) -> None:
    ask = answers(InstallerRun(0, "a==1", ""), InstallerRun(0, "a==2", ""))
    remembered(["a"], tmp_path, ask)
    for file in tmp_path.rglob("*.json"):
        file.write_text(text, encoding="utf-8")
    assert remembered(["a"], tmp_path, ask).output == "a==2"


def test_a_failure_to_ask_is_not_kept(tmp_path: Path) -> None:
    def unreachable() -> InstallerRun:
        raise InstallError("the index cannot be reached")

    with pytest.raises(InstallError):
        remembered(["a"], tmp_path, unreachable)
    assert remembered(["a"], tmp_path, answers(InstallerRun(0, "a==1", ""))).output == "a==1"
