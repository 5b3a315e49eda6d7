"""From repositories to environments: how many pass each stage, and why the others do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...datasets.storage.columns import DUPLICATE, IN_REFERENCE_SET, FunctionRow, RepositoryRow

_LEAST = 1e-9
"""Tolerance for rounding errors in shares."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What a build has asked for, in per cent."""

    branches: int = 80
    killed: int = 80
    unseen: int = 80

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> Thresholds:
        """Return what a manifest says."""
        build: dict[str, Any] = manifest.get("build") or {}
        said: dict[str, Any] = build.get("verification") or {}
        names = ("min_branches", "min_killed", "min_unseen")
        return cls(*(int(80 if said.get(name) is None else said[name]) for name in names))


@dataclass(frozen=True, slots=True)
class _Stage:
    words: str
    passes: Callable[[FunctionRow], bool]


def waterfall(
    repositories: Sequence[RepositoryRow], functions: Sequence[FunctionRow], least: Thresholds
) -> list[dict[str, Any]]:
    """Return the stages in order: words, what is counted, the number, and the losses by reason."""
    built = [each for each in repositories if each.rule is None]
    lost = Counter(each.rule or "" for each in repositories if each.rule is not None)
    stages = [
        _row("repositories tried", "repositories", len(repositories), Counter()),
        _row("repositories that could be built", "repositories", len(built), lost),
        _row("functions tried", "functions", len(functions), Counter()),
    ]
    left = list(functions)
    for stage in _stages(least):
        passing = [each for each in left if _is_made(each) or stage.passes(each)]
        fallen = [each for each in left if not (_is_made(each) or stage.passes(each))]
        reasons = Counter(_reason(each) for each in fallen)
        stages.append(_row(stage.words, "functions", len(passing), reasons))
        left = passing
    made = [each for each in left if each.environment]
    reasons = Counter(_reason(each) for each in left if not each.environment)
    stages.append(_row("environments", "environments", len(made), reasons))
    return stages


def _stages(least: Thresholds) -> tuple[_Stage, ...]:
    """Return the stages between a function and an environment."""
    return (
        _Stage("sliced", lambda each: each.sliced),
        _Stage("run alone", lambda each: bool(each.runs)),
        _Stage("called by a case", lambda each: bool(each.called)),
        _Stage("same outcome each time", lambda each: bool(each.stable)),
        _Stage("same as in the repository", lambda each: each.same >= each.compared),
        _Stage(f"{least.branches} % of branches taken", lambda e: _is(e.branches, least.branches)),
        _Stage(f"{least.killed} % of mutants killed", lambda e: _is(e.killed, least.killed)),
        _Stage(
            f"{least.unseen} % of unseen mutants killed",
            lambda e: e.unseen_killed is None or _is(e.unseen_killed, least.unseen),
        ),
    )


def _is(share: float | None, least: int) -> bool:
    return share is not None and share >= least / 100 - _LEAST


def _is_made(row: FunctionRow) -> bool:
    """Whether the function became an environment, a duplicate of another included."""
    return row.environment is not None or row.duplicate_of is not None


def _reason(row: FunctionRow) -> str:
    if row.duplicate_of is not None:
        return IN_REFERENCE_SET if IN_REFERENCE_SET in row.reasons else DUPLICATE
    return row.reasons[0] if row.reasons else "no reason recorded"


def _row(words: str, unit: str, number: int, lost: Counter[str]) -> dict[str, Any]:
    ordered = sorted(lost.items(), key=lambda each: (-each[1], each[0]))
    return {"stage": words, "unit": unit, "count": number, "lost": ordered}
