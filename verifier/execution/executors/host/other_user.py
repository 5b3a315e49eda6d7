"""Root never runs a script: each worker of a root's process works as a user of its own."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

_FIRST_USER = 2_000_000_000  # above all that people and subordinate ranges use
_USERS_PER_PROCESS = 256
_slots = itertools.count()


def next_slot() -> int:
    """A number that no other live worker of this process has."""
    return next(_slots) % _USERS_PER_PROCESS


def user_of(slot: int) -> int:
    """User of a worker of this process, nobody else's on this machine."""
    return _FIRST_USER + os.getpid() * _USERS_PER_PROCESS + slot


def as_other_user(user: int, needed: Iterable[str], words: list[str]) -> list[str]:
    """A command for root that runs the given one as another user, who can reach what it needs."""
    launcher = str(Path(__file__).with_name("launch.py"))
    given = json.dumps({"user": user, "needed": sorted(set(needed)), "command": words})
    return [sys.executable, "-I", "-S", launcher, given]
