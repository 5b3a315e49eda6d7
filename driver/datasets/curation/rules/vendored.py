"""Vendored copies: repositories that hold little else."""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    contents = subject.contents
    if contents is None or "vendored" in settings.keep:
        return None
    if 10 * contents.vendored_lines <= 9 * contents.lines:
        return None
    return f"{contents.vendored_lines} of {contents.lines} lines of Python are copies of others"


RULE = Rule("vendored", _reject)
