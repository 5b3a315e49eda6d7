"""Folders of the caches that outlive a run."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the cache folder: `SLICE_FUNC_CACHE`, or a folder in the user's cache folder."""
    configured = os.environ.get("SLICE_FUNC_CACHE")
    if configured:
        return Path(configured).absolute()
    user = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(user).absolute() / "slice-func"


def index_folder() -> Path:
    """Return the folder with the indexes of functions in files that scripts can read."""
    return cache_folder() / "definitions"
