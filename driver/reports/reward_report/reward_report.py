"""The whole report of a run's rewards, as JSON data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from ....verifier.execution.executors.choose_executor import choose
from ....verifier.execution.executors.shared_sandboxes import SharedSandboxes
from ...datasets.scoring.catalogue import Catalogue, open_catalogue
from ...datasets.storage.columns import EnvironmentRow
from ...evaluation.answer_code import code_of
from .run_measures import Rows, by_strength, by_tenths, duplicates, lengths
from .scored_again import Rescoring
from .scored_candidates import CandidateRun, ScoredCandidate

SAMPLE = 200
"""Default number of candidates that are run again, for each of the two questions."""
NEEDS_DATASET = (
    "without --dataset: no fresh inputs, no scoring again, no unseen mutants, no originals"
)


@dataclass(frozen=True, slots=True)
class RewardOptions:
    """What is run again."""

    dataset: str | None = None
    """The dataset of the run; without one, only what the run says by itself."""
    fresh: int | None = SAMPLE
    """Distinct passing candidates that fresh inputs are asked about; `None` for all."""
    drift: int | None = SAMPLE
    """Candidates that are scored again; `None` for all."""
    seed: int = 0
    executor: str | None = None


def reward_report(
    run: CandidateRun,
    options: RewardOptions,
    report: Callable[[str], None],
    on_candidate: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Return what the rewards of a run are worth.

    Args:
        run: its candidates.
        options: what is run again, and where.
        report: prints a line for people.
        on_candidate: called after each candidate that was run again.

    Raises:
        SliceFuncError: no dataset, or no sandbox works here.
    """
    catalogue = open_catalogue(options.dataset) if options.dataset else None
    rows: Rows = {row.id: row for row in catalogue.dataset.rows()} if catalogue else {}
    candidates = [_with_name(each, rows.get(each.environment)) for each in run.candidates]
    notes = list(run.notes)
    found: dict[str, Any] = {
        "run": run.location,
        "dataset": options.dataset,
        "candidates": len(candidates),
        "environments": len({each.environment for each in candidates}),
        "settings": dict(run.settings),
        "strength": by_strength(candidates, rows),
        "fresh": None,
        "drift": None,
        "duplicates": duplicates(candidates, rows),
        "lengths": lengths(candidates, rows),
        "tenths": None,
    }
    answers: dict[tuple[str, str], str] = {}
    if catalogue is None:
        notes.append(NEEDS_DATASET)
    else:
        missing = sum(each.environment not in rows for each in candidates)
        if missing:
            notes.append(f"{missing} candidates are for environments that the dataset has not")
        again = _run_again(catalogue, candidates, options, report, on_candidate)
        answers = again["fresh"].pop("answers")
        found |= again
    if run.is_ordered:
        found["tenths"] = by_tenths(candidates, answers)
    return {**found, "notes": notes}


def candidates_to_run(run: CandidateRun, options: RewardOptions) -> int:
    """Return about how many candidates will be run again, for a display of progress."""
    if options.dataset is None:
        return 0
    passing = len({(each.environment, each.tree) for each in run.candidates if each.is_passed})
    known = sum(each.reward is not None for each in run.candidates)
    pairs = ((options.fresh, passing), (options.drift, known))
    return sum(number if most is None else min(most, number) for most, number in pairs)


def _run_again(
    catalogue: Catalogue,
    candidates: Sequence[ScoredCandidate],
    options: RewardOptions,
    report: Callable[[str], None],
    on_candidate: Callable[[], None],
) -> dict[str, Any]:
    choice = choose(wanted=options.executor)
    for line in choice.lines():
        report(line)
    with closing(SharedSandboxes(choice.make)) as sandboxes:
        rescoring = Rescoring(catalogue, sandboxes, options.seed, on_candidate)
        return {
            "fresh": rescoring.fresh_answers(candidates, options.fresh),
            "drift": rescoring.drift(candidates, options.drift),
        }


def _with_name(candidate: ScoredCandidate, row: EnvironmentRow | None) -> ScoredCandidate:
    """Return a candidate with the name of its function, and the code that was scored for it."""
    if candidate.name or row is None:
        return candidate
    code = code_of(candidate.text, row.qualname)
    return replace(candidate, name=f"{row.path}::{row.qualname}", code=code)
