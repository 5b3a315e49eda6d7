"""Rules of repositories: a file each, asked in the order of `RULES`; the first rejection counts."""

from __future__ import annotations

from ..settings import Settings
from . import (
    archived,
    ci,
    created,
    forks,
    generated,
    last_commit,
    licence,
    lines,
    name,
    python_share,
    size,
    tests,
    vendored,
)
from .rule import Rule, Subject

RULES: tuple[Rule, ...] = (
    name.RULE,
    forks.RULE,
    archived.RULE,
    size.RULE,
    licence.RULE,
    created.RULE,
    last_commit.RULE,
    lines.RULE,
    python_share.RULE,
    tests.RULE,
    ci.RULE,
    generated.RULE,
    vendored.RULE,
)


def rejection(subject: Subject, settings: Settings) -> tuple[str, str] | None:
    """Return the name and the reason of the first rule that leaves out a repository."""
    for rule in RULES:
        reason = rule.reject(subject, settings)
        if reason is not None:
            return rule.name, reason
    return None
