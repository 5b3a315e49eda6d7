"""Candidates: the answers of runs to the functions of a dataset, by source.

After RepoST (Xie et al., 2025, section 4): *self* are samples of the model that will be trained,
*distill* those of other models, *debug* answers that were repaired after a first try had failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..evaluation.runs import RunTable
from ..evaluation.sample_rows import Round

SELF, DISTILL, DEBUG, GOLD = "self", "distill", "debug", "gold"
PASSED = "passed"
_ORDER = (SELF, DISTILL, DEBUG)
"""Of two equal answers the one of the earlier source counts."""


@dataclass(frozen=True, slots=True)
class _Sample:
    """The columns of a run's table that are read."""

    environment: str
    sample: int
    verdict: str
    code: str
    cases_passed: int
    cases: int
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A distinct text that a model has answered."""

    code: str
    source: str
    """`self`, `distill` or `debug`."""
    model: str
    passes: bool
    """Whether it passes the shown and the hidden cases."""
    passes_shown: bool
    """Whether it passes the shown cases."""


@dataclass(slots=True)
class Candidates:
    """All candidates of some runs, by environment, each text once."""

    by_environment: dict[str, dict[str, Candidate]] = field(
        default_factory=dict[str, dict[str, Candidate]]
    )
    samples: Counter[str] = field(default_factory=Counter[str])
    """Number of samples of each environment."""
    passing: Counter[str] = field(default_factory=Counter[str])
    """Number of those that pass."""
    sources: Counter[tuple[str, str, bool]] = field(default_factory=Counter[tuple[str, str, bool]])
    """Number of samples by source, model, and whether they pass."""
    foreign: int = 0
    """Samples of environments that are not in the dataset."""

    def of(self, environment: str, *, passes: bool) -> list[Candidate]:
        """Return the distinct candidates of an environment, in the order of their sources."""
        found = self.by_environment.get(environment, {}).values()
        return sorted(
            (each for each in found if each.passes == passes),
            key=lambda each: (_ORDER.index(each.source), each.model, each.code),
        )

    def pass_rate(self, environment: str) -> float | None:
        """Return the share of an environment's samples that pass; `None` without samples."""
        count = self.samples[environment]
        return self.passing[environment] / count if count else None

    def counts(self) -> list[dict[str, Any]]:
        """Return the numbers of samples by source and model."""
        keys = sorted({(source, model) for source, model, _ in self.sources})
        return [
            {
                "source": source,
                "model": model,
                "samples": sum(self.sources[source, model, each] for each in (True, False)),
                "passed": self.sources[source, model, True],
            }
            for source, model in keys
        ]


def read_candidates(
    runs: Iterable[RunTable], environments: Collection[str], model: str, *, with_failed: bool
) -> Candidates:
    """Return the candidates of runs.

    Args:
        runs: the runs, in an order that does not matter.
        environments: ids of all environments of the dataset.
        model: the model that will be trained; samples of others are *distill*.
        with_failed: whether candidates that do not pass are kept, too.

    Raises:
        StoreError: a table is damaged.
    """
    found = Candidates()
    for run in runs:
        name = str(run.settings["model"])
        for sample in run.rows(_Sample):
            if sample.environment not in environments:
                found.foreign += 1
                continue
            made = _candidate(sample, name, model)
            found.samples[sample.environment] += 1
            found.passing[sample.environment] += made.passes
            found.sources[made.source, name, made.passes] += 1
            if made.passes or with_failed:
                _keep(found.by_environment.setdefault(sample.environment, {}), made)
    return found


def _candidate(sample: _Sample, name: str, trained: str) -> Candidate:
    passes = sample.verdict == PASSED
    is_repaired = passes and bool(sample.rounds) and sample.rounds[0].verdict != PASSED
    source = DEBUG if is_repaired else SELF if name == trained else DISTILL
    shown = sample.cases > 0 and sample.cases_passed == sample.cases
    return Candidate(sample.code, source, name, passes, shown)


def _keep(known: dict[str, Candidate], made: Candidate) -> None:
    other = known.get(made.code)
    if other is None or _rank(made) < _rank(other):
        known[made.code] = made


def _rank(candidate: Candidate) -> tuple[bool, int, str]:
    return not candidate.passes, _ORDER.index(candidate.source), candidate.model
