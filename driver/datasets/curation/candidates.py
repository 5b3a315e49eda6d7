"""Repositories on their way through curation: what sources say of them, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Candidate:
    """A repository that a source names; fields that the source does not know are `None`."""

    repo: str
    """`owner/name`, or a folder's name."""
    source: str
    """Address to clone, or folder."""
    commit: str | None = None
    licence: str | None = None
    """SPDX expression."""
    created: str | None = None
    """Date as `YYYY-MM-DD`; that of the first commit, where only a clone tells."""
    pushed: str | None = None
    """Date of the last push, or of the commit."""
    size_kb: int | None = None
    is_fork: bool | None = None
    is_archived: bool | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Whatever else the source says, for the row."""
    git: Path | None = None
    """Folder of a local clone's objects; the source is read at `commit`."""
    folder: Path | None = None
    """Folder that is no clone and is read as it stands."""

    @property
    def key(self) -> tuple[str, str]:
        """Order of rows: by name without case, then by source."""
        return self.repo.lower(), self.source

    @property
    def is_local(self) -> bool:
        """Whether its files can be read without a clone."""
        return self.git is not None or self.folder is not None


@dataclass(frozen=True, slots=True)
class Rejection:
    """A repository that is left out, and by which rule."""

    repo: str
    source: str
    rule: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return the row."""
        rule = {"rule": self.rule, "reason": self.reason}
        return {"repo": self.repo, "source": self.source, **rule}


@dataclass(frozen=True, slots=True)
class FunctionRejection:
    """A function of a kept repository that is left out, and by which rule."""

    repo: str
    path: str
    qualname: str
    rule: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return the row."""
        place = {"repo": self.repo, "path": self.path, "qualname": self.qualname}
        return {**place, "rule": self.rule, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Kept:
    """A repository that passes all rules."""

    candidate: Candidate
    """With what its files say of licence, dates and size."""
    lines: int | None = None
    """Lines of Python; `None` if its files were not read."""
    functions: tuple[tuple[str, str], ...] | None = None
    """Path and qualified name of each chosen function; `None` if its files were not read."""
    left_out: tuple[FunctionRejection, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the row of `repos.jsonl`."""
        found = self.candidate
        names: list[dict[str, str]] | None = None
        if self.functions is not None and self.left_out:
            names = [{"path": path, "qualname": name} for path, name in self.functions]
        return {
            "repo": found.repo,
            "source": found.source,
            "commit": found.commit,
            "licence": found.licence,
            "created": found.created,
            "pushed": found.pushed,
            "size_kb": found.size_kb,
            "lines": self.lines,
            "functions": names,
            "split": None,
            "metadata": dict(sorted(found.metadata.items())),
        }
