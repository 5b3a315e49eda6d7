"""A reward service under load: scores a second, latencies, overload, killed sandboxes, memory.

python -m benchmarks.datasets.rewards                             a sum, with 128 hidden cases
python -m benchmarks.datasets.rewards DATASET [DATASET ...]       real environments besides
python -m benchmarks.datasets.rewards DATASET --seconds 60        each phase longer

Every verdict is held against what the candidate deserves. Processor time is that of the service
with its sandboxes, without the load: on a shared machine the clock on the wall says little.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.storage.dataset import open_dataset

from ..common.report import machine, percentile, table, write_result
from ..environments.scoring import write_sum
from .reward_candidates import Request, requests_of
from .reward_load import Answer, closed, mixed, open_loop
from .reward_server import Server, served

GOAL = 60.0
"""Scores a second of two workers, each with a processor of its own."""
GOAL_P99 = 1.0
LOAD = 0.8
OVERLOAD = 2.0
AT_ONCE = 8
HIDDEN = 128
QUEUE = 16
KILL_EVERY = 0.5
"""Seconds between two kills of a sandbox."""
Result = dict[str, Any]


def main() -> int:
    """Measure, print, and return 1 where a goal is missed or a verdict is wrong."""
    given = _arguments().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trivial = Path(folder) / "a sum, 10 shown and 128 hidden cases"
        trivial.mkdir()
        write_sum(trivial / "sum", HIDDEN)
        found = [_measured(place, given) for place in (trivial, *given.datasets)]
    if given.write:
        write_result("rewards", {"datasets": found, **machine()})
    print(json.dumps(found, indent=1) if given.json else "\n\n".join(map(_markdown, found)))
    return 1 if any(_problems(each) for each in found) else 0


def _measured(place: Path, given: argparse.Namespace) -> Result:
    dataset = open_dataset(place)
    requests = requests_of(dataset, given.seed)
    words = ("--workers", given.workers, "--queue", QUEUE, "--remember", 0)
    if given.candidate_seconds:
        words = (*words, "--candidate-seconds", given.candidate_seconds)
    with served(place, tuple(map(str, words))) as server:
        phases = asyncio.run(_phases(server, requests, given))
    return {
        "dataset": place.name,
        "environments": len({each.environment for each in requests}),
        "candidates": dict(Counter(each.kind for each in requests)),
        "workers": given.workers,
        **phases,
    }


async def _phases(server: Server, requests: Sequence[Request], given: argparse.Namespace) -> Result:
    chance = random.Random(given.seed)
    quick = [each for each in requests if each.kind in {"right", "wrong"}]
    # from the second use on all is compiled; and some environments are too weak for a candidate
    first = await closed(server.port, [each for each in quick for _ in range(2)], AT_ONCE)
    undeserved = {each.request for each in first if not each.is_deserved}
    quick = [each for each in quick if each not in undeserved]
    found: Result = {"undeserved": len(undeserved), "memory": [server.memory()]}
    begin, spent = time.perf_counter(), server.processor_seconds()
    answers = await closed(server.port, mixed(quick, given.count, chance), AT_ONCE)
    wall, spent = time.perf_counter() - begin, server.processor_seconds() - spent
    a_second = len(answers) / wall
    found["throughput"] = {
        "a_second": round(a_second, 1),
        "cpu_ms": round(1000 * spent / len(answers), 1),
        "a_second_of_cpu": round(given.workers * len(answers) / spent, 1),
        "processors_had": round(spent / wall, 2),
        **_counts(answers),
    }
    for name, load, sent in (
        ("80 % load", LOAD * a_second, quick),
        ("twice the load", OVERLOAD * a_second, quick),
        ("cheats and hangs among them", LOAD * a_second / 2, _with_few(requests, quick)),
    ):
        before = server.scored()
        got = await open_loop(
            server.port, mixed(sent, len(sent), chance), load, given.seconds, chance
        )
        found[name] = {
            "sent_a_second": round(load, 1),
            "counted": server.scored() - before,
            **_counts(got),
        }
        found["memory"].append(server.memory())
    killing = asyncio.create_task(_kill(server, chance))
    got = await open_loop(server.port, quick, LOAD * a_second / 2, given.seconds, chance)
    killing.cancel()
    found["sandboxes killed"] = {"kills": server.kills, **_counts(got)}
    found["memory"].append(server.memory())
    return found


def _with_few(requests: Sequence[Request], quick: Sequence[Request]) -> list[Request]:
    """Honest candidates with one hanging one and two cheats among a hundred."""
    hanging, cheats = (
        [each for each in requests if each.kind == kind] for kind in ("hanging", "cheat")
    )
    few = max(1, len(quick) // 100)
    return [*quick, *hanging[:few], *cheats[: 2 * few]]


async def _kill(server: Server, chance: random.Random) -> None:
    while True:
        await asyncio.sleep(KILL_EVERY)
        sandboxes = server.sandboxes()
        if sandboxes:
            os.kill(chance.choice(sandboxes), signal.SIGKILL)
            server.kills += 1


def _counts(answers: Sequence[Answer]) -> Result:
    """Answers by status and verdict, and what must not be: lost ones, and wrong rewards."""
    scored = [each for each in answers if each.status == 200]
    fast = [each.seconds for each in scored if each.request.kind != "hanging"]
    wrong = [each for each in scored if not each.is_deserved]
    return {
        "sent": len(answers),
        "scored": len(scored),
        "busy": sum(each.status == 429 for each in answers),
        "lost": sum(each.status not in {200, 429} for each in answers),
        "null": sum(each.body["reward"] is None for each in scored),
        "wrong": len(wrong),
        "verdicts": dict(sorted(Counter(each.body["verdict"] for each in scored).items())),
        "p50": round(percentile(fast, 50), 3),
        "p99": round(percentile(fast, 99), 3),
        "examples": [
            {"kind": each.request.kind, "text": each.request.candidate, "answer": each.body}
            for each in wrong[:3]
        ],
    }


def _problems(found: Result) -> list[str]:
    phases = {
        name: each for name, each in found.items() if isinstance(each, dict) and "sent" in each
    }
    problems = [
        f"{name}: {each[what]} {what}"
        for name, each in phases.items()
        for what in ("lost", "wrong")
        if each.get(what)
    ]
    if found["throughput"]["a_second_of_cpu"] < GOAL:
        problems.append(f"fewer than {GOAL:g} scores a second")
    if found["80 % load"]["p99"] > GOAL_P99:
        problems.append(f"p99 above {GOAL_P99:g} s at 80 % load")
    overload = found["twice the load"]
    if not overload["busy"] or overload["counted"] != overload["scored"]:
        problems.append("overload is not answered, or accepted candidates are not")
    return problems


def _markdown(found: Result) -> str:
    throughput = found["throughput"]
    columns = ("sent", "scored", "busy", "lost", "null", "wrong", "p50", "p99")
    rows = [
        [name, *(each[column] for column in columns)]
        for name, each in found.items()
        if isinstance(each, dict) and "sent" in each
    ]
    lines = [
        f"{found['dataset']}: {found['environments']} environments, {found['workers']} workers",
        f"{throughput['a_second']} scores a second on the wall with "
        f"{throughput['processors_had']} processors; {throughput['cpu_ms']} ms of processor time "
        f"each, so {throughput['a_second_of_cpu']} a second with a processor for each worker",
        "",
        table(("phase", *columns), rows),
        "",
        "memory, MiB: " + "; ".join(json.dumps(each) for each in found["memory"]),
        *(f"problem: {each}" for each in _problems(found)),
    ]
    return "\n".join(lines)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, prog="python -m benchmarks.datasets.rewards"
    )
    parser.add_argument("datasets", metavar="DATASET", type=Path, nargs="*")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--count", type=int, default=600, help="candidates of the first phase")
    parser.add_argument("--seconds", type=float, default=15, help="of each further phase")
    parser.add_argument("--candidate-seconds", type=int, help="as of the service")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="to benchmarks/results")
    return parser


if __name__ == "__main__":
    sys.exit(main())
