"""Which texts may name a repository: its name becomes a folder and an argument of commands."""

from __future__ import annotations

import os

_LONGEST = 100
"""Bytes of a part, which becomes a folder."""


def is_repository_name(name: str) -> bool:
    """Whether a text names a repository: parts with `/` between them, each usable as a folder."""
    parts = name.split("/")
    return (
        name.isprintable()
        and not name.startswith("-")
        and all(
            part not in {"", ".", "..", ".git"} and len(os.fsencode(part)) <= _LONGEST
            for part in parts
        )
    )
