"""Runs side by side: the measures of each, and paired differences with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from statistics import fmean
from typing import Any

from ..metrics.intervals import clustered_bootstrap
from ..metrics.summary import item_scores, items_of, rounded, summary
from ..runs import Run

SETTINGS = (
    "model", "task", "context", "agent", "retriever", "embedder", "docstring", "description",
    "rounds", "samples", "temperature",
)  # fmt: skip
"""Settings of which labels are made, in this order, and that can be rows and columns."""


def comparison(runs: Sequence[Run], ks: Sequence[int]) -> dict[str, Any]:
    """Return the measures of each run, and of each pair what differs, as JSON data.

    Differences are over the environments that both runs have.
    """
    labels = labels_of(runs)
    return {
        "runs": [
            {
                "label": label,
                "location": run.location,
                "settings": dict(run.settings),
                "measures": summary(run.samples, ks),
            }
            for label, run in zip(labels, runs, strict=True)
        ],
        "pairs": [
            {"first": labels[i], "second": labels[j], **difference(runs[i], runs[j], k)}
            for i, j in combinations(range(len(runs)), 2)
            for k in ks
            if _has(runs[i], k) and _has(runs[j], k)
        ],
    }


def difference(first: Run, second: Run, k: int) -> dict[str, Any]:
    """Return how much better the second run is than the first.

    The interval is a bootstrap over repositories of the paired differences of Pass@k. McNemar's
    exact test counts the environments of which one run's first sample passes and the other's not.
    Runs that share no environment have no difference: it is `None`, as its probability.
    """
    left, right = items_of(first.samples), items_of(second.samples)
    shared = sorted(left.keys() & right.keys())
    before = item_scores({item: left[item] for item in shared}, k)
    after = item_scores({item: right[item] for item in shared}, k)
    groups: dict[str, list[float]] = {}
    for item in shared:
        groups.setdefault(left[item][0].repo, []).append(after[item] - before[item])
    values = [each for group in groups.values() for each in group]
    interval = clustered_bootstrap(groups, low=-1.0)
    gained = sum(right[i][0].is_passed and not left[i][0].is_passed for i in shared)
    lost = sum(left[i][0].is_passed and not right[i][0].is_passed for i in shared)
    return {
        "k": k,
        "environments": len(shared),
        "left_out": len(left.keys() ^ right.keys()),
        "difference": rounded(fmean(values)) if values else None,
        "interval": interval and [rounded(each) for each in interval],
        "gained": gained,
        "lost": lost,
        "mcnemar_p": rounded(mcnemar(gained, lost)) if values else None,
    }


def mcnemar(gained: int, lost: int) -> float:
    """Return the two-sided exact probability of so uneven a split of discordant pairs."""
    count = gained + lost
    tail = sum(comb(count, i) for i in range(min(gained, lost) + 1)) / 2**count
    return min(1.0, 2 * tail)


def labels_of(runs: Sequence[Run]) -> list[str]:
    """Return a label for each run: the settings in which they differ, and the model."""
    differing = [
        name for name in SETTINGS if len({str(run.settings.get(name)) for run in runs}) > 1
    ] or ["model"]
    labels = [", ".join(_labelled(run.settings, differing)) for run in runs]
    return [
        f"{label} ({run.location})" if labels.count(label) > 1 else label
        for label, run in zip(labels, runs, strict=True)
    ]


def _labelled(settings: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    for name in names:
        value = settings.get(name)
        yield (
            str(value) if name in ("model", "context", "agent", "retriever") else f"{name} {value}"
        )


def _has(run: Run, k: int) -> bool:
    return min(map(len, items_of(run.samples).values()), default=0) >= k
