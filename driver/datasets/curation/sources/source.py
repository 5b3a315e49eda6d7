"""The form of a source of repositories."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ..candidates import Candidate, Rejection

Said = Candidate | Rejection
"""What a source gives: repositories, and entries that it cannot make out."""


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Options that all sources share."""

    github_api: str = "https://api.github.com"
    token: str | None = None
    state: Path | None = None
    """File that keeps the pages of a search until the run is over."""
    report: Callable[[str], None] = lambda _line: None


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of source."""

    takes: Callable[[str], bool]
    """Whether a word of the command line means such a source."""
    read: Callable[[str, SourceOptions], Iterable[Said]]
