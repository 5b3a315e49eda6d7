"""Folders of the caches that outlive a run."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Where what was installed is kept: `SLICE_FUNC_CACHE`, else in the user's cache folder."""
    said = os.environ.get("SLICE_FUNC_CACHE")
    if said:
        return Path(said).absolute()
    user = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(user).absolute() / "slice-func"


def index_folder() -> Path:
    """Where it is kept which functions stand in the files that scripts can read."""
    return cache_folder() / "definitions"
