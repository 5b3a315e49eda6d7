"""Intervals of shares and means at 95 %.

Wald and Wilson take items for independent draws. The clustered bootstrap draws whole groups, such
as the samples of one item or the items of one repository, which are alike.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from statistics import NormalDist

Interval = tuple[float, float]
Z = NormalDist().inv_cdf(0.975)
"""Quantile of the normal distribution for 95 %."""
DRAWS = 2000
"""Draws of a bootstrap."""


def wald(share: float, count: int) -> Interval | None:
    """Return the normal interval of a share, as RepoST has it; too narrow near 0 and 1.

    It is `None` without items.
    """
    if not count:
        return None
    half = Z * math.sqrt(max(0.0, share * (1 - share)) / count)
    return max(0.0, share - half), min(1.0, share + half)


def wilson(successes: float, trials: int, level: float = 0.95) -> Interval | None:
    """Return Wilson's score interval of a share (Wilson, 1927); `None` without trials."""
    if not trials:
        return None
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    middle = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low, high = (middle - half) / scale, (middle + half) / scale
    # rounding must not cut off the share itself
    return min(max(low, 0.0), share), max(min(high, 1.0), share)


def clustered_bootstrap(groups: Mapping[str, Sequence[float]], seed: int = 0) -> Interval | None:
    """Return the interval of the mean of shares when whole groups are drawn; `None` for one group.

    It is the percentile interval, widened as Student's distribution is wider than the normal one:
    few groups tell little of their own spread (Cameron and Miller, 2015, section VI). Where all
    values are equal, nothing of their spread is seen, and Wilson's interval for as many groups
    stands in.
    """
    known = [(sum(values), len(values)) for _, values in sorted(groups.items()) if values]
    if len(known) < 2:
        return None
    mean = _mean(known)
    source = random.Random(seed)  # noqa: S311 - a draw, and no secret
    means = sorted(_mean(source.choices(known, k=len(known))) for _ in range(DRAWS))
    low, high = means[round(0.025 * (DRAWS - 1))], means[round(0.975 * (DRAWS - 1))]
    if low == high:
        return wilson(mean * len(known), len(known))
    wider = _t_quantile(len(known) - 1) / Z * math.sqrt(len(known) / (len(known) - 1))
    return max(0.0, mean - wider * (mean - low)), min(1.0, mean + wider * (high - mean))


def _mean(groups: Sequence[tuple[float, int]]) -> float:
    return sum(each for each, _ in groups) / sum(count for _, count in groups)


def _t_quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t (Cornish-Fisher expansion of the normal one)."""
    z = Z
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))
