"""Forks: copies of a repository that may be in the list, too."""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    return "it is a fork" if subject.candidate.is_fork and "forks" not in settings.keep else None


RULE = Rule("forks", _reject)
