"""What a run says by itself, and with its dataset's table: strength, duplicates, length, time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from ...datasets.storage.columns import EnvironmentRow
from ...evaluation.metrics.intervals import clustered_bootstrap
from .scored_candidates import ScoredCandidate, is_same_tree

Rows = Mapping[str, EnvironmentRow]
"""Environments of the dataset by id; empty without one."""
_RATES = ((0.8, "below 80 %"), (0.9, "80 to 90 %"), (1.0, "90 to 100 %"))
_HIDDEN = ((0, "0"), (8, "1 to 8"), (32, "9 to 32"))
TENTHS = 10


def by_strength(candidates: Sequence[ScoredCandidate], rows: Rows) -> dict[str, Any]:
    """Return the mean reward by how strong the environments' cases are.

    Rewards that are higher where cases are weak are a sign of weak verdicts.
    """
    counted = [each for each in candidates if each.reward is not None]
    return {
        "without_verdict": len(candidates) - len(counted),
        "all": _rewards(counted),
        "by_unseen_kill_rate": _grouped(counted, lambda each: _rate(rows.get(each.environment))),
        "by_hidden_cases": _grouped(counted, lambda each: _hidden(each, rows)),
    }


def duplicates(candidates: Sequence[ScoredCandidate], rows: Rows) -> dict[str, Any]:
    """Return how many candidates are the same tree as another one, and as the original."""
    groups = Counter((each.environment, each.tree) for each in candidates)
    known = [each for each in candidates if each.environment in rows]
    return {
        "candidates": len(candidates),
        "distinct": len(groups),
        "like_another": sum(count for count in groups.values() if count > 1),
        "with_original": len(known),
        "like_original": sum(is_same_tree(each, rows[each.environment]) for each in known),
    }


def lengths(candidates: Sequence[ScoredCandidate], rows: Rows) -> dict[str, Any]:
    """Return median and 90th percentile of the characters of passing, failing, original code."""
    asked = {each.environment for each in candidates}
    originals = [len(row.code) for identity, row in sorted(rows.items()) if identity in asked]
    return {
        "passing": _sizes(len(each.code) for each in candidates if each.is_passed),
        "failing": _sizes(
            len(each.code) for each in candidates if each.reward is not None and not each.is_passed
        ),
        "original": _sizes(originals),
    }


def by_tenths(
    candidates: Sequence[ScoredCandidate], answers: Mapping[tuple[str, str], str]
) -> list[dict[str, Any]]:
    """Return reward, refuted share and length in each tenth of a run, by time.

    Args:
        candidates: in the order of time.
        answers: what fresh inputs have said, by environment and tree.
    """
    found: list[dict[str, Any]] = []
    for tenth in range(TENTHS):
        first = tenth * len(candidates) // TENTHS
        part = candidates[first : (tenth + 1) * len(candidates) // TENTHS]
        said = [answers.get((each.environment, each.tree)) for each in part if each.is_passed]
        decided = [each for each in said if each in ("refuted", "agrees")]
        found.append(
            {
                "candidates": len(part),
                **_rewards([each for each in part if each.reward is not None]),
                "asked": len(decided),
                "refuted": decided.count("refuted"),
                "median_characters": median(len(each.code) for each in part) if part else None,
            }
        )
    return found


def _rate(row: EnvironmentRow | None) -> tuple[int, str]:
    if row is None:
        return len(_RATES) + 2, "not in the dataset"
    if row.unseen_kill_rate is None:
        return len(_RATES) + 1, "not known"
    for at, (upper, label) in enumerate(_RATES):
        if row.unseen_kill_rate < upper:
            return at, label
    return len(_RATES), "100 %"


def _hidden(candidate: ScoredCandidate, rows: Rows) -> tuple[int, str]:
    row = rows.get(candidate.environment)
    count = row.hidden if row is not None else candidate.hidden
    if count is None:
        return len(_HIDDEN) + 1, "not known"
    for at, (upper, label) in enumerate(_HIDDEN):
        if count <= upper:
            return at, label
    return len(_HIDDEN), "33 or more"


def _grouped(
    candidates: Sequence[ScoredCandidate], group: Callable[[ScoredCandidate], tuple[int, str]]
) -> list[dict[str, Any]]:
    groups: defaultdict[tuple[int, str], list[ScoredCandidate]] = defaultdict(list)
    for each in candidates:
        groups[group(each)].append(each)
    return [{"group": label, **_rewards(found)} for (_, label), found in sorted(groups.items())]


def _rewards(candidates: Sequence[ScoredCandidate]) -> dict[str, Any]:
    """Return the mean reward; its interval draws whole environments."""
    by_environment: defaultdict[str, list[float]] = defaultdict(list)
    for each in candidates:
        by_environment[each.environment].append(each.reward or 0.0)
    rewards = [reward for found in by_environment.values() for reward in found]
    interval = clustered_bootstrap(by_environment)
    return {
        "environments": len(by_environment),
        "scored": len(rewards),
        "reward": round(fmean(rewards), 6) if rewards else None,
        "interval": interval and [round(each, 6) for each in interval],
    }


def _sizes(sizes: Iterable[int]) -> dict[str, Any]:
    ordered = sorted(sizes)
    if not ordered:
        return {"number": 0, "median": None, "p90": None}
    rank = -(-len(ordered) * 9 // 10) - 1
    return {"number": len(ordered), "median": median(ordered), "p90": ordered[max(0, rank)]}
