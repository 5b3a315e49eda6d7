"""Another Python for repositories whose code needs a newer one than the running one.

A Python cannot parse syntax that is newer than itself. If this machine has a newer Python, work on
such a repository goes on under it, with the packages of this one. They are pure Python except
LibCST, which the slicer and the verifier then do without.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ...slicer import Repository
from ...slicer.errors import SliceFuncError
from ...verifier.evidence.recordings.relevant_tests import is_test
from ...verifier.execution.environments.installer.pythons import find_python
from ..settings.cache_folders import cache_folder


def newer_python(version: str) -> Path | None:
    """Return a Python that can parse that syntax; `None` if this one can, or none is found."""
    if sys.version_info[:2] >= tuple(map(int, version.split("."))):
        return None
    try:
        return find_python(f">={version}", cache_folder())
    except SliceFuncError:
        return None


def command_under(python: Path, module: str, words: Sequence[str]) -> list[str]:
    """Return the command that calls a module's `main` under another Python, with the packages."""
    folders = os.pathsep.join(p for p in sys.path if p.endswith(("site-packages", "dist-packages")))
    return [
        str(python),
        str(Path(__file__).with_name("start_elsewhere.py")),
        folders,
        module,
        *words,
    ]


def needed_version(repository: Repository) -> str:
    """Return the newest version of Python that a file of the repository needs; empty if none does.

    Tests do not count: some contain code for many versions.
    """
    versions = [
        error.needs_python
        for path, error in repository.unreadable()
        if error.needs_python and not is_test(path)
    ]
    return max(versions, key=lambda each: tuple(map(int, each.split("."))), default="")
