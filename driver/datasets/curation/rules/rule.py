"""The form of a rule of repositories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..candidates import Candidate
from ..contents.contents import Contents
from ..settings import Settings


@dataclass(frozen=True, slots=True)
class Subject:
    """A repository as far as it is known."""

    candidate: Candidate
    contents: Contents | None
    """Its files; `None` if they are not read yet, or are not to be."""
    is_final: bool = True
    """Whether nothing more will be known of it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One reason to leave out repositories.

    Rules are asked twice: when only a source has spoken, which spares clones, and when the files
    are read.
    """

    name: str
    """Its name in rows of rejections."""
    reject: Callable[[Subject, Settings], str | None]
    """Returns the reason; `None` if the repository passes, or too little is known of it yet."""
    needs_files: Callable[[Settings], bool] = lambda _settings: False
    """Whether the rule is on, and only the files can answer it."""
