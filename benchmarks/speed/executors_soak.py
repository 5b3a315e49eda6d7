"""A soak: many scripts on a few workers, some of them hostile, and what is left behind.

Every honest script prints what only it can print, so a lost or exchanged verdict shows.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from slicefunc.verifier.execution.executors.executor_pool import Pool
from slicefunc.verifier.execution.executors.interface import Executor, Job, Limits, Outcome, Profile

from tests.verifier.execution.executors.hostile_scripts import (
    AT_THE_NEXT,
    PRELUDE,
    THE_FORTY,
    Hostile,
)

from ..common.leftovers import grown, kill, left_after, left_behind, used_memory
from ..common.report import Progress

HOSTILE_SHARE = 0.05
KILL_EVERY = 1000
"""One sandbox is killed for each so many scripts."""
LIMITS = Limits(
    wall_seconds=10, memory_bytes=256 << 20, disk_bytes=32 << 20, file_bytes=16 << 20, files=2000
)
HOSTILE_SECONDS = 0.4
HONEST = (
    "print({number})",
    "import sys; print({number}); sys.exit({number} % 200)",
    "open('f', 'w').write('x' * 5000); print({number}); raise SystemExit({number} % 7)",
    "import json; print(json.dumps({number})); 1 / ({number} % 3)",
)


@dataclass(frozen=True, slots=True)
class Expected:
    """A script and what must come of it."""

    number: int
    job: Job
    hostile: Hostile | None
    status: int


def soak(
    make: Callable[[], Executor], count: int, workers: int, chance: random.Random
) -> dict[str, Any]:
    """Run the scripts, and report every problem and what is left."""
    before = left_behind()
    executors: list[Executor] = []

    def make_and_keep() -> Executor:
        executors.append(make())
        return executors[-1]

    expected = [_expected(number, chance) for number in range(count)]
    problems: list[str] = []
    progress = Progress("soak", count)
    memory: list[dict[str, int]] = []
    kills = 0
    began = time.monotonic()
    with Pool(make_and_keep, workers, Profile()) as pool:
        outcomes = pool.run_all((each.job for each in expected), ahead=4 * workers)
        for each, outcome in zip(expected, outcomes, strict=True):
            problems += _problems(each, outcome)
            progress.advance()
            if each.number % max(1, count // 10) == count // 20:
                memory.append(used_memory())
            if each.number % KILL_EVERY == KILL_EVERY // 2:
                kills += kill(executors[chance.randrange(len(executors))])
    seconds = time.monotonic() - began
    after = left_after(before)
    problems += [
        f"{name}: {before[name]} before, {after[name]} after" for name in grown(before, after)
    ]
    return {
        "scripts": count,
        "hostile": sum(each.hostile is not None for each in expected),
        "killed sandboxes": kills,
        "seconds": round(seconds, 1),
        "a minute": round(60 * count / seconds),
        "memory": memory,
        "left": after,
        "problems": problems,
    }


def _expected(number: int, chance: random.Random) -> Expected:
    if chance.random() < HOSTILE_SHARE:
        hostile = chance.choice([*THE_FORTY, *AT_THE_NEXT])
        seconds = min(HOSTILE_SECONDS, hostile.wall_seconds)
        limits = Limits(**{**_fields(LIMITS), "wall_seconds": seconds})
        source = PRELUDE + hostile.source
        job = Job(source, argv=("/nonexistent", "9", "nobody"), limits=limits)
        return Expected(number, job, hostile, 0)
    kind = number % len(HONEST)
    status = (0, number % 200, number % 7, 0 if number % 3 else 1)[kind]
    return Expected(number, Job(HONEST[kind].format(number=number), limits=LIMITS), None, status)


def _fields(limits: Limits) -> dict[str, Any]:
    return {name: getattr(limits, name) for name in Limits.__slots__}


def _problems(each: Expected, outcome: Outcome) -> Iterator[str]:
    told = f"script {each.number}: {outcome.end} {outcome.exit_status} {outcome.detail[:200]}"
    if outcome.end == "infrastructure" or not outcome.is_set_up:
        yield told
    elif each.hostile is None:
        if (outcome.exit_status, outcome.stdout) != (each.status, b"%d\n" % each.number):
            yield f"{told}, expected {each.status}, printed {outcome.stdout[:50]!r}"
    elif b"BREACH" in outcome.stdout:
        yield f"{told}, {each.hostile.name}: {outcome.stdout[-300:]!r}"
    elif outcome.end not in (*each.hostile.ends, "timeout"):
        yield f"{told}, {each.hostile.name}"
