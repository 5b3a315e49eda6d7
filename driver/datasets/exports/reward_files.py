"""What exports for trainers hold beside their rows: a reward in one file, and what it scores by."""

from __future__ import annotations

from collections.abc import Iterator

from ....slicer.model import EmittedFile
from .exporter import Pair
from .task_files import ENVIRONMENTS, environment_files, text_of

REWARD = "slice_func_reward.py"
"""File of an export with its reward; it can be loaded by its path alone."""
HIDDEN = (f"{ENVIRONMENTS}/*",)
"""Globs of the files below `scoring_files` that hold the original."""


def scoring_files(pair: Pair) -> Iterator[EmittedFile]:
    """Yield the files by which the reward scores an environment, in a folder named by its id."""
    row, environment = pair
    yield from environment_files(f"{ENVIRONMENTS}/{row.id}", environment)


def reward_text(package: str, name: str) -> str:
    """Return the text of a reward file: what all trainers share, then a trainer's own function.

    Args:
        package: package of the format.
        name: file in it with the function.
    """
    shared = text_of(__package__ or "", f"{REWARD}.txt")
    return f"{shared}\n\n{text_of(package, name)}"
