"""Scripts never run as root: each worker of a root process has a user id of its own."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

_FIRST_USER = 2_000_000_000  # above the ids of people and subordinate ranges
_USERS_PER_PROCESS = 256
_slots = itertools.count()


def next_slot() -> int:
    """Return a number that no other live worker of this process has."""
    return next(_slots) % _USERS_PER_PROCESS


def user_of(slot: int) -> int:
    """Return the user id of a worker, unique on this machine."""
    return _FIRST_USER + os.getpid() * _USERS_PER_PROCESS + slot


def as_other_user(user: int, needed: Iterable[str], words: list[str]) -> list[str]:
    """Return a command for root that runs the given one as another user with the access it
    needs.
    """
    launcher = str(Path(__file__).with_name("launch.py"))
    given = json.dumps({"user": user, "needed": sorted(set(needed)), "command": words})
    return [sys.executable, "-I", "-S", launcher, given]
