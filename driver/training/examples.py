"""What trains: examples with an answer, pairs of a right and a wrong answer, bare questions."""

from __future__ import annotations

from dataclasses import dataclass

from .functions import TrainingFunction


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A question and a right answer."""

    function: TrainingFunction
    answer: str
    source: str
    """Where the answer is from: `gold`, `self`, `distill` or `debug`."""
    model: str
    """Model that wrote it; empty for the original."""


@dataclass(frozen=True, slots=True)
class Preference:
    """A question, a right answer and a wrong one."""

    function: TrainingFunction
    chosen: str
    rejected: str
    source: str
    """Where the right answer is from."""
    rejected_source: str
    """Where the wrong answer is from: one of `preferences.KINDS`."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question, whose answers the reward service scores."""

    function: TrainingFunction
    pass_rate: float | None
    """Share of the samples of the runs that pass; `None` without samples."""


Example = Demonstration | Preference | Prompt
