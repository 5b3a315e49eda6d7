"""The log of a reward service: a line for each score, whatever happens to the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.record.score_log import ScoreLog, ScoreLogError, read_score_log
from slicefunc.slicer.errors import OptionError

PASSED: dict[str, Any] = {
    "verdict": "passed", "reward": 1.0, "cases_passed": 3, "cases": 3, "hidden_passed": 2,
    "hidden": 2, "reason": "", "seconds": 0.1,
}  # fmt: skip
UNKNOWN: dict[str, Any] = {
    **PASSED, "verdict": "infrastructure", "reward": None, "cases": None, "hidden_passed": None,
}  # fmt: skip


def _silent(_line: str) -> None:
    """Say nothing."""


def test_what_is_logged_is_read_again_in_the_order_of_time(tmp_path: Path) -> None:
    place = tmp_path / "log.jsonl"
    log = ScoreLog(place, _silent)
    log.add("e1", "def f():\n    return '\ud800é'\n", PASSED)
    log.add("e2", "", UNKNOWN)
    log.close()
    again = ScoreLog(place, _silent)
    again.add("e3", "x", PASSED)
    again.close()
    found, damaged = read_score_log(place)
    assert damaged == 0
    assert [each.environment for each in found] == ["e1", "e2", "e3"]
    assert found[0].candidate == "def f():\n    return '\ud800é'\n"
    assert (found[0].cases_passed, found[0].cases, found[0].hidden) == (3, 3, 2)
    assert (found[1].verdict, found[1].reward, found[1].cases) == ("infrastructure", None, None)
    assert sorted(found, key=lambda each: each.time) == list(found)


def test_a_line_that_was_cut_off_costs_that_line_alone(tmp_path: Path) -> None:
    place = tmp_path / "log.jsonl"
    place.write_text('{"time": 1, "environment": "e1", "cand')
    log = ScoreLog(place, _silent)
    log.add("e2", "", PASSED)
    log.close()
    found, damaged = read_score_log(place)
    assert ([each.environment for each in found], damaged) == (["e2"], 1)


def test_a_full_disk_is_said_once_and_ends_nothing() -> None:
    said: list[str] = []
    log = ScoreLog(Path("/dev/full"), said.append)
    for _ in range(3):
        log.add("e1", "", PASSED)
    log.close()
    assert log.lost == 3
    assert said == [
        "warning: /dev/full: scores are not logged: No space left on device",
        "warning: /dev/full: 3 scores are not in the log",
    ]


def test_two_services_do_not_write_one_log(tmp_path: Path) -> None:
    log = ScoreLog(tmp_path / "log.jsonl", _silent)
    with pytest.raises(OptionError, match="another service writes this log"):
        ScoreLog(tmp_path / "log.jsonl", _silent)
    log.close()


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="the log cannot be written"):
        ScoreLog(tmp_path / "none" / "log.jsonl", _silent)


@pytest.mark.parametrize(
    "content", ["", "no JSON\n", "[1]\n", json.dumps({"time": "now"}) + "\n", "\x00\n"]
)
def test_a_file_without_scores_is_no_log(content: str, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(content)
    with pytest.raises(ScoreLogError, match="no line of it is one"):
        read_score_log(tmp_path / "log.jsonl")
