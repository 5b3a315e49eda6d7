"""Cached resolver runs, kept for a while and shared by processes.

Functions of one repository request the same distributions, and large ones take the resolver a
quarter of a minute each time. The index changes, so cached answers expire.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import cast

from .process_lock import alone
from .uv_process import InstallerRun, configured_indexes

_SECONDS = 24 * 3600
_SECONDS_OF_FAILURE = 3600
"""Lifetime in seconds of a negative answer: the distribution may be published soon."""


def remembered(question: object, cache: Path, resolve: Callable[[], InstallerRun]) -> InstallerRun:
    """Return the cached answer, or ask if no process has asked lately.

    Args:
        question: JSON data: all that the answer depends on besides the index.
        cache: cache folder of the environments.
        resolve: runs the resolver; its exceptions are not cached.
    """
    text = json.dumps([question, configured_indexes()])
    folder = cache / "answers"
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"
    found = _read(place)
    if found is not None:
        return found
    with alone(place.with_suffix(".lock")):
        found = _read(place)  # another process may have asked meanwhile
        if found is None:
            found = resolve()
            draft = place.with_suffix(".part")
            draft.write_text(json.dumps(asdict(found)), encoding="utf-8")
            draft.replace(place)
    return found


def _read(place: Path) -> InstallerRun | None:
    try:
        age = time.time() - place.stat().st_mtime
        row = cast("dict[str, int | str]", json.loads(place.read_text(encoding="utf-8")))
        found = InstallerRun(int(row["status"]), str(row["output"]), str(row["messages"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if 0 <= age < (_SECONDS_OF_FAILURE if found.status else _SECONDS) else None
