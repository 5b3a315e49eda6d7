"""Counting: each stage holds those that passed all stages before it."""

from __future__ import annotations

from dataclasses import replace

from slicefunc.driver.batch.entries import Entry
from slicefunc.driver.batch.waterfall import Summary, summary_lines
from slicefunc.driver.console.progress import Progress
from slicefunc.driver.record.reason_codes import Reason

LAST = Entry(
    "a.py", "f", sliced=True, runs=True, called=True, stable=True, branches=1.0, killed=0.9,
    passed=True,
)  # fmt: skip
SEVENTY = Entry(
    "a.py", "g", sliced=True, runs=True, called=True, stable=True, branches=0.7, killed=1.0,
    passed=False, reasons=(Reason("few_branches", "a.py", 3, "line 3 never ran"),),
)  # fmt: skip
ODD = Entry("a.py", "h", sliced=True, runs=False, called=True, stable=True, branches=1.0)


def test_a_function_that_falls_is_in_no_later_stage() -> None:
    summary = Summary((LAST, SEVENTY, ODD), (), has_runs=True, has_cases=True)
    assert summary.counts() == {
        "sliced": 3, "runs": 2, "called": 2, "stable": 2, "faithful": 2, "branches_80": 1,
        "branches_100": 1, "killed_80": 1, "unseen_80": 1, "environments": 1,
    }  # fmt: skip
    assert summary.reasons() == {"few_branches": 1}
    lines = list(summary_lines(summary))
    assert "      1 environments" in lines
    assert lines[-1] == "a.py::g (line 3): few_branches: line 3 never ran"


def test_what_differs_in_the_repository_is_no_environment_and_what_cannot_be_compared_may_be() -> (
    None
):
    unlike = {"compared": 3, "same": 2, "why_not": None}
    unknown = {"compared": 0, "same": 0, "why_not": {"code": "needs_gpu", "detail": "CUDA"}}
    entries = (replace(LAST, faithful=unlike), replace(LAST, faithful=unknown))
    summary = Summary(entries, (), has_runs=True, has_cases=True)
    counts = summary.counts()
    assert (counts["stable"], counts["faithful"], counts["branches_80"]) == (2, 1, 1)
    assert summary.in_place() == {
        "asked": 2, "compared": 1, "same": 0, "why_not": {"needs_gpu": 1},
    }  # fmt: skip
    assert "      1 not compared: needs_gpu" in list(summary_lines(summary))


def test_entries_come_back_from_their_rows() -> None:
    for entry in (LAST, SEVENTY, ODD):
        assert Entry.from_json(entry.to_json()) == entry


def test_progress_counts_what_was_done_before() -> None:
    progress = Progress(10, 4, 2)
    progress.add(is_good=True)
    assert progress.line().startswith("5 of 10 functions, 3 environments, ")
    assert progress.bar().startswith("[############............] 5 of 10")
