"""The functions of a slice's first target, which its cases call."""

from __future__ import annotations

from ...slicer.closure.repository_analysis import analysis_of
from ...slicer.closure.start.target_definitions import find_goal
from ...slicer.emission.manifest.suggestions.target_functions import (
    TargetFunction,
    target_functions,
)
from ...slicer.model import Slice
from ...slicer.repo.repository import Repository


def targeted_functions(repository: Repository, sliced: Slice) -> tuple[TargetFunction, ...]:
    """Return the target's functions: several where branches or overloads define it."""
    goal = find_goal(repository, sliced.manifest.targets[0])
    return tuple(target_functions(analysis_of(repository).inference, goal))
