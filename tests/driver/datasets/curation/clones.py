"""Small repositories that curation reads."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.curation.candidates import Kept, Rejection
from slicefunc.driver.datasets.curation.curate import Curated, curate
from slicefunc.driver.datasets.curation.settings import Settings
from slicefunc.driver.datasets.curation.sources import read_sources
from slicefunc.driver.datasets.curation.sources.source import SourceOptions

MIT = """MIT License

Copyright (c) 2024 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
PLAIN = SourceOptions()
ADD = "def add(a, b):\n    total = a + b\n    return total\n"
WHO = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c"}
WHO |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c"}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files into a folder, with the MIT licence if none is among them."""
    for path, text in {"LICENSE": MIT, **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if text:
            (folder / path).write_text(text)
    return folder


def clone(folder: Path, files: Mapping[str, str], date: str = "2024-02-03") -> Path:
    """Make a repository with one commit of that date."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    return commit(folder, files, date)


def commit(folder: Path, files: Mapping[str, str], date: str) -> Path:
    """Commit files in a repository."""
    write(folder, files)
    git(folder, "add", "-A")
    moment = f"{date}T12:00:00Z"
    git(folder, "commit", "-qm", "x", GIT_AUTHOR_DATE=moment, GIT_COMMITTER_DATE=moment)
    return folder


def git(folder: Path, *words: str, **settings: str) -> str:
    """Run git."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), **WHO, **settings}
    done = subprocess.run(
        ["git", *words], cwd=folder, env=env, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def curated(*words: object, options: SourceOptions = PLAIN, **settings: Any) -> Curated:
    """Curate sources in this process."""
    return curate(read_sources([str(word) for word in words], options), Settings(**settings))


def only(result: Curated) -> Kept | Rejection:
    """Return the one outcome there is."""
    (found,) = (*result.kept, *result.rejected)
    return found


def names(result: Curated) -> list[str]:
    """Return the qualified names of all chosen functions."""
    return [name for kept in result.kept for _, name in kept.functions or ()]
