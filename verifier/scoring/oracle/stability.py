"""Stability: which cases are observed alike under other hash seeds, and on other days."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from ...execution.executors.interface import Executor, Limits, Profile
from .oracle import AbnormalEnd, Oracle, Rejection, Runs, format_difference, observed

SEEDS = (1, 2, 3, 4)
"""Hash seeds besides the one of the recording."""
_AT_ONCE = 2
"""Executors that start and run at the same time."""
Seen = TypeVar("Seen")


def seeded(profile: Profile, seeds: Iterable[int] = SEEDS) -> list[Profile]:
    """Return the interpreter profile under each of these hash seeds."""
    return [replace(profile, hash_seed=seed) for seed in seeds]


def stable(
    oracle: Oracle,
    make: Callable[[], Executor],
    profile: Profile,
    limits: Limits,
    seeds: Iterable[int] = SEEDS,
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """Return the oracle without the cases that differ under any of these hash seeds.

    The remaining cases agreed in each of these runs, so each counts as a stable one.

    Raises:
        SandboxError: an executor does not start.
    """
    cases = [each.case for each in oracle.every]
    why: dict[str, str] = {}
    agreeing = oracle.stable_runs
    for texts in under_seeds(make, profile, lambda r: observed(r, oracle, cases, limits), seeds):
        agreeing += 1
        for each in oracle.every:
            name, text = each.case.name, texts[each.case.name]
            if text != each.observation and name not in why:
                where = format_difference(each.observation, text)
                why[name] = f"under another hash seed it is observed differently{where}"
    return replace(oracle, stable_runs=agreeing).without(why)


def stable_on_another_day(
    oracle: Oracle, run: Runs, clock: float | None, limits: Limits
) -> tuple[Oracle, tuple[Rejection, ...]]:
    """Return the oracle without the cases that differ on another date.

    A case that does not end then says nothing: it may wait for time to pass. The run counts as a
    stable one if it observed all remaining cases.
    """
    cases = [each.case for each in oracle.every]
    elsewhere = replace(oracle, determinism=replace(oracle.determinism, clock=clock))
    texts = observed(run, elsewhere, cases, limits)
    why: dict[str, str] = {}
    for each in oracle.every:
        text = texts[each.case.name]
        if not isinstance(text, AbnormalEnd) and text != each.observation:
            where = format_difference(each.observation, text)
            why[each.case.name] = f"on another day it is observed differently{where}"
    kept, rejected = oracle.without(why)
    is_same = all(texts[each.case.name] == each.observation for each in kept.every)
    return replace(kept, stable_runs=oracle.stable_runs + is_same), rejected


def under_seeds(
    make: Callable[[], Executor],
    profile: Profile,
    seen: Callable[[Runs], Seen],
    seeds: Iterable[int] = SEEDS,
) -> Iterator[Seen]:
    """Yield the result of `seen` under each seed, in order; two run at the same time.

    Raises:
        SandboxError: an executor does not start.
    """

    def seen_under(profile: Profile) -> Seen:
        executor = make()
        try:
            executor.start(profile)
            return seen(executor.run)
        finally:
            executor.close()

    with ThreadPoolExecutor(_AT_ONCE, "seed") as threads:
        yield from threads.map(seen_under, seeded(profile, seeds))
