"""The passes from a dataset and its runs to training data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...slicer.errors import OptionError
from ..datasets.deduplication.function import Reference
from ..datasets.storage.dataset import Dataset
from ..evaluation.runs import RunTable
from .candidates import read_candidates
from .contamination import contamination_of
from .example_maker import ExampleMaker, WrongDefinitions
from .examples import Example
from .functions import TrainingFunction, training_functions
from .options import TrainingOptions
from .report_counts import candidate_counts, example_counts
from .sandbox_checks import Checks, no_checks

_CONTAMINATED = "contaminated or duplicate"
_NOT_MIXED = "all samples pass, or none"


@dataclass(slots=True)
class TrainingData:
    """Examples by function, and what was left out."""

    examples: dict[TrainingFunction, list[Example]]
    report: dict[str, Any] = field(default_factory=dict[str, Any])


def training_data(
    dataset: Dataset,
    runs: Sequence[RunTable],
    references: Sequence[Reference],
    options: TrainingOptions,
    wrong: WrongDefinitions,
    checks: Checks = no_checks,
) -> TrainingData:
    """Return the examples of a recipe.

    Args:
        dataset: the environments.
        runs: runs of them, for all recipes but `sft`.
        references: what must not be in the data.
        options: what is wanted.
        wrong: definitions that are known to be wrong, for `dpo`.
        checks: holds answers against fresh inputs.

    Raises:
        OptionError: no sample is of the dataset, or repositories cannot be held back.
    """
    # what the dataset offers, and what evaluations know
    every = list(training_functions(dataset, options))
    contamination = contamination_of(dataset, every, references, options)
    functions = [each for each in every if each.id not in contamination.ids]
    left_out: Counter[str] = Counter()
    left_out[_CONTAMINATED] = len(every) - len(functions)
    # what models answered
    candidates = read_candidates(
        runs, dataset.ids(), options.model, with_tries=options.recipe == "dpo"
    )
    if runs and not candidates.samples:
        raise OptionError(
            "no sample of the runs is of an environment of the dataset",
            "name runs of this dataset",
        )
    if options.mixed_only:
        kept = [each for each in functions if candidates.pass_rate(each.id) not in (None, 0.0, 1.0)]
        left_out[_NOT_MIXED] += len(functions) - len(kept)
        functions = kept
    # the examples of each function
    make = ExampleMaker(options, candidates, wrong, checks, left_out)
    examples = {each: made for each, made in make.of(functions) if made}
    report = {
        "recipe": options.recipe,
        "format": options.format,
        "functions": {
            "dataset": len(dataset.ids()),
            "with_examples": len(examples),
            "with_cut_context": sum(each.cut > 0 for each in examples),
            "left_out": {name: n for name, n in sorted(left_out.items()) if n},
        },
        "repositories": len({each.repo for each in examples}),
        "contamination": contamination.to_json(),
        "candidates": candidate_counts(candidates, make, options.recipe),
        "examples": example_counts(examples),
    }
    return TrainingData(examples, report)


def examples_of(
    data: TrainingData, functions: Sequence[TrainingFunction]
) -> tuple[list[Example], dict[str, Any]]:
    """Return the examples of some of the functions, and their numbers."""
    some = {each: data.examples[each] for each in functions}
    return [each for made in some.values() for each in made], example_counts(some)
