"""The time of a commit, read from an untrusted repository."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from .git_objects import git_objects

_COMMITTER = re.compile(rb"^committer .* (\d+) [+-]\d{4}$", re.M)


def commit_time(git: Path, commit: str) -> str | None:
    """Return the committer's time in UTC, as RFC 3339.

    Args:
        git: the folder that holds the repository's objects.
        commit: its hash.

    Returns:
        `None` if git is not installed, or does not find such a commit.
    """
    with git_objects(git, commit) as objects:
        found = objects.run("cat-file", "commit", commit) if objects else None
    head, _, _ = (found or b"").partition(b"\n\n")
    seconds = _COMMITTER.search(head)
    try:
        moment = datetime.fromtimestamp(int(seconds[1]), UTC) if seconds else None
    except (OverflowError, ValueError, OSError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
