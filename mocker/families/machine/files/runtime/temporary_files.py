"""Temporary files: in the folder in place of the world, with the same names in every run."""

from __future__ import annotations

import tempfile
from typing import Any

from .....world.core.own_code import asked_by_slice
from .....world.core.world import replace, restart_with
from .file_places import _real_os, _top_folder, files_root

_real_candidate_names: Any = vars(tempfile)["_get_candidate_names"]


def name_temporary_files() -> None:
    """Temporary files lie in the folder, and have the same names in every run."""
    replace(tempfile, "gettempdir", _temporary_folder)
    replace(tempfile, "_get_candidate_names", _temporary_names)
    restart_with(setattr, _TemporaryNames, "number", 0)


def _temporary_folder() -> str:
    if not asked_by_slice():
        return _top_folder
    path = files_root() + "/tmp"
    _real_os["makedirs"](path, exist_ok=True)
    return path


class _TemporaryNames:
    """Names of temporary files, the same in every run."""

    number = 0

    def __iter__(self) -> _TemporaryNames:
        return self

    def __next__(self) -> str:
        _TemporaryNames.number += 1
        return f"{_TemporaryNames.number:08d}"


def _temporary_names() -> Any:
    return _TemporaryNames() if asked_by_slice() else _real_candidate_names()
