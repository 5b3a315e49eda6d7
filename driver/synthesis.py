"""Cases for a target without a model: its inputs, its mutants, and the search over both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..verifier.inputs.pools import inputs_of
from ..verifier.mutation.block import block_of
from ..verifier.scoring.recording import STILL
from ..verifier.search.explore import Budget
from ..verifier.search.synthesise import Synthesis, synthesise
from ..verifier.search.trials import Runs, Trial
from ..verifier.search.words import words_of_slice
from ..verifier.targets import traced_lines

if TYPE_CHECKING:
    from ..slicer import Repository
    from ..slicer.model import Slice


def synthesised(
    repository: Repository, sliced: Slice, run: Runs, budget: Budget | None = None
) -> Synthesis:
    """Cases for the slice's target, and what they are worth.

    Args:
        repository: where the slice comes from.
        sliced: the slice, as one script.
        run: runs a job where everything is installed that the slice imports.
        budget: of the search.
    """
    inputs = inputs_of(repository, sliced)
    if inputs is None:
        return Synthesis(failure="the target is no function")
    (traced, *_) = traced_lines(repository.path, sliced)
    trial = Trial(
        run, sliced.source, inputs.qualname, (traced.first, traced.last), traced.file, STILL
    )
    block = block_of(traced, inputs.qualname)
    words = words_of_slice(repository, sliced)
    return synthesise(trial, inputs, block, words, budget or Budget())
