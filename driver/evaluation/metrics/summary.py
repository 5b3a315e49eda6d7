"""What a run says: Pass@k and the other measures, with intervals, over all and by stratum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from ..sample_rows import SampleRow
from .intervals import Interval, clustered_bootstrap, wald, wilson
from .pass_at_k import pass_at_k

_LENGTHS = ((10, "to 10 lines"), (25, "11 to 25 lines"), (10**9, "over 25 lines"))
_DEPENDENCIES = ((0, "no dependency"), (3, "1 to 3 dependencies"), (10**9, "over 3 dependencies"))


def summary(samples: Sequence[SampleRow], ks: Sequence[int]) -> dict[str, Any]:
    """Return all measures of a run as JSON data.

    Args:
        samples: of one run; every environment has the same number of samples.
        ks: the k of each Pass@k; those above the number of samples are left out.
    """
    by_item = items_of(samples)
    least = min(map(len, by_item.values()), default=0)
    usable = [k for k in ks if k <= least]
    return {
        "environments": len(by_item),
        "repositories": len({each.repo for each in samples}),
        "samples": len(samples),
        "pass_at": {str(k): pass_measure(by_item, k) for k in usable},
        **_means(samples),
        "verdicts": dict(sorted(Counter(each.verdict for each in samples).items())),
        "rounds": pass_by_round(samples),
        "strata": {
            name: {
                label: _stratum(items_of(part), usable)
                for label, part in sorted(_parts(samples, of).items())
            }
            for name, of in STRATA.items()
        },
    }


def items_of(samples: Iterable[SampleRow]) -> dict[str, list[SampleRow]]:
    """Return the samples of each environment."""
    found: dict[str, list[SampleRow]] = {}
    for each in samples:
        found.setdefault(each.environment, []).append(each)
    return found


def item_scores(by_item: Mapping[str, Sequence[SampleRow]], k: int) -> dict[str, float]:
    """Return the estimate of Pass@k for each environment."""
    return {
        item: pass_at_k(len(samples), sum(each.is_passed for each in samples), k)
        for item, samples in by_item.items()
    }


def pass_measure(by_item: Mapping[str, Sequence[SampleRow]], k: int) -> dict[str, Any]:
    """Return Pass@k with its intervals.

    `wald` and `wilson` take environments for independent; `items` draws environments with all
    their samples, `repositories` draws repositories with all their environments.
    """
    scores = item_scores(by_item, k)
    value = fmean(scores.values())
    repositories: dict[str, list[float]] = {}
    for item, score in scores.items():
        repositories.setdefault(by_item[item][0].repo, []).append(score)
    count = len(scores)
    return {
        "value": rounded(value),
        "wald": _interval(wald(value, count)),
        "wilson": _interval(wilson(value * count, count)),
        "items": _interval(clustered_bootstrap({item: [s] for item, s in scores.items()})),
        "repositories": _interval(clustered_bootstrap(repositories)),
    }


def pass_by_round(samples: Sequence[SampleRow]) -> list[float]:
    """Return the share of samples whose try passes, had they ended with that round.

    A sample that ended earlier counts with its last try.
    """
    most = max((len(_tries(each)) for each in samples), default=0)
    return [
        rounded(fmean(_tries(each)[: number + 1][-1] == "passed" for each in samples))
        for number in range(most)
    ]


def _tries(sample: SampleRow) -> list[str]:
    """Return the verdicts of a sample's tries."""
    return [each.verdict for each in sample.rounds]


def _means(samples: Sequence[SampleRow]) -> dict[str, Any]:
    def mean(of: Callable[[SampleRow], float]) -> float:
        return rounded(fmean(map(of, samples))) if samples else 0.0

    return {
        "test_rate": mean(lambda each: each.test_rate),
        "exact_match": mean(lambda each: each.exact_match),
        "edit_similarity": mean(lambda each: each.edit_similarity),
        "codebleu": mean(lambda each: each.codebleu),
        "context_tokens": mean(lambda each: each.context_tokens),
        "requests": sum(each.requests for each in samples),
        "input_tokens": sum(each.input_tokens for each in samples),
        "output_tokens": sum(each.output_tokens for each in samples),
        "cost": round(sum(each.cost for each in samples), 6),
        "seconds": {
            "mean": mean(lambda each: each.seconds),
            "median": rounded(median(each.seconds for each in samples)) if samples else 0.0,
        },
    }


def _stratum(by_item: Mapping[str, Sequence[SampleRow]], ks: Sequence[int]) -> dict[str, Any]:
    return {
        "environments": len(by_item),
        "pass_at": {str(k): pass_measure(by_item, k) for k in ks},
    }


def _parts(
    samples: Iterable[SampleRow], of: Callable[[SampleRow], Sequence[str]]
) -> dict[str, list[SampleRow]]:
    found: dict[str, list[SampleRow]] = {}
    for each in samples:
        for label in of(each):
            found.setdefault(label, []).append(each)
    return found


def _bucket(value: int, bounds: Sequence[tuple[int, str]]) -> tuple[str]:
    return (next(label for most, label in bounds if value <= most),)


STRATA: dict[str, Callable[[SampleRow], Sequence[str]]] = {
    "family": lambda each: each.families or ("none",),
    "repository": lambda each: (each.repo,),
    "length": lambda each: _bucket(each.lines, _LENGTHS),
    "scope": lambda each: ("cross-file" if each.files > 1 else "single-file",),
    "dependencies": lambda each: _bucket(each.dependencies, _DEPENDENCIES),
}
"""How samples are parted; one with several mock families counts in each."""


def rounded(value: float) -> float:
    """Return a number with six digits after the point."""
    return round(value, 6)


def _interval(found: Interval | None) -> list[float] | None:
    return None if found is None else [rounded(each) for each in found]
