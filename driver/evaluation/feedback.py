"""Feedback on a candidate for a model: the first shown case that differs, with its code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...verifier.scoring.verdict import Score
from ..datasets.exports.task_files import fenced

_LONGEST_CASE = 4000


def feedback_text(score: Score, cases: Sequence[Mapping[str, str]]) -> str:
    """Return the first difference in a shown case, or why none could be seen; never a hidden one.

    Args:
        score: the score of the candidate.
        cases: the shown cases in their order, with `code`.
    """
    if score.cases_passed == score.cases:
        return "All tests pass."
    found = score.first_difference
    if found is None:
        return f"It does not run: {score.reason}"
    number = int(found.case.rpartition("_")[2])
    code = cases[number - 1]["code"] if 0 < number <= len(cases) else ""
    shown = fenced(code[:_LONGEST_CASE]) if code else ""
    return (
        f"{shown}\nexpected: {found.expected}\nobserved: {found.observed}\n"
        f"(compared: {found.where})"
    ).lstrip("\n")
