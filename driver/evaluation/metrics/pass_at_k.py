"""The unbiased estimate of Pass@k (Chen et al., 2021, section 2.1)."""

from __future__ import annotations

import math


def pass_at_k(samples: int, passed: int, k: int) -> float:
    """Return the probability that one of k samples passes, of so many that were drawn.

    It is 1 - C(n - c, k) / C(n, k), as a product that does not overflow.

    Raises:
        ValueError: fewer samples than k.
    """
    if k > samples:
        raise ValueError(f"k = {k} of {samples} samples")
    if samples - passed < k:
        return 1.0
    return 1.0 - math.prod(1.0 - k / i for i in range(samples - passed + 1, samples + 1))
