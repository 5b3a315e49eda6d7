"""Record hidden cases: many and diverse, for the verdict alone, and cheap to run each time.

They run after the shown cases, in the same process. Unusable ones are dropped silently, since there
are others. What decides that is settled once here, and recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...execution.batched_trials import Trial
from ...execution.executors.interface import Case, Limits, cost_of
from .oracle import (
    AbnormalEnd,
    Code,
    Oracle,
    OracleCase,
    Rejection,
    Runs,
    fault,
    observed,
    texts_of,
)

MOST = 128
"""Most hidden cases of one environment."""
SECONDS = 1.0
"""Processor seconds in which the original must run all hidden cases."""
RECORD_BYTES = 900_000
"""Largest size of their texts and observations, so that a record stays below a megabyte."""
_FORK_SECONDS = 0.01
"""Processor seconds for the fork of an isolated case."""
_SHARE = 4
"""Divisor for the share of time or bytes that one case may take, so that others fit."""


def with_hidden(
    run: Runs, oracle: Oracle, cases: Sequence[Case], limits: Limits
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """Return the oracle with the usable hidden cases, and the rejected ones.

    Each must show the same after the shown cases and, in reverse order, before them. A case that
    others influence would test the order.

    Args:
        run: runs a job.
        oracle: the oracle with its shown cases recorded.
        cases: hidden cases with unique names, the most important first.
        limits: limits of each run.
    """
    kept, rejected, texts = _affordable(run, oracle, cases, limits)
    shown = [each.case for each in oracle.recorded]
    while kept:
        texts = texts or observed(run, oracle, [*shown, *kept], limits)
        again = observed(run, oracle, [*kept[::-1], *shown], limits)
        faults = [found for c in kept if (found := fault(c, texts[c.name], again[c.name]))]
        if not faults:
            break
        rejected += [replace(each, is_hidden=True) for each in faults]
        names = {each.case for each in faults}
        kept, texts = [case for case in kept if case.name not in names], {}
    recorded = [
        OracleCase(case, text) for case in kept if isinstance(text := texts[case.name], str)
    ]
    sizes = [len(each.case.code.encode()) + len(each.observation) for each in recorded]
    fitting = list(_fitting(sizes, RECORD_BYTES))
    rejected += [
        _left_out(each.case, "too_large", f"{size} bytes")
        for each, size, fits in zip(recorded, sizes, fitting, strict=True)
        if not fits
    ]
    hidden = tuple(each for each, fits in zip(recorded, fitting, strict=True) if fits)
    return replace(oracle, hidden=hidden), tuple(rejected)


def _affordable(
    run: Runs, oracle: Oracle, cases: Sequence[Case], limits: Limits
) -> tuple[list[Case], list[Rejection], dict[str, str | AbnormalEnd]]:
    """Return the affordable cases that end well, the rejected ones, and their observations.

    Usually one run of all cases settles that. Otherwise each is timed, without observations.
    """
    more = [_left_out(case, "too_slow", f"more than {MOST} cases") for case in cases[MOST:]]
    kept = list(cases[:MOST])
    every = [*(each.case for each in oracle.recorded), *kept]
    for some in (every, kept):
        outcome = run(oracle.job(oracle.script, some, limits))
        is_well = outcome.end == "exited" and not outcome.exit_status
        if not is_well:
            break
        if cost_of(outcome.cpu_seconds, outcome.wall_seconds) <= SECONDS:
            texts = texts_of(outcome, [case.name for case in some])
            return (
                kept,
                more,
                {} if some is kept or isinstance(texts, AbnormalEnd) else {**texts},
            )
    taken = list(_seconds(run, oracle, kept))
    rejected: list[Rejection] = []
    for case, each in zip(kept, taken, strict=True):
        if each is None:
            rejected.append(_left_out(case, "case_fails", "it does not end, or ends the process"))
    timed = [(case, each) for case, each in zip(kept, taken, strict=True) if each is not None]
    fitting = list(_fitting([each for _, each in timed], SECONDS))
    for (case, each), fits in zip(timed, fitting, strict=True):
        if not fits:
            rejected.append(_left_out(case, "too_slow", f"{each:.3f} s"))
    kept = [case for (case, _), fits in zip(timed, fitting, strict=True) if fits]
    return kept, [*rejected, *more], {}


def _seconds(run: Runs, oracle: Oracle, cases: Sequence[Case]) -> Iterator[float | None]:
    """Yield the cost of each case when run with the others; `None` if it does not end."""
    nothing = (1, 1)  # no lines: arcs are not needed
    trial = Trial(
        run, oracle.script, oracle.qualname, nothing,
        determinism=oracle.determinism, is_isolated=oracle.is_isolated,
    )  # fmt: skip
    tried = trial.cases(cases).tried
    more = _FORK_SECONDS if oracle.is_isolated else 0.0
    for each in tried:
        yield cost_of(each.cpu_seconds, each.seconds) + more if each.observation else None
    yield from [None] * (len(cases) - len(tried))


def _fitting(costs: Sequence[float], limit: float) -> Iterator[bool]:
    """Yield which costs fit: each in order if there is room for it."""
    left = limit
    for cost in costs:
        fits = cost <= min(left, limit / _SHARE)
        left -= cost if fits else 0
        yield fits


def _left_out(case: Case, code: Code, detail: str) -> Rejection:
    return Rejection(case.name, code, detail, is_hidden=True)
