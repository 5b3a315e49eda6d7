"""The date of the last commit, for sets that end before a model's training data does."""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    before = settings.last_commit_before
    if before is None:
        return None
    date = subject.candidate.pushed
    if date is None:
        return "the date of its last commit is not known" if subject.is_final else None
    return f"its last commit is of {date}, not before {before}" if date >= before else None


RULE = Rule("last-commit", _reject)
