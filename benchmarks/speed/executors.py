"""What an isolated run costs, against a bare `python -I` of the same script, in one process.

python -m benchmarks.speed.executors                     latency and throughput of the embedded
executor
python -m benchmarks.speed.executors --python PYTHON     also with numpy and pandas, installed there
python -m benchmarks.speed.executors --soak 20000        and a soak, one script in twenty hostile
python -m benchmarks.speed.executors --executor docker   in a container, also against `docker run`
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.executor_pool import Pool
from slicefunc.verifier.execution.executors.interface import Executor, Job, Limits, Profile

from ..common.report import machine, median, percentile, table, write_result
from .executors_docker import against_docker_run
from .executors_soak import soak

TRIVIAL = "print(sum(range(10)))"
SCIENTIFIC = """
import numpy, pandas
print(pandas.DataFrame({"a": numpy.arange(10)})["a"].sum())
"""
WARM_UP = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print a report, write the result; 1 where the soak found something."""
    options = _parser().parse_args(arguments)
    choice = choose(wanted=options.executor)
    result: dict[str, object] = {
        "machine": machine(),
        "executor": choice.name,
        "protections": choice.capabilities.protections,
        "lacks": choice.capabilities.missing_protections,
    }
    latencies = [_latency(choice.make(), Profile(), TRIVIAL, options.rounds)]
    if options.python is not None:
        profile = Profile("scientific", python=options.python)
        rounds = max(WARM_UP, options.rounds // 4)
        latencies.append(_latency(choice.make(), profile, SCIENTIFIC, rounds))
    result["latency"] = latencies
    print(table(tuple(latencies[0]), [tuple(each.values()) for each in latencies]), flush=True)
    if choice.name == "docker":
        result["docker run"] = against_docker_run(choice.make(), TRIVIAL, options.rounds)
        print(json.dumps(result["docker run"]), flush=True)
    with Pool(choice.make, options.workers, Profile()) as pool:
        result["throughput"] = _throughput(pool, options.workers, options.scripts)
        print(json.dumps(result["throughput"]), flush=True)
    problems: list[str] = []
    if options.soak:
        told = soak(choice.make, options.soak, options.workers, random.Random(options.seed))
        result["soak"] = told
        problems = told["problems"]
        print(json.dumps(told, indent=1))
    if options.json:
        write_result("executors", result)
    return 1 if problems else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--executor", help="this one instead of the first that works")
    parser.add_argument("--python", type=Path, help="interpreter that has numpy and pandas")
    parser.add_argument("--rounds", type=int, default=100, help="pairs of runs for the latency")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scripts", type=int, default=500, help="scripts for the throughput")
    parser.add_argument("--soak", type=int, default=0, metavar="N", help="scripts of the soak")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="write results/executors.json")
    return parser


def _latency(executor: Executor, profile: Profile, source: str, rounds: int) -> dict[str, object]:
    """Pairs of an isolated and a bare run, one after the other, so that both see the same noise."""
    python = str((profile.python or Path(sys.executable)).absolute())
    started = time.perf_counter()
    executor.start(profile)
    start = time.perf_counter() - started
    isolated: list[float] = []
    bare: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "script.py")
        script.write_text(source, encoding="utf-8")
        for _ in range(rounds + WARM_UP):
            began = time.perf_counter()
            outcome = executor.run(Job(source, limits=Limits(wall_seconds=60)))
            middle = time.perf_counter()
            done = subprocess.run(
                [python, "-I", str(script)], capture_output=True, env={}, cwd=folder, check=True
            )
            bare.append(time.perf_counter() - middle)
            isolated.append(middle - began)
            assert outcome.is_set_up
            assert outcome.stdout == done.stdout
    executor.close()
    isolated, bare = isolated[WARM_UP:], bare[WARM_UP:]
    ratios = [mine / theirs for mine, theirs in zip(isolated, bare, strict=True)]
    return {
        "profile": profile.name,
        "start s": round(start, 2),
        "isolated ms": round(1000 * median(isolated), 2),
        "p95 ms": round(1000 * percentile(isolated, 95), 2),
        "bare ms": round(1000 * median(bare), 2),
        "ratio of medians": round(median(isolated) / median(bare), 3),
        "median of ratios": round(median(ratios), 3),
    }


def _throughput(pool: Pool, workers: int, scripts: int) -> dict[str, object]:
    """Scripts a minute, beside as many bare processes started one after the other for a while."""
    jobs = [Job(f"print({number})") for number in range(scripts)]
    began = time.perf_counter()
    shown = [int(outcome.stdout) for outcome in pool.run_all(jobs)]
    seconds = time.perf_counter() - began
    assert shown == list(range(scripts))
    bare = max(10, scripts // 10)
    began = time.perf_counter()
    running: list[subprocess.Popen[bytes]] = []
    for number in range(bare):
        words = [sys.executable, "-I", "-c", f"print({number})"]
        running.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, env=os.environ))
        if len(running) == workers:
            running.pop(0).wait()
    for process in running:
        process.wait()
    bare_seconds = time.perf_counter() - began
    return {
        "workers": workers,
        "scripts": scripts,
        "a minute": round(60 * scripts / seconds),
        "bare a minute": round(60 * bare / bare_seconds),
        "times bare": round(scripts / seconds / (bare / bare_seconds), 2),
    }


if __name__ == "__main__":
    sys.exit(main())
