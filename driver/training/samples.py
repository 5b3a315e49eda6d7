"""Samples of training data: growing sizes, by example or by repository, with seeds.

After RepoST (Xie et al., 2025, figure 4): *by example* draws functions of all repositories, *by
repository* takes all functions of a repository after those of another until there are enough, so
that the same number of functions is of fewer repositories. A smaller sample is part of each larger
one of the same seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from .functions import TRAIN, TrainingFunction
from .options import SampleBy


@dataclass(frozen=True, slots=True)
class Sample:
    """How many functions are taken, and how."""

    size: int
    """Number of functions to train on."""
    seed: int
    by: SampleBy

    @property
    def name(self) -> str:
        """Return the name of its folder."""
        return f"by-{self.by}-size-{self.size}-seed-{self.seed}"


def sampled(functions: Sequence[TrainingFunction], sample: Sample) -> list[TrainingFunction]:
    """Return the functions of a sample, in their order.

    Those for validation are in each sample, and do not count: losses on them can be compared.
    """

    def number(*words: str) -> bytes:
        return hashlib.sha256("\0".join((str(sample.seed), *words)).encode()).digest()

    def order(function: TrainingFunction) -> tuple[bytes, ...]:
        own = number(function.repo, function.id)
        return (own,) if sample.by == "example" else (number(function.repo), own)

    training = [each for each in functions if each.split == TRAIN]
    chosen = {each.id for each in sorted(training, key=order)[: sample.size]}
    return [each for each in functions if each.split != TRAIN or each.id in chosen]
