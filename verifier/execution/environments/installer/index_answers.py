"""What the index said: runs of the resolver, kept for a while and shared by processes.

Functions of one repository ask for the same distributions, and large ones take the resolver a
quarter of a minute each time. An index changes, so an answer is not believed for ever.
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
"""What is not there may be published soon."""


def remembered(question: object, cache: Path, ask: Callable[[], InstallerRun]) -> InstallerRun:
    """The answer to the question, asked if no process has been told it lately.

    Args:
        question: plain JSON values, all that the answer depends on but the index.
        cache: folder of the environments.
        ask: runs the resolver; what it raises is not kept.
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
            found = ask()
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
