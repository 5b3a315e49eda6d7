"""The share of Python among the programming languages of a repository."""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    if subject.contents is None or not settings.min_python:
        return None
    share = 100 * subject.contents.shares.get("Python", 0.0)
    if share >= settings.min_python:
        return None
    return f"{share:.0f} % of its code is Python, and at least {settings.min_python} % are wanted"


RULE = Rule("python-share", _reject, lambda settings: settings.min_python > 0)
