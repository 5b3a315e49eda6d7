"""Which cases are observed alike under other hash seeds, and on other days."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ..executors.interface import Executor, Limits, Profile
from .oracle import (
    Case,
    Oracle,
    Recorded,
    Rejection,
    Runs,
    Unended,
    observed,
    told_difference,
)

SEEDS = (1, 2, 3, 4)
"""Beside the seed that the oracle was recorded under."""


def stable(
    oracle: Oracle, runs: Iterable[Runs], limits: Limits
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """The oracle without the cases that any of these runs observes otherwise.

    Of what is left each run has seen the same, so each counts as a stable one.
    """
    rejected: dict[str, Rejection] = {}
    alike = oracle.stable_runs
    for run in runs:
        alike += 1
        cases: list[Case] = [each.case for each in oracle.recorded]
        texts = observed(run, oracle, cases, limits)
        for each in oracle.recorded:
            name, text = each.case.name, texts[each.case.name]
            if text != each.observation and name not in rejected:
                where = told_difference(each.observation, text)
                why = f"under another hash seed it is observed differently{where}"
                rejected[name] = Rejection(name, "unstable", why)
    kept = tuple(each for each in oracle.recorded if each.case.name not in rejected)
    return replace(oracle, recorded=kept, stable_runs=alike), tuple(rejected.values())


def stable_on_another_day(
    oracle: Oracle, run: Runs, clock: float | None, limits: Limits
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """The oracle without the cases that are observed otherwise while clocks stand elsewhere.

    What then does not end says nothing: it may wait for time to pass. The run counts as a stable
    one if it has seen all that is left.
    """
    cases = [each.case for each in oracle.recorded]
    elsewhere = replace(oracle, determinism=replace(oracle.determinism, clock=clock))
    texts = observed(run, elsewhere, cases, limits)
    kept: list[Recorded] = []
    gone: list[Rejection] = []
    for each in oracle.recorded:
        text = texts[each.case.name]
        if isinstance(text, Unended) or text == each.observation:
            kept.append(each)
        else:
            where = told_difference(each.observation, text)
            why = f"on another day it is observed differently{where}"
            gone.append(Rejection(each.case.name, "unstable", why))
    alike = oracle.stable_runs + all(texts[each.case.name] == each.observation for each in kept)
    return replace(oracle, recorded=tuple(kept), stable_runs=alike), tuple(gone)


def runs_of(
    make: Callable[[], Executor], profile: Profile, seeds: Iterable[int] = SEEDS
) -> Iterable[Runs]:
    """A way to run jobs under each seed, one executor after another.

    Raises:
        SandboxError: an executor does not start.
    """
    for seed in seeds:
        executor = make()
        try:
            executor.start(replace(profile, hash_seed=seed))
            yield executor.run
        finally:
            executor.close()
