"""Intervals of shares and means at 95 %.

Wald and Wilson take items for independent draws. The clustered bootstrap draws whole groups, such
as the samples of one item or the items of one repository, which are alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Estimates = tuple[NDArray[np.float64], NDArray[np.float64]]

Interval = tuple[float, float]
Z = NormalDist().inv_cdf(0.975)
"""Quantile of the normal distribution for 95 %."""
DRAWS = 2000
"""Draws of a bootstrap."""
_ENOUGH = 8
"""Minimum number of groups for a bootstrap; with fewer, Student's distribution is used."""
_RARE = 5
"""Draws of the rarer kind below which resamples do not show how it varies: then Wilson's interval
for as many independent draws as the standard error stands for is taken."""
_NO_SPREAD = 1e-9


def wald(share: float, count: int) -> Interval | None:
    """Return the normal interval of a share, as RepoST has it; too narrow near 0 and 1.

    It is `None` without items.
    """
    if not count:
        return None
    half = Z * math.sqrt(max(0.0, share * (1 - share)) / count)
    return max(0.0, share - half), min(1.0, share + half)


def wilson(successes: float, trials: float, level: float = 0.95) -> Interval | None:
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


def clustered_bootstrap(
    groups: Mapping[str, Sequence[float]], *, low: float = 0.0, seed: int = 0
) -> Interval | None:
    """Return the interval of the mean of values when whole groups are drawn; `None` for one group.

    It is the studentized bootstrap (Efron, 1982, chapter 10) of a ratio, with its linearized
    standard error: the percentile interval is too narrow where groups are few and unequal. Where
    all values are equal, nothing of their spread is seen, and Wilson's interval for as many groups
    stands in.

    Args:
        groups: values by group, each between `low` and 1.
        low: 0 for shares, -1 for differences of shares.
        seed: of the draws.
    """
    import numpy as np

    known = [(sum(values), len(values)) for _, values in sorted(groups.items()) if values]
    count = len(known)
    if count < 2:
        return None
    sums, sizes = (np.array(each, dtype=np.float64) for each in zip(*known, strict=True))

    def estimates(sums: NDArray[np.float64], sizes: NDArray[np.float64]) -> _Estimates:
        """Return means and standard errors, a row of groups each."""
        means = sums.sum(axis=-1) / sizes.sum(axis=-1)
        rest = sums - means[..., None] * sizes
        spread = np.sqrt((rest**2).sum(axis=-1) * count / (count - 1))
        return means, spread / sizes.sum(axis=-1)

    means, errors = estimates(sums[None, :], sizes[None, :])
    mean, error = float(means[0]), float(errors[0])
    if error < _NO_SPREAD:
        return _of_equal_groups(mean, count, low)
    share = (mean - low) / (1 - low)
    effective = share * (1 - share) / (error / (1 - low)) ** 2
    if count >= _ENOUGH and low == 0 and min(share, 1 - share) * effective < _RARE:
        return wilson(share * effective, effective)
    quantiles = np.array([-1.0, 1.0]) * _t_quantile(count - 1)
    rest = np.abs(sums - mean * sizes) > _NO_SPREAD
    if count >= _ENOUGH and (low == 0 or (sums[rest] != 0).sum() >= _RARE):
        drawn = np.random.default_rng(seed).integers(0, count, (DRAWS, count))
        found, spreads = estimates(sums[drawn], sizes[drawn])
        is_usable = spreads > _NO_SPREAD
        if is_usable.sum() > DRAWS / 2:
            ratios = (found[is_usable] - mean) / spreads[is_usable]
            quantiles = np.quantile(ratios, [0.025, 0.975])
    first, last = mean - float(quantiles[1]) * error, mean - float(quantiles[0]) * error
    return max(low, first), min(1.0, last)


def _of_equal_groups(mean: float, count: int, low: float) -> Interval | None:
    scaled = wilson((mean - low) / (1 - low) * count, count)
    return scaled and (low + (1 - low) * scaled[0], low + (1 - low) * scaled[1])


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
