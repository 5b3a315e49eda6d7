"""How often 95 % intervals hold the true Pass@k, by simulation.

python -m benchmarks.evaluation.interval_coverage [--runs 2000] [-o interval-coverage.json]

Items have probabilities of their own, and repositories make items alike; both are drawn anew in
each run, as an evaluation draws them. An interval is right if it holds the mean over all items that
could have been drawn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from slicefunc.driver.evaluation.metrics.intervals import clustered_bootstrap, wald, wilson
from slicefunc.driver.evaluation.metrics.pass_at_k import pass_at_k

from benchmarks.common.report import Progress

_POPULATION = 400_000


@dataclass(frozen=True, slots=True)
class Scenario:
    """How runs are drawn."""

    name: str
    repositories: int
    mean_items: int
    """Items of a repository on average; their number is geometric."""
    level: float
    """Mean of an item's log odds."""
    by_repository: float
    """Standard deviation of the log odds of repositories."""
    by_item: float
    samples: int
    k: int


SCENARIOS = (
    Scenario("one sample, items alone, middling", 200, 1, 0.0, 0.0, 1.5, 1, 1),
    Scenario("one sample, items alone, easy", 200, 1, 2.0, 0.0, 1.5, 1, 1),
    Scenario("20 samples, items alone, k = 1", 200, 1, -1.0, 0.0, 2.0, 20, 1),
    Scenario("20 samples, items alone, k = 10", 200, 1, -1.0, 0.0, 2.0, 20, 10),
    Scenario("one sample, 30 repositories", 30, 5, 0.0, 1.0, 1.0, 1, 1),
    Scenario("one sample, 30 repositories, easy", 30, 5, 2.0, 1.0, 1.0, 1, 1),
    Scenario("10 samples, 100 repositories, k = 5", 100, 5, -1.0, 1.0, 1.0, 10, 5),
)


def coverage(scenario: Scenario, runs: int) -> dict[str, float]:
    """Return for each interval the share of runs in which it holds the truth."""
    chance = np.random.default_rng(0)
    truth = _truth(scenario, chance)
    held: dict[str, list[bool]] = {}
    for _ in range(runs):
        groups = _run(scenario, chance)
        for name, interval in _intervals(scenario, groups).items():
            is_held = interval is not None and interval[0] <= truth <= interval[1]
            held.setdefault(name, []).append(is_held)
    return {name: round(fmean(each), 4) for name, each in held.items()}


def _truth(scenario: Scenario, chance: np.random.Generator) -> float:
    odds = scenario.level + scenario.by_repository * chance.normal(size=_POPULATION)
    odds += scenario.by_item * chance.normal(size=_POPULATION)
    return float((1 - (1 - 1 / (1 + np.exp(-odds))) ** scenario.k).mean())


def _run(scenario: Scenario, chance: np.random.Generator) -> dict[str, list[float]]:
    groups: dict[str, list[float]] = {}
    for repository in range(scenario.repositories):
        count = int(chance.geometric(1 / scenario.mean_items))
        level = scenario.level + scenario.by_repository * chance.normal()
        odds = level + scenario.by_item * chance.normal(size=count)
        passed = chance.binomial(scenario.samples, 1 / (1 + np.exp(-odds)))
        groups[str(repository)] = [
            pass_at_k(scenario.samples, int(each), scenario.k) for each in passed
        ]
    return groups


def _intervals(
    scenario: Scenario, groups: Mapping[str, Sequence[float]]
) -> dict[str, tuple[float, float] | None]:
    values = [each for group in groups.values() for each in group]
    mean, count = fmean(values), len(values)
    items = {str(number): [value] for number, value in enumerate(values)}
    made: dict[str, Callable[[], tuple[float, float] | None]] = {
        "repositories": lambda: clustered_bootstrap(groups),
        "items": lambda: clustered_bootstrap(items),
        "wald": lambda: wald(mean, count),
        "wilson": lambda: wilson(mean * count, count),
    }
    if scenario.by_repository == 0:
        del made["repositories"]
    return {name: make() for name, make in made.items()}


def main() -> int:
    """Run the simulation; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    progress = Progress("scenarios", len(SCENARIOS))
    found: dict[str, dict[str, float]] = {}
    for scenario in SCENARIOS:
        found[scenario.name] = coverage(scenario, given.runs)
        progress.advance()
    for name, shares in found.items():
        print(f"{name:38}", ", ".join(f"{each} {100 * v:.1f}" for each, v in shares.items()))
    if given.output:
        result = {"runs": given.runs, "coverage": found}
        given.output.write_text(json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
