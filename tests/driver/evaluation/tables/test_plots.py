"""Plots of runs."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from slicefunc.driver.evaluation.runs import Run
from slicefunc.driver.evaluation.tables.comparison import comparison
from slicefunc.driver.evaluation.tables.plots import write_plots

from tests.driver.evaluation.sample_rows import run_of, sample, tried

NAMES = {"pass-at-1.svg", "pass-at-k.svg", "accuracy-latency.svg", "rounds.svg"}


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    """One with two samples of each environment, and one with two rounds."""
    rounds = (tried("failed"), tried("passed", 5, is_final=True))
    return [
        Run("a", {"model": "alpha"}, tuple(sample(e, sample=n) for e in "xy" for n in (0, 1))),
        Run("b", {"model": "beta"}, (sample("x", rounds=rounds), sample("y", "failed"))),
    ]


def test_plots_are_svg_with_the_names_of_the_runs_and_the_same_bytes_each_time(
    runs: list[Run], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    found = comparison(runs, [1, 2])
    one, two = (
        {each.name: each.read_bytes() for each in write_plots(found, tmp_path / name)}
        for name in ("one", "two")
    )
    assert set(one) == NAMES
    assert one == two
    for name, content in one.items():
        text = "".join(ET.fromstring(content).itertext())
        assert "alpha" in text, name
        assert "beta" in text, name


def test_runs_that_have_no_pass_at_k_can_be_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    files = write_plots(comparison([run_of({"a1": "passed"})], [5]), tmp_path)
    assert {each.name for each in files} == NAMES
