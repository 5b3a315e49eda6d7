"""The date of creation: that which the source says, else that of the first commit."""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    after, before = settings.created_after, settings.created_before
    if after is None and before is None:
        return None
    date = subject.candidate.created
    if date is None:
        return "the date of its creation is not known" if subject.is_final else None
    if after is not None and date < after:
        return f"it was created on {date}, before {after}"
    if before is not None and date >= before:
        return f"it was created on {date}, not before {before}"
    return None


RULE = Rule("created", _reject)
