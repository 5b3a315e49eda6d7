"""The files of a repository that are cut along their syntax."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .languages import language_of

_LARGEST = 1 << 20
"""Bytes of a file from which on it is data, or generated."""
_SKIPPED = frozenset({"node_modules", "__pycache__", "target", "dist", "build", "vendor"})


def source_files(folder: Path) -> Iterator[str]:
    """Yield the paths of the files that are cut, without hidden, installed and built ones."""
    for place, folders, names in os.walk(folder):
        if "pyvenv.cfg" in names:
            folders.clear()
            continue
        folders[:] = sorted(each for each in folders if not _is_skipped(each))
        for name in sorted(names):
            file = Path(place, name)
            if language_of(name) and not file.is_symlink() and file.stat().st_size < _LARGEST:
                yield file.relative_to(folder).as_posix()


def _is_skipped(folder: str) -> bool:
    return folder in _SKIPPED or folder.startswith(".")
