"""Rule: repositories are rejected whose name cannot be a folder's, as builds refuse them."""

from __future__ import annotations

from ...repository_name import is_repository_name
from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    is_name = is_repository_name(subject.candidate.repo)
    return None if is_name else f"{subject.candidate.repo!a} is no name such as owner/name"


RULE = Rule("name", _reject)
