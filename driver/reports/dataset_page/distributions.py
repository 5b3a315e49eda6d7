"""Distributions of shares and of seconds, in bins with names."""

from __future__ import annotations

import statistics
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

SECONDS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Lower limits of the bins of seconds, but for the first."""


def percent(share: float) -> str:
    """Return a share in per cent, as the page's code writes it."""
    return f"{share * 100:.{0 if share in {0, 1} else 1}f} %"


def shares(title: str, values: Iterable[float | None]) -> dict[str, Any]:
    """Return how many shares are in each tenth; exactly 1 is a bin of its own."""
    every = list(values)
    known = [each for each in every if each is not None]
    labels = [*(f"{low} to {low + 10} %" for low in range(0, 100, 10)), "100 %"]
    ticks = [*(str(low) for low in range(0, 100, 10)), "100"]
    bins = [0] * len(labels)
    for value in known:
        bins[min(10, max(0, int(value * 10 + 1e-9)))] += 1
    return {
        "title": title,
        "axis": "per cent, each bar from its number up to the next",
        "labels": labels,
        "ticks": ticks,
        "bins": bins,
        "unknown": len(every) - len(known),
        "middle": f"median {percent(statistics.median(known))}" if known else "",
    }


def seconds(title: str, values: Sequence[float]) -> dict[str, Any]:
    """Return how many durations are in each bin."""
    bounds = [0, *SECONDS]
    labels = [f"{low} to {high} s" for low, high in pairwise(bounds)]
    bins = [0] * len(bounds)
    for value in values:
        bins[bisect_right(SECONDS, value)] += 1
    return {
        "title": title,
        "axis": "seconds, each bar from its number up to the next",
        "labels": [*labels, f"{SECONDS[-1]} s and more"],
        "ticks": [str(low) for low in bounds],
        "bins": bins,
        "unknown": 0,
        "middle": f"median {statistics.median(values):.1f} s" if values else "",
    }


def cost_summary(costs: Sequence[Mapping[str, Any]], environments: int) -> list[list[str]]:
    """Return the totals of the seconds of all functions, as labels and values."""
    times = sorted(float(each["seconds"]) for each in costs)
    total = sum(times)
    ninth = times[min(len(times) - 1, int(len(times) * 0.9))]
    per = f"{total / environments:,.1f} s" if environments else "no environment"
    return [
        ["all functions", f"{total / 3600:,.2f} h"],
        ["an environment", per],
        ["a function: median", f"{statistics.median(times):,.1f} s"],
        ["a function: 90th percentile", f"{ninth:,.1f} s"],
        ["a function: longest", f"{times[-1]:,.1f} s"],
    ]
