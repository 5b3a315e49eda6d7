"""Tests: some file of them."""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    if "tests" not in settings.require or subject.contents is None:
        return None
    return None if subject.contents.has_tests else "it has no tests"


RULE = Rule("no_tests", _reject, lambda settings: "tests" in settings.require)
