"""Texts that quote tracebacks: line numbers of the failing code are no result."""

from __future__ import annotations

import re

_HEAD = "Traceback (most recent call last):\n"
_FRAMES = re.compile(re.escape(_HEAD) + r"(?:[ \t][^\n]*\n)+")


def equal_except_frames(left: str, right: str) -> bool:
    """Whether two texts differ only in the frames of tracebacks."""
    if _HEAD not in left or _HEAD not in right:
        return False
    return _FRAMES.sub(_HEAD, left) == _FRAMES.sub(_HEAD, right)
