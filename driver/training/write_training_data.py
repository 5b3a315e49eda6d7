"""Training data on disk: one folder, or a folder for each sample of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...slicer.errors import OptionError
from ...slicer.model import EmittedFile
from ..record.output_files import write_tree
from .formats import Files, training_files
from .functions import TRAIN
from .options import TrainingOptions
from .samples import Sample, sampled
from .training_data import TrainingData, examples_of

REPORT = "report.json"


def write_training_data(
    folder: str | Path,
    data: TrainingData,
    options: TrainingOptions,
    samples: Sequence[Sample] = (),
) -> dict[str, Any]:
    """Write training data into a new or empty folder; return the report.

    Args:
        folder: the folder.
        data: what is written.
        options: its recipe and format.
        samples: samples to take, each in a folder of its own; without any, everything is written.

    Raises:
        OptionError: a sample is larger than the data.
        OutputError: the folder is not empty, or cannot be written.
    """
    training = sum(each.split == TRAIN for each in data.examples)
    largest = max((each.size for each in samples), default=0)
    if largest > training:
        raise OptionError(
            f"--sizes {largest}: there are {training} functions to train on",
            f"give at most {training}",
        )
    report = dict(data.report)
    parts: list[dict[str, Any]] = []
    if samples:
        report["samples"] = parts

    def files() -> Iterator[EmittedFile]:
        if not samples:
            every = [each for some in data.examples.values() for each in some]
            yield from _emitted("", training_files(options.format, options.recipe, every))
        for each in samples:
            yield from _sample_files(data, options, each, parts)
        yield EmittedFile(REPORT, _json(report))

    write_tree(folder, files())
    return report


def _sample_files(
    data: TrainingData, options: TrainingOptions, sample: Sample, parts: list[dict[str, Any]]
) -> Iterator[EmittedFile]:
    functions = sampled(list(data.examples), sample)
    training = [each for each in functions if each.split == TRAIN]
    examples, counts = examples_of(data, functions)
    about = {
        "sample": sample.name,
        "functions": len(training),
        "repositories": len({each.repo for each in training}),
        **counts,
    }
    parts.append(about)
    made = training_files(options.format, options.recipe, examples)
    yield from _emitted(f"{sample.name}/", {**made, REPORT: _json(about)})


def _emitted(prefix: str, files: Files) -> Iterator[EmittedFile]:
    for name, content in files.items():
        yield EmittedFile(f"{prefix}{name}", content)


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()
