"""Rule: archived repositories are rejected, as they are no longer maintained."""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    is_out = subject.candidate.is_archived and "archived" not in settings.keep
    return "it is archived" if is_out else None


RULE = Rule("archived", _reject)
