"""How a build scales: one worker, two, and two nodes of a Ray cluster with one worker each.

    python -m benchmarks.datasets.scaling REPOS.jsonl [--limit 24] [--write]

Each way builds the same functions, from an empty place and with a warm cache: what is installed was
installed by a first build, which is not timed. The datasets must hold the same bytes, but for the
file with the times. Ray's overhead is that of a task that has next to nothing to do (a repository
that is not there), against a worker of this machine. How many processors were busy is what the
machine says of all its processes: two workers gain no more than is left beside one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.building.build import Build, build
from slicefunc.driver.datasets.building.engines.engine import Engine
from slicefunc.driver.datasets.building.engines.local_engine import LocalEngine
from slicefunc.driver.datasets.building.engines.ray_engine import RayEngine
from slicefunc.driver.datasets.building.plan import RepositoryPlan, read_plan
from slicefunc.driver.datasets.building.tasks import BuildOptions, Made, Survey, Surveyed
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.settings.options import Options, Verification

from ..common.report import machine, table, write_result

_TIMES = "costs.jsonl.gz"
_TASKS = 200
_SECONDS = 240.0


class _Unwatched:
    """A watcher that shows nothing."""

    def begin(self, plans: Sequence[RepositoryPlan], done: int, environments: int) -> None:
        """Nothing to do."""

    def surveyed(self, found: Surveyed) -> None:
        """Nothing to do."""

    def made(self, found: Made) -> None:
        """Nothing to do."""


Ways = dict[str, tuple[int, Callable[[BuildOptions], Engine]]]


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmark; its status is 1 if the datasets differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("plan", metavar="REPOS.jsonl", type=Path)
    parser.add_argument("--limit", type=int, default=24, help="number of functions")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args(words)
    plans = read_plan(arguments.plan)
    with tempfile.TemporaryDirectory() as folder, _cluster() as address:
        ways: Ways = {
            "not timed": (2, lambda options: LocalEngine(options, 2)),
            "1 worker": (1, lambda options: LocalEngine(options, 1)),
            "2 workers": (2, lambda options: LocalEngine(options, 2)),
            "2 Ray nodes": (2, lambda options: RayEngine(options, address, None)),
        }
        seconds: dict[str, float] = {}
        busy: dict[str, float] = {}
        contents: dict[str, dict[str, bytes]] = {}
        for name, (_, make) in ways.items():
            place = Path(folder, name.replace(" ", "-"))
            work = Build(plans, _options(), Store.at(str(place)), limit=arguments.limit)
            start, worked = time.monotonic(), _processor_seconds()
            build(work, make, _Unwatched())
            seconds[name], contents[name] = time.monotonic() - start, _content(place)
            busy[name] = (_processor_seconds() - worked) / seconds[name]
        overhead = {name: _round_trip(ways[name][1]) for name in ("1 worker", "2 Ray nodes")}
    del seconds["not timed"], busy["not timed"]
    alone = seconds["1 worker"]
    result: dict[str, Any] = {
        "functions": arguments.limit,
        "seconds": {name: round(found, 1) for name, found in seconds.items()},
        "functions_a_minute": {
            name: round(60 * arguments.limit / found, 2) for name, found in seconds.items()
        },
        "of_linear": {
            name: round(alone / found / ways[name][0], 3) for name, found in seconds.items()
        },
        "processors_busy": {name: round(found, 2) for name, found in busy.items()},
        "same_bytes": len({tuple(sorted(each.items())) for each in contents.values()}) == 1,
        "milliseconds_a_task": {name: round(1000 * each, 2) for name, each in overhead.items()},
        "machine": machine(),
    }
    rows = [
        [name, result["seconds"][name], result["functions_a_minute"][name],
         f"{result['of_linear'][name]:.0%}", result["processors_busy"][name]]
        for name in seconds
    ]  # fmt: skip
    heads = ["workers", "seconds", "functions a minute", "of linear", "processors busy"]
    print(table(heads, rows))
    print(f"the same dataset: {result['same_bytes']}")
    print(f"milliseconds for a task with nothing to do: {result['milliseconds_a_task']}")
    if arguments.write:
        write_result("dataset-scaling", result)
    return 0 if result["same_bytes"] else 1


def _processor_seconds() -> float:
    """Return for how long the machine's processors have worked since it was started."""
    user, nice, system, _idle, _waiting, *others = map(
        int, Path("/proc/stat").read_text().split("\n")[0].split()[1:8]
    )
    return (user + nice + system + sum(others)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _cluster() -> Generator[str]:
    """Yield the address of a cluster of two nodes with a processor each."""
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    for _ in range(2):
        cluster.add_node(num_cpus=1)
    try:
        yield cluster.address
    finally:
        ray.shutdown()
        cluster.shutdown()


def _options() -> BuildOptions:
    return BuildOptions(Options(), Verification(test=True), seconds=_SECONDS)


def _content(folder: Path) -> dict[str, bytes]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {str(f.relative_to(folder)): f.read_bytes() for f in files if f.name != _TIMES}


def _round_trip(make: Callable[[BuildOptions], Engine]) -> float:
    """Return the median time, in seconds, of a task that has next to nothing to do."""
    engine = make(_options())
    taken: list[float] = []
    try:
        for number in range(_TASKS):
            start = time.perf_counter()
            task = Survey(RepositoryPlan(f"nobody/nothing-{number}", f"/nowhere/{number}"))
            engine.submit(0, task).result()
            taken.append(time.perf_counter() - start)
    finally:
        engine.close()
    return statistics.median(taken[_TASKS // 10 :])  # the first ones start the worker


if __name__ == "__main__":
    raise SystemExit(main())
