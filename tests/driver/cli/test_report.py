"""What is told of one target."""

from __future__ import annotations

from slicefunc.driver.cli.target_report import checked_lines
from slicefunc.driver.pipeline.checks import Check
from slicefunc.driver.record.reason_codes import ADVICE, reason

BRANCHES = "50 % of the target's branches; line 5 never ran"


def test_a_failure_is_told_once_and_its_reason_says_what_to_do() -> None:
    checks = (Check("runs alone", True, "in 3 ms"), Check("branch coverage", False, BRANCHES))
    lines = list(checked_lines(checks, [reason("few_branches", "a.py", 5, BRANCHES)], ""))
    assert lines == [
        "ok: runs alone: in 3 ms",
        f"FAILED: branch coverage: {BRANCHES}",
        f"reason: a.py:5: few_branches: {ADVICE['few_branches']}",
    ]


def test_what_was_told_on_the_way_is_not_told_again() -> None:
    (line,) = checked_lines((), [reason("not_called", "a.py", 1, "no call came there")], "")
    assert line.startswith("reason: a.py:1: not_called: no call came there (")
    (line,) = checked_lines(
        (), [reason("not_called", "a.py", 1, "no call came there")], "no call came there"
    )
    assert line == f"reason: a.py:1: not_called: {ADVICE['not_called']}"
