"""The Docker executor against `docker run` for each script, with the same image and script.

Two ways to ask: one at a time, each after a pause in which the daemon takes the last container down
and we make the next script's tree; and one after the other without a pause, where all that counts.
Two commands: hardened as people do it by hand, and with nothing but the image.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable

from slicefunc.verifier.execution.executors.docker.docker_client import connect
from slicefunc.verifier.execution.executors.docker.docker_image import find_image
from slicefunc.verifier.execution.executors.host.interpreters import find_interpreter
from slicefunc.verifier.execution.executors.interface import Executor, Job, Profile

from ..common.report import median, percentile

MOST_ROUNDS = 20
WARM_UP = 2
SETTLING_SECONDS = 0.3
"""After the command has returned, the daemon still takes its container down; before each round."""
RUNS_A_ROUND = 5
HARDENED = (
    "--network", "none", "--read-only", "--cap-drop", "ALL",
    "--security-opt", "no-new-privileges", "--pids-limit", "128", "-m", "2g",
    "--log-driver", "none", "--user", "1000:1000",
)  # fmt: skip

Ways = dict[str, Callable[[], None]]
Times = dict[str, list[float]]


def against_docker_run(executor: Executor, source: str, rounds: int) -> dict[str, object]:
    """Rounds of some runs by each way: all see the same noise."""
    executor.start(Profile())
    shown = executor.run(Job(source)).stdout

    def ours() -> None:
        outcome = executor.run(Job(source))
        assert outcome.is_set_up
        assert outcome.stdout == shown

    def command(*options: str) -> Callable[[], None]:
        words = [*_command(options), source]

        def run() -> None:
            done = subprocess.run(words, capture_output=True, check=True, env=_environment())
            assert done.stdout == shown

        return run

    ways: Ways = {"executor": ours, "hardened": command(*HARDENED), "plain": command()}
    rounds = min(rounds, MOST_ROUNDS)
    paused = _times(ways, rounds, 1)
    unpaused = _times(ways, max(1, rounds // RUNS_A_ROUND), RUNS_A_ROUND)
    executor.close()
    return {"rounds": rounds, "one at a time": _told(paused), "without a pause": _told(unpaused)}


def _times(ways: Ways, rounds: int, runs: int) -> Times:
    """Seconds of a run, the mean of those in a round; the first rounds do not count."""
    times: Times = {name: [] for name in ways}
    for number in range(rounds + WARM_UP):
        for name, run in ways.items():
            time.sleep(SETTLING_SECONDS)  # whoever was before us
            began = time.perf_counter()
            for _ in range(runs):
                run()
            if number >= WARM_UP:
                times[name].append((time.perf_counter() - began) / runs)
    return times


def _told(times: Times) -> dict[str, object]:
    ours = times["executor"]
    told: dict[str, object] = {"executor ms": _milliseconds(ours)}
    for name in ("hardened", "plain"):
        theirs = times[name]
        ratios = [command / mine for mine, command in zip(ours, theirs, strict=True)]
        told[f"docker run, {name} ms"] = _milliseconds(theirs)
        told[f"times faster than {name}"] = {
            "of medians": round(median(theirs) / median(ours), 1),
            "median of ratios": round(median(ratios), 1),
            "of p10": round(percentile(theirs, 10) / percentile(ours, 10), 1),
        }
    return told


def _milliseconds(times: list[float]) -> dict[str, float]:
    return {
        "median": round(1000 * median(times), 2),
        "p10": round(1000 * percentile(times, 10), 2),
        "p95": round(1000 * percentile(times, 95), 2),
    }


def _command(options: tuple[str, ...]) -> list[str]:
    """`docker run` of the interpreter in our image."""
    client = connect()
    image = find_image(client, find_interpreter(None), Profile())
    client.close()
    words = ["docker", "run", "--rm", *options]
    for folder in image.shown:
        words += ["-v", f"{folder}:{folder}:ro"]
    return [*words, image.name, str(image.interpreter.executable), "-I", "-c"]


def _environment() -> dict[str, str]:
    names = ("PATH", "HOME", "DOCKER_HOST")
    return {name: os.environ[name] for name in names if name in os.environ}
