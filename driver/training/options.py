"""Options of training data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Recipe = Literal["sft", "rft", "dpo", "grpo"]
"""What is trained: `sft` on originals; `rft` (rejection sampling) on originals and on answers that
passed; `dpo` on pairs of a right and a wrong answer; `grpo` on questions, with the reward."""
SampleBy = Literal["example", "repository"]
PER_FUNCTION = 5
"""As many candidates as RepoST samples of a function."""
CONTEXT_TOKENS = 8192
"""Context length of RepoST's published configuration."""


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """What is written of a dataset and its runs."""

    recipe: Recipe
    format: str = "trl"
    """One of `formats.FORMATS`."""
    model: str = ""
    """Model that will be trained: its own samples are *self*, those of others *distill*."""
    per_function: int = PER_FUNCTION
    """Most answers (`rft`) or pairs (`dpo`) of a function, beside the original."""
    context: str = "slice"
    """Regime of the question: one of `evaluation.contexts.REGIMES`."""
    most_tokens: int = CONTEXT_TOKENS
    """Longest example, in estimated tokens: trainers cut what is longer."""
    validation: int = 0
    """Repositories that are held back for validation, in per cent."""
    mixed_only: bool = False
    """Whether functions are left out of which the samples of the runs all pass, or none."""
    similarity: float = 0.7
    """From how alike two functions are one too many."""
    is_same_repository_out: bool = False
    """Whether all of a repository falls that a reference set has a task of."""
    seed: int = 0
    """Decides which answers stay where there are more."""
