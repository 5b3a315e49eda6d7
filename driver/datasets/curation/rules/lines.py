"""The lines of Python; RepoForge (2025) asks for 2,000."""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    if subject.contents is None or subject.contents.lines >= settings.min_lines:
        return None
    lines = subject.contents.lines
    return f"it has {lines} lines of Python, and at least {settings.min_lines} are wanted"


RULE = Rule("lines", _reject, lambda settings: settings.min_lines > 0)
