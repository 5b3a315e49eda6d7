"""Which cases are observed alike under other hash seeds, and on other days."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from ..executors.interface import Executor, Limits, Profile
from .oracle import Oracle, Rejection, Runs, Unended, observed, told_difference

SEEDS = (1, 2, 3, 4)
"""Beside the seed that the oracle was recorded under."""
_AHEAD = 2
"""Executors that start at the same time."""


def stable(
    oracle: Oracle, runs: Iterable[Runs], limits: Limits
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """The oracle without the cases that any of these runs observes otherwise.

    Of what is left each run has seen the same, so each counts as a stable one.
    """
    why: dict[str, str] = {}
    alike = oracle.stable_runs
    for run in runs:
        alike += 1
        texts = observed(run, oracle, [each.case for each in oracle.every], limits)
        for each in oracle.every:
            name, text = each.case.name, texts[each.case.name]
            if text != each.observation and name not in why:
                where = told_difference(each.observation, text)
                why[name] = f"under another hash seed it is observed differently{where}"
    return replace(oracle, stable_runs=alike).without(why)


def stable_on_another_day(
    oracle: Oracle, run: Runs, clock: float | None, limits: Limits
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """The oracle without the cases that are observed otherwise while clocks stand elsewhere.

    What then does not end says nothing: it may wait for time to pass. The run counts as a stable
    one if it has seen all that is left.
    """
    cases = [each.case for each in oracle.every]
    elsewhere = replace(oracle, determinism=replace(oracle.determinism, clock=clock))
    texts = observed(run, elsewhere, cases, limits)
    why: dict[str, str] = {}
    for each in oracle.every:
        text = texts[each.case.name]
        if not isinstance(text, Unended) and text != each.observation:
            where = told_difference(each.observation, text)
            why[each.case.name] = f"on another day it is observed differently{where}"
    kept, gone = oracle.without(why)
    is_alike = all(texts[each.case.name] == each.observation for each in kept.every)
    return replace(kept, stable_runs=oracle.stable_runs + is_alike), gone


def runs_of(
    make: Callable[[], Executor], profile: Profile, seeds: Iterable[int] = SEEDS
) -> Iterable[Runs]:
    """A way to run jobs under each seed, in order.

    The next executors start while the one before them runs: to start one takes longer than most
    runs do.

    Raises:
        SandboxError: an executor does not start.
    """

    def started(seed: int) -> Executor:
        executor = make()
        try:
            executor.start(replace(profile, hash_seed=seed))
        except BaseException:
            executor.close()
            raise
        return executor

    with ThreadPoolExecutor(_AHEAD, "seed") as threads:
        waiting = collections.deque(threads.submit(started, seed) for seed in seeds)
        try:
            while waiting:
                executor = waiting.popleft().result()
                try:
                    yield executor.run
                finally:
                    executor.close()
        finally:
            for future in waiting:
                if not future.cancel() and future.exception() is None:
                    future.result().close()
