"""The licence: one of those that are allowed."""

from __future__ import annotations

from ..contents.licences import PERMISSIVE, is_allowed
from ..settings import ANY, Settings
from ..settings import PERMISSIVE as PERMISSIVE_WORD
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    if ANY in settings.licences:
        return None
    found = subject.candidate.licence
    if found is None:
        return "no known licence; --licence any takes it" if subject.is_final else None
    allowed = frozenset(settings.licences)
    if PERMISSIVE_WORD in allowed:
        allowed |= PERMISSIVE
    if is_allowed(found, allowed):
        return None
    return f"its licence is {found}; --licence {found.split()[0]} takes it"


RULE = Rule("licence", _reject)
