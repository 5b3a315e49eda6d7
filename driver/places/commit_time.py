"""The time of a commit, read from an untrusted repository.

A repository's own configuration can name programs that git then starts. So git reads its objects
through an empty repository made here, which has no such configuration and fetches nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

_COMMITTER = re.compile(rb"^committer .* (\d+) [+-]\d{4}$", re.M)
_SECONDS = 30


def commit_time(objects: Path, commit: str) -> str | None:
    """Return the committer's time in UTC, as RFC 3339.

    Args:
        objects: the folder of the repository's objects.
        commit: its hash.

    Returns:
        `None` if git is not installed, or does not find such a commit.
    """
    with tempfile.TemporaryDirectory() as empty:
        words = ("init", "--quiet", "--bare", "--template=", _form(commit))
        if _git(empty, *words) is None:
            return None
        (Path(empty) / "objects/info").mkdir(exist_ok=True)
        quoted = os.fsencode(objects.resolve())
        (Path(empty) / "objects/info/alternates").write_bytes(quoted + b"\n")
        head, _, _ = (_git(empty, "cat-file", "commit", commit) or b"").partition(b"\n\n")
    found = _COMMITTER.search(head)
    try:
        moment = datetime.fromtimestamp(int(found[1]), UTC) if found else None
    except (OverflowError, ValueError, OSError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None


def _form(commit: str) -> str:
    return f"--object-format={'sha256' if len(commit) == 64 else 'sha1'}"


def _git(folder: str, *words: str) -> bytes | None:
    """Return git's output; `None` if git fails, or is missing."""
    settings = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": folder}
    program = shutil.which("git")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "--git-dir", folder, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=True,
            env={"PATH": os.environ.get("PATH", os.defpath), **settings},
            cwd=folder,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
