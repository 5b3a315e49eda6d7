"""What a run says of its rewards without running anything."""

from __future__ import annotations

from dataclasses import replace

import pytest
from slicefunc.driver.reports.reward_report.run_measures import (
    by_strength,
    by_tenths,
    duplicates,
    lengths,
)
from slicefunc.driver.reports.reward_report.scored_candidates import ScoredCandidate

from tests.driver.evaluation.made_up_rows import row_of

ROW = row_of(None, "")
ORIGINAL = ROW.code


def candidate(
    environment: str = "e1", verdict: str = "passed", code: str = "def f():\n    return 1\n"
) -> ScoredCandidate:
    return ScoredCandidate(environment, 0, code, code, verdict, 4)


def test_rewards_stand_beside_how_strong_the_cases_are() -> None:
    rows = {
        "weak": replace(ROW, id="weak", unseen_kill_rate=0.5, hidden=0),
        "strong": replace(ROW, id="strong", unseen_kill_rate=1.0, hidden=40),
        "unknown": replace(ROW, id="unknown", unseen_kill_rate=None, hidden=8),
    }
    candidates = [
        candidate("weak"), candidate("weak"), candidate("strong", "failed"), candidate("strong"),
        candidate("unknown", "timeout"), candidate("strong", "infrastructure"), candidate("gone"),
    ]  # fmt: skip
    found = by_strength(candidates, rows)
    assert found["without_verdict"] == 1
    assert [(g["group"], g["scored"], g["reward"]) for g in found["by_unseen_kill_rate"]] == [
        ("below 80 %", 2, 1.0), ("100 %", 2, 0.5), ("not known", 1, 0.0),
        ("not in the dataset", 1, 1.0),
    ]  # fmt: skip
    assert [(g["group"], g["scored"]) for g in found["by_hidden_cases"]] == [
        ("0", 2), ("1 to 8", 2), ("33 or more", 2),
    ]  # fmt: skip
    assert found["all"]["scored"] == 6
    assert found["all"]["interval"] is not None


def test_layout_and_local_names_make_no_other_candidate() -> None:
    row = replace(ROW, id="e1")
    candidates = [
        candidate(code=ORIGINAL),
        candidate(code="def larger(a, b):\n    # the larger one\n    return max(a, b)\n"),
        candidate(code="def larger(a, b):\n    return a\n"),
        candidate("e2", code=ORIGINAL),
    ]
    assert duplicates(candidates, {"e1": row}) == {
        "candidates": 4, "distinct": 3, "like_another": 2, "with_original": 3, "like_original": 2,
    }  # fmt: skip


def test_lengths_are_those_of_passing_and_failing_code() -> None:
    candidates = [
        *(candidate(code="x" * n) for n in range(1, 11)),
        candidate(verdict="error", code="y" * 7),
        candidate(verdict="infrastructure", code="z" * 900),
    ]
    found = lengths(candidates, {"e1": replace(ROW, id="e1"), "e2": ROW})
    assert found["passing"] == {"number": 10, "median": 5.5, "p90": 9}
    assert found["failing"] == {"number": 1, "median": 7, "p90": 7}
    assert found["original"] == {"number": 1, "median": len(ORIGINAL), "p90": len(ORIGINAL)}


def test_tenths_follow_the_order_of_the_run() -> None:
    code = "def f():\n    return {}\n"
    candidates = [candidate("e1", "failed", code.format(n)) for n in range(10)]
    candidates += [candidate("e1", "passed", code.format(n)) for n in range(100, 110)]
    answers = {(each.environment, each.tree): "agrees" for each in candidates[:18]}
    answers |= {(each.environment, each.tree): "refuted" for each in candidates[18:]}
    found = by_tenths(candidates, answers)
    assert [each["reward"] for each in found] == [0.0] * 5 + [1.0] * 5
    assert [each["asked"] for each in found] == [0] * 5 + [2] * 5
    assert [each["refuted"] for each in found] == [0] * 9 + [2]
    assert found[0]["median_characters"] == len(code.format(1))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_short_run_has_empty_tenths(count: int) -> None:
    found = by_tenths([candidate()] * count, {})
    assert sum(each["candidates"] for each in found) == count
    assert len(found) == 10
