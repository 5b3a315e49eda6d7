"""A model of a build on many machines: who waits for whom, how long, and what breaks first.

    python -m benchmarks.datasets.cluster_model --nodes 1000 --workers 16 --functions 1000000

A discrete-event simulation of the scheduler's own policy (a worker stays with its repository, then
takes one that nobody has begun, then helps where most is left). Repositories are drawn with their
functions, and the seconds of each, from a measured run over whole repositories. A machine that
opens a repository fetches it and installs what it needs while its other workers on it wait. The
driver is one server: each result takes it some time, during which other results wait.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import sys
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..common.report import RESULTS, write_result

_ROWS = 64
"""Rows in a part of the journal."""


@dataclass(frozen=True, slots=True)
class Machines:
    """What the build runs on."""

    nodes: int
    workers: int
    """Workers of each node."""
    open_seconds: float
    """Seconds to fetch a repository and to install what it needs, on each node that opens it."""
    driver_ms: float
    """Milliseconds that the driver needs for a result."""
    dollars: float
    """Price of a worker for an hour."""


@dataclass(slots=True)
class Simulated:
    """What happened."""

    end: float = 0.0
    work: float = 0.0
    """Seconds of workers that went into functions."""
    opening: float = 0.0
    """Seconds in which workers opened repositories, or waited for others of the node that did."""
    openings: int = 0
    driver: float = 0.0
    """Seconds in which the driver was busy."""
    longest_wait: float = 0.0
    """Longest time that a finished result waited for the driver."""
    finished: list[float] = field(default_factory=list[float])


def simulate(repositories: Sequence[Sequence[float]], machines: Machines) -> Simulated:
    """Run the policy over repositories, each with the seconds of its functions."""
    waiting = deque(range(len(repositories)))
    left: dict[int, deque[float]] = {}
    largest: list[tuple[int, int]] = []
    at: dict[int, int] = {}
    ready: dict[tuple[int, int], float] = {}
    """Node and repository → when it is open there."""
    found = Simulated()
    total = machines.nodes * machines.workers
    events = [(0.0, worker) for worker in range(total)]  # when a worker has a result, or begins
    begun: set[int] = set()
    driver_free = 0.0
    while events:
        now, worker = heapq.heappop(events)
        if worker in begun:
            served = max(now, driver_free)
            found.longest_wait = max(found.longest_wait, served - now)
            now = driver_free = served + machines.driver_ms / 1000
            found.driver += machines.driver_ms / 1000
            found.finished.append(now)
        repository = _choose(at.get(worker), waiting, left, largest, repositories)
        if repository is None:
            continue
        begun.add(worker)
        seconds = left[repository].popleft()
        if left[repository]:
            heapq.heappush(largest, (-len(left[repository]), repository))
        else:
            del left[repository]
        start = now
        if at.get(worker) != repository:
            at[worker] = repository
            key = (worker // machines.workers, repository)
            if key not in ready:
                ready[key] = now + machines.open_seconds
                found.openings += 1
            start = max(now, ready[key])
            found.opening += start - now
        found.work += seconds
        heapq.heappush(events, (start + seconds, worker))
    found.end = max(found.finished, default=0.0)
    return found


def _choose(
    own: int | None,
    waiting: deque[int],
    left: dict[int, deque[float]],
    largest: list[tuple[int, int]],
    repositories: Sequence[Sequence[float]],
) -> int | None:
    """Return the repository that a worker goes on with, begins, or helps with."""
    if own is not None and own in left:
        return own
    if waiting:
        number = waiting.popleft()
        left[number] = deque(repositories[number])
        return number
    while largest:
        size, number = largest[0]
        if number in left and len(left[number]) == -size:
            return number
        heapq.heappop(largest)
        if number in left:
            heapq.heappush(largest, (-len(left[number]), number))
    return None


def drawn(functions: int, seed: int, cap: int | None) -> list[list[float]]:
    """Draw repositories, with the seconds of their functions, from the measured run."""
    record: dict[str, Any] = json.loads((RESULTS / "environments-repos-all.json").read_text())
    measured: defaultdict[str, list[float]] = defaultdict(list)
    for each in record["functions"]:
        measured[each["repository"]].append(float(each["seconds"]))
    sizes = [measured[name] for name in sorted(measured)]
    chance = random.Random(seed)
    repositories: list[list[float]] = []
    number = 0
    while number < functions:
        seconds = list(chance.choice(sizes))
        chance.shuffle(seconds)
        seconds = seconds[: min(cap or len(seconds), functions - number)]
        repositories.append(seconds)
        number += len(seconds)
    return repositories


def summary(found: Simulated, machines: Machines, functions: int) -> dict[str, Any]:
    """Return what a run says, in the units of people."""
    workers = machines.nodes * machines.workers
    ends = sorted(found.finished)
    return {
        "workers": workers,
        "functions": functions,
        "hours": round(found.end / 3600, 3),
        "hours if nobody waited": round(found.work / workers / 3600, 3),
        "share of linear": round(found.work / workers / found.end, 3),
        "share of time that goes into opening": round(found.opening / workers / found.end, 3),
        "openings": found.openings,
        "minutes from 99 % to the end": round((found.end - ends[int(len(ends) * 0.99)]) / 60, 2),
        "driver busy": round(found.driver / found.end, 3),
        "longest wait for the driver, s": round(found.longest_wait, 3),
        "results a second": round(functions / found.end, 1),
        "writes to the store a second": round(functions / _ROWS / found.end, 2),
        "dollars": round(workers * found.end / 3600 * machines.dollars, 2),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print what the model says of one cluster, and of the driver of before."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=16, help="of each node")
    parser.add_argument("--functions", type=int, default=1_000_000)
    parser.add_argument("--cap", type=int, help="functions of a repository")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--open-seconds", type=float, default=60.0)
    parser.add_argument("--driver-ms", type=float, nargs="+", default=[0.3, 3.3])
    parser.add_argument("--dollars", type=float, default=0.02, help="a worker an hour")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    repositories = drawn(options.functions, options.seed, options.cap)
    results: list[dict[str, Any]] = []
    for driver_ms in options.driver_ms:
        machines = Machines(
            options.nodes, options.workers, options.open_seconds, driver_ms, options.dollars
        )
        found = summary(simulate(repositories, machines), machines, options.functions)
        results.append({"driver ms": driver_ms, "repositories": len(repositories), **found})
        print(json.dumps(results[-1], indent=2))
    if options.write:
        write_result("cluster-model", {"runs": results}, Path(RESULTS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
