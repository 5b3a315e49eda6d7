"""The size: that which the source says, else that of all files at the commit.

The default, 10 MB, is that of RepoST (Xie et al. 2025, section 2.1).
"""

from __future__ import annotations

from ..settings import Settings
from .rule import Rule, Subject


def _reject(subject: Subject, settings: Settings) -> str | None:
    size = subject.candidate.size_kb
    if not settings.max_size_mb or size is None or size <= 1000 * settings.max_size_mb:
        return None
    return f"it has {size / 1000:.1f} MB, and at most {settings.max_size_mb} are wanted"


RULE = Rule("size", _reject)
