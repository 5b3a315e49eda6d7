"""The candidates of a run, of whatever kind: a folder of `slice-func eval`, or a log of rewards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...datasets.deduplication.tree_digest import candidate_digest
from ...datasets.storage.columns import EnvironmentRow
from ...evaluation.answer_code import code_of
from ...evaluation.runs import Run, read_run
from ...record.score_log import read_score_log

TRAINING = "training"


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """A candidate, and the verdict that was recorded."""

    environment: str
    """Id of the environment."""
    sample: int
    """Number of the sample, or the place in the log."""
    text: str
    """The text that was scored."""
    code: str
    """The code in it."""
    verdict: str
    hidden: int | None
    """Number of hidden cases, if it was recorded."""
    name: str = ""
    """`path::function`, if the run says it."""

    @property
    def reward(self) -> float | None:
        """Return 1 for a pass and 0 for anything else; `None` if nothing is known."""
        return None if self.verdict == "infrastructure" else float(self.verdict == "passed")

    @property
    def is_passed(self) -> bool:
        """Whether all cases passed."""
        return self.verdict == "passed"

    @property
    def tree(self) -> str:
        """Return a digest that layout, comments and local names do not change."""
        return digest(self.code, self.name.rpartition("::")[2])


@dataclass(frozen=True, slots=True)
class CandidateRun:
    """The candidates of one run."""

    location: str
    is_ordered: bool
    """Whether the order of the candidates is that of time."""
    candidates: tuple[ScoredCandidate, ...]
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    notes: tuple[str, ...] = ()
    """What a reader must know of it."""


def read_candidates(location: str) -> CandidateRun:
    """Return the candidates of a run's folder or URL, or of a log of `slice-func serve --log`.

    Raises:
        SliceFuncError: it is neither, or damaged.
    """
    if Path(location).is_file():
        return _of_log(Path(location))
    return _of_run(read_run(location))


def is_run(location: str) -> bool:
    """Whether a location holds a run or a log, and no dataset."""
    from ...datasets.storage.store import Store
    from ...evaluation.runs import RUN, SAMPLES

    place = Path(location)
    if place.is_file():
        return place.suffix == ".jsonl"
    if "://" not in location:
        return (place / SAMPLES).is_file() or (place / RUN).is_file()
    return Store.at(location).exists(SAMPLES)


@lru_cache(maxsize=65_536)
def digest(code: str, qualname: str) -> str:
    """Return the digest of a definition; of its text if it cannot be parsed."""
    return candidate_digest(code, qualname) or f"text {hash_of(code)}"


def hash_of(text: str) -> str:
    """Return the SHA-256 of a text."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _of_run(run: Run) -> CandidateRun:
    is_repair = run.settings.get("task") == "repair"
    candidates = (
        ScoredCandidate(
            each.environment,
            each.sample,
            each.code if is_repair else each.completion,
            each.code,
            each.verdict,
            each.hidden,
            f"{each.path}::{each.qualname}",
        )
        for each in run.samples
    )
    is_ordered = run.settings.get("kind") == TRAINING
    return CandidateRun(run.location, is_ordered, tuple(candidates), run.settings)


def _of_log(place: Path) -> CandidateRun:
    scores, damaged = read_score_log(place)
    candidates = (
        ScoredCandidate(
            each.environment, number, each.candidate, code_of(each.candidate), each.verdict,
            each.hidden,
        )
        for number, each in enumerate(scores)
    )  # fmt: skip
    notes = (f"{damaged} lines of the log are damaged, and left out",) if damaged else ()
    return CandidateRun(str(place), True, tuple(candidates), {"kind": TRAINING}, notes)


def is_same_tree(candidate: ScoredCandidate, row: EnvironmentRow) -> bool:
    """Whether a candidate is the original, but for layout and local names."""
    return digest(candidate.code, row.qualname) == digest(row.code, row.qualname)
