"""The experiment of growing samples: one training each, and none that is there already."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from recipes.loop import TINY
from recipes.scaling import RESULT, measure, table
from recipes.services import run_command

ONE_STEP = (*TINY, "--max_steps", "1", "--gradient_accumulation_steps", "1")


@pytest.mark.nightly
def test_each_sample_is_trained_on_once(
    slice_func: str, dataset: Path, model: Path, work: Path
) -> None:
    data = work / "samples"
    words = ["--recipe", "sft", "--sizes", "1,2", "--seeds", "2", "--context", "none", "-o", data]
    run_command([slice_func, "train-data", dataset, *words], work / "samples.log")
    options = argparse.Namespace(
        data=data, output=work / "scaling", model=model, dataset=None, words=ONE_STEP
    )
    options.output.mkdir()
    points = measure(options)
    assert [(each.by, each.size, each.seed) for each in points] == [
        ("example", 1, 0), ("example", 1, 1), ("example", 2, 0), ("example", 2, 1),
    ]  # fmt: skip
    written = {each: each.stat().st_mtime_ns for each in options.output.glob(f"*/{RESULT}")}
    assert len(written) == 4
    assert measure(options) == points
    assert {each: each.stat().st_mtime_ns for each in written} == written
    assert len(table(points).splitlines()) == 1 + 2
