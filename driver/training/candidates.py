"""Candidates: the answers of runs to the functions of a dataset, by source.

After RepoST (Xie et al., 2025, section 4): *self* are samples of the model that will be trained,
*distill* those of other models, *debug* answers that were repaired after a first try had failed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..evaluation.answer_code import code_of
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
    qualname: str
    verdict: str
    code: str
    cases_passed: int
    cases: int
    rounds: tuple[Round, ...]

    @property
    def passes_at_first(self) -> bool:
        """Whether the first try passes, which is what a question alone is worth."""
        return (self.rounds[0].verdict if self.rounds else self.verdict) == PASSED


@dataclass(frozen=True, slots=True)
class _SampleWithTries(_Sample):
    """The same with the conversations, which hold what was tried before the answer."""

    messages: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A distinct text that models have answered."""

    code: str
    source: str
    """`self`, `distill` or `debug`."""
    model: str
    passed: int
    """Number of samples with this text that pass the shown and the hidden cases."""
    failed: int
    """Number of those that do not."""
    slow: int
    """Number of those that took too long: a busy machine may be the reason."""
    passes_shown: bool
    """Whether all of them pass the shown cases."""

    @property
    def is_wrong(self) -> bool:
        """Whether it fails each time, and not for want of time."""
        return not self.passed and not self.slow


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
    passing_at_first: Counter[str] = field(default_factory=Counter[str])
    """Number of those whose first try passes."""
    sources: Counter[tuple[str, str, bool]] = field(default_factory=Counter[tuple[str, str, bool]])
    """Number of samples by source, model, and whether they pass."""
    unknown: int = 0
    """Samples without a verdict, since the sandbox failed: nothing is known of them."""
    foreign: int = 0
    """Samples of environments that are not in the dataset."""

    def of(self, environment: str) -> list[Candidate]:
        """Return the distinct candidates of an environment, in the order of their sources."""
        found = self.by_environment.get(environment, {}).values()
        return sorted(found, key=lambda each: (*_rank(each), each.code))

    def pass_rate(self, environment: str) -> float | None:
        """Return the share of first tries that pass of an environment; `None` without samples."""
        count = self.samples[environment]
        return self.passing_at_first[environment] / count if count else None

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
    runs: Iterable[RunTable], environments: Collection[str], model: str, *, with_tries: bool
) -> Candidates:
    """Return the candidates of runs.

    Args:
        runs: the runs, in an order that does not matter.
        environments: ids of all environments of the dataset.
        model: the model that will be trained; samples of others are *distill*.
        with_tries: whether first tries that failed and were repaired are candidates, too.

    Raises:
        StoreError: a table is damaged.
    """
    found = Candidates()
    for run in runs:
        name = str(run.settings["model"])
        for sample in run.rows(_SampleWithTries if with_tries else _Sample):
            if sample.environment not in environments:
                found.foreign += 1
                continue
            if sample.verdict == "infrastructure":
                found.unknown += 1
                continue
            made = _candidate(sample, name, model)
            found.samples[sample.environment] += 1
            found.passing[sample.environment] += made.passed
            found.passing_at_first[sample.environment] += sample.passes_at_first
            found.sources[made.source, name, bool(made.passed)] += 1
            known = found.by_environment.setdefault(sample.environment, {})
            _add(known, made)
            if isinstance(sample, _SampleWithTries) and len(sample.rounds) > 1:
                first = _first_try(sample, made)
                if first is not None:
                    _add(known, first)
    return found


def _add(known: dict[str, Candidate], made: Candidate) -> None:
    other = known.get(made.code)
    known[made.code] = made if other is None else _merged(made, other)


def _first_try(sample: _SampleWithTries, answered: Candidate) -> Candidate | None:
    """Return the first try of a sample, if it failed and is another text than the answer."""
    for message in json.loads(sample.messages)[0]:
        verdict = message.get("verdict")
        if verdict is not None:
            code = code_of(message["content"], sample.qualname)
            if verdict["verdict"] == PASSED or code == answered.code:
                return None
            shown = 0 < verdict["cases"] == verdict["cases_passed"]
            is_slow = verdict["verdict"] == "timeout"
            return Candidate(code, answered.source, answered.model, 0, 1, int(is_slow), shown)
    return None


def _candidate(sample: _Sample, name: str, trained: str) -> Candidate:
    passes = sample.verdict == PASSED
    is_repaired = passes and bool(sample.rounds) and sample.rounds[0].verdict != PASSED
    source = DEBUG if is_repaired else SELF if name == trained else DISTILL
    shown = sample.cases > 0 and sample.cases_passed == sample.cases
    is_slow = sample.verdict == "timeout"
    return Candidate(sample.code, source, name, int(passes), int(not passes), int(is_slow), shown)


def _merged(one: Candidate, other: Candidate) -> Candidate:
    """Return two candidates of the same text as one, of the earlier source."""
    first = min(one, other, key=_rank)
    return replace(
        first,
        passed=one.passed + other.passed,
        failed=one.failed + other.failed,
        slow=one.slow + other.slow,
        passes_shown=one.passes_shown and other.passes_shown,
    )


def _rank(candidate: Candidate) -> tuple[int, str]:
    return _ORDER.index(candidate.source), candidate.model
