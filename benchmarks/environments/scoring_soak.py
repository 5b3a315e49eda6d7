"""A soak of the scorer: many candidates, some that cheat, while workers are killed with -9.

The target is that of the cheats. Every honest candidate that does not pass shows its number in its
verdict, so one that is lost or belongs to another candidate shows.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Case, Executor, Limits, Profile
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record
from slicefunc.verifier.scoring.score import Candidate, Scorer
from slicefunc.verifier.scoring.verdict import Score

from tests.verifier.scoring.cheats import CASES, CHEATS, INDEPENDENT, PATH, RIGHT, TARGET

from ..common.leftovers import grown, kill, left_after, left_behind, used_memory
from ..common.report import Progress

HOSTILE_SHARE = 0.05
KILL_EVERY = 100
"""One worker is killed for about so many candidates."""
LIMITS = Limits(wall_seconds=10, cpu_seconds=5)
_RIGHT = RIGHT.replace("    HISTORY.append(total)\n", "")
_RETURN = "return Receipt(total, "
_STEP = 1_000_003


@dataclass(frozen=True, slots=True)
class Expected:
    """A candidate, the verdicts that are right, and what must be told with them."""

    candidate: Candidate
    verdicts: frozenset[str]
    told: str = ""
    is_hostile: bool = False


def soak(count: int, jobs: int, wanted: str | None, chance: random.Random) -> dict[str, Any]:
    """Score the candidates, and report every problem and what is left."""
    before = left_behind()
    choice = choose(wanted=wanted)
    executors: list[Executor] = []

    def make() -> Executor:
        executors.append(choice.make())
        return executors[-1]

    oracle = _oracle(choice.make())
    expected = [_expected(number, chance) for number in range(count)]
    problems: list[str] = []
    verdicts: Counter[str] = Counter()
    memory: list[dict[str, int]] = []
    kills = 0
    progress = Progress("scoring soak", count)
    began = time.monotonic()
    with Scorer(oracle, jobs=jobs, limits=LIMITS, make=make) as scorer:
        scores = scorer.score_all(each.candidate for each in expected)
        for number, (each, score) in enumerate(zip(expected, scores, strict=True)):
            problems += _problems(each, score)
            verdicts[f"{'hostile ' if each.is_hostile else ''}{score.verdict}"] += 1
            progress.advance()
            if number % max(1, count // 10) == count // 20:
                memory.append(used_memory())
            if chance.random() < 1 / KILL_EVERY:
                kills += kill(chance.choice(executors), chance)
    seconds = time.monotonic() - began
    lost = sum(count for verdict, count in verdicts.items() if "infrastructure" in verdict)
    if lost > kills // 2:  # a candidate that has lost two workers has no verdict, and says so
        problems.append(f"{lost} candidates without a verdict, {kills} killed processes")
    after = left_after(before)
    problems += [
        f"{name}: {before[name]} before, {after[name]} after" for name in grown(before, after)
    ]
    return {
        "executor": choice.name,
        "candidates": count,
        "hostile": sum(each.is_hostile for each in expected),
        "killed processes": kills,
        "verdicts": dict(sorted(verdicts.items())),
        "seconds": round(seconds, 1),
        "a_second": round(count / seconds, 1),
        "memory": memory,
        "left": after,
        "problems": problems,
    }


def _oracle(executor: Executor) -> Oracle:
    cases = [Case(f"case_{i}", f"def case_{i}():\n    {body}\n") for i, body in enumerate(CASES)]
    executor.start(Profile())
    try:
        oracle, rejected = record(executor.run, Oracle(INDEPENDENT, PATH, TARGET, ()), cases)
    finally:
        executor.close()
    assert not rejected
    return oracle


def _expected(number: int, chance: random.Random) -> Expected:
    name = f"candidate {number}"
    if chance.random() < HOSTILE_SHARE:
        cheat = chance.choice(CHEATS)
        # a machine under load may not let it finish; that is no pass either
        verdicts = cheat.verdicts | {"timeout"}
        return Expected(Candidate(f"{name}, {cheat.name}", cheat.text), verdicts, is_hostile=True)
    match number % 5:
        case 0 | 1:
            return Expected(Candidate(name, f"# {number}\n{_RIGHT}"), frozenset({"passed"}))
        case 2 | 3:
            wrong = number * _STEP
            text = _RIGHT.replace(_RETURN, f"return Receipt(total * 0 + {wrong} + 1, ")
            return Expected(Candidate(name, text), frozenset({"failed"}), str(wrong + 1))
        case _:
            text = f"raise RuntimeError('number {number}.')\n{_RIGHT}"
            return Expected(Candidate(name, text), frozenset({"error"}), f"number {number}.")


def _problems(each: Expected, score: Score) -> Iterator[str]:
    told = f"{each.candidate.name}: {score.candidate}, {score.verdict}: {score.reason[:200]}"
    difference = score.first_difference
    shown = f"{score.reason} {difference.observed if difference else ''}"
    is_right = score.verdict in each.verdicts and each.told in shown
    if score.verdict == "infrastructure" and score.candidate == each.candidate.name:
        return  # counted, and held against the kills
    if score.candidate != each.candidate.name or not is_right:
        yield told
    elif score.verdict == "passed" and score.cases_passed != len(CASES):
        yield f"{told} in {score.cases_passed} cases"
