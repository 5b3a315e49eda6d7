"""Continuous integration: settings of a service that runs the tests."""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    if "ci" not in settings.require or subject.contents is None:
        return None
    return None if subject.contents.has_ci else "it has no continuous integration"


RULE = Rule("no_ci", _reject, lambda settings: "ci" in settings.require)
