"""Fetch one commit of a remote repository, without its history, large files or submodules."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ....places.git_objects import TRANSFER, run_git
from ..candidates import Candidate
from .checkout import UnreadableError

_SECONDS = 900


@contextmanager
def fetched(candidate: Candidate) -> Generator[Candidate]:
    """Yield a remote candidate with its objects in a folder that is removed afterwards.

    Raises:
        UnreadableError: git cannot fetch the commit; the reason is git's last line.
    """
    with tempfile.TemporaryDirectory() as folder:
        form = "sha256" if candidate.commit and len(candidate.commit) == 64 else "sha1"
        _git(folder, "init", "--quiet", "--bare", "--template=", f"--object-format={form}")
        _git(
            folder, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules",
            "--no-auto-gc", "--", candidate.source, candidate.commit or "HEAD",
        )  # fmt: skip
        commit = _git(folder, "rev-parse", "--verify", "FETCH_HEAD^{commit}").strip()
        yield replace(candidate, commit=commit, git=Path(folder))


def _git(folder: str, *words: str) -> str:
    done = run_git(folder, *words, given=b"", seconds=_SECONDS, **TRANSFER)
    if isinstance(done, str):
        raise UnreadableError(done.replace(folder, ""))
    return done.decode("utf-8", "replace")
