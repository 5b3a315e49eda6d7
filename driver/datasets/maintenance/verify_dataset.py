"""Verify a dataset: its files are whole, and a sample of its environments does what they say.

For each environment of the sample the id is computed again, the original passes as a candidate, and
an empty body fails. That the original passes means that each observation is the recorded one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ....slicer.errors import SliceFuncError
from ....verifier.scoring.score import Candidate
from ...places.environment_scorer import ScoreOptions, scorer_of
from ..storage.columns import EnvironmentRow
from ..storage.dataset import Dataset, StoredDataset
from ..storage.digests import digest
from ..storage.environment_rows import differing_columns

EMPTY_BODY = "pass"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as the dataset says."""

    place: str
    """A file, or `path::qualname` with the repository."""
    problem: str

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


def damaged_files(dataset: Dataset) -> Iterator[Finding]:
    """Yield the files whose content is not what the manifest says."""
    if not isinstance(dataset, StoredDataset):
        return
    for each in dataset.files():
        try:
            content = dataset.store.read(each["file"])
        except FileNotFoundError:
            yield Finding(each["file"], "it is missing")
            continue
        if digest(content) != each["sha256"]:
            yield Finding(each["file"], "its content has changed")


def sampled(dataset: Dataset, number: int, seed: int) -> list[EnvironmentRow]:
    """Return a sample of the environments, drawn by seed; all if there are no more."""
    rows = list(dataset.rows())
    if len(rows) <= number:
        return rows
    chosen = sorted(random.Random(seed).sample(range(len(rows)), number))  # noqa: S311 - no secret
    return [rows[each] for each in chosen]


def check_environment(
    dataset: Dataset,
    row: EnvironmentRow,
    executor: str | None = None,
    report: Callable[[str], None] = lambda _line: None,
) -> Iterator[Finding]:
    """Yield what is not as an environment says."""
    place = f"{row.repo} {row.path}::{row.qualname}"
    try:
        environment = dataset.environment(row.id)  # it has the id of its content
        if odd := differing_columns(environment, row):
            yield Finding(place, f"its record does not give {', '.join(odd)}")
        options = ScoreOptions(executor=executor)
        with scorer_of(dataset.location, environment, options, report) as scorer:
            for name, text, wanted in (
                ("the original", row.code, True),
                ("an empty body", EMPTY_BODY, False),
            ):
                score = scorer.score(Candidate(name, text))
                if score.verdict == "infrastructure":
                    yield Finding(place, f"the sandbox failed: {score.reason}")
                elif (score.verdict == "passed") != wanted:
                    yield Finding(place, f"{name}: {score.verdict}")
    except SliceFuncError as error:
        yield Finding(place, str(error))


def findings_json(findings: list[Finding], checked: int) -> dict[str, Any]:
    """Return the report of a verification."""
    return {
        "checked": checked,
        "findings": [{"place": each.place, "problem": each.problem} for each in findings],
    }
