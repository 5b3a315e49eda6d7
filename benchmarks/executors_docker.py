"""The Docker executor against `docker run` for each script, with the same image and hardening."""

from __future__ import annotations

import os
import subprocess
import time

from slicefunc.verifier.executors.docker_client import connect
from slicefunc.verifier.executors.docker_image import find_image
from slicefunc.verifier.executors.interface import Executor, Job, Profile
from slicefunc.verifier.executors.interpreters import find_interpreter

from .report import median, percentile

MOST_ROUNDS = 30
WARM_UP = 2
SETTLING_SECONDS = 0.3
"""After the command has returned, the daemon still takes its container down."""
RUNS_A_ROUND = 5


def against_docker_run(executor: Executor, source: str, rounds: int) -> dict[str, object]:
    """Rounds of one run by the command and some by the executor: both see the same noise."""
    executor.start(Profile())
    words = [*_command(), source]
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(min(rounds, MOST_ROUNDS) + WARM_UP):
        began = time.perf_counter()
        done = subprocess.run(words, capture_output=True, check=True, env=_environment())
        theirs.append(time.perf_counter() - began)
        time.sleep(SETTLING_SECONDS)
        runs: list[float] = []
        for _ in range(RUNS_A_ROUND):
            began = time.perf_counter()
            outcome = executor.run(Job(source))
            runs.append(time.perf_counter() - began)
            assert outcome.is_set_up
            assert outcome.stdout == done.stdout
        ours.append(median(runs))
    executor.close()
    ours, theirs = ours[WARM_UP:], theirs[WARM_UP:]
    ratios = [command / mine for mine, command in zip(ours, theirs, strict=True)]
    return {
        "rounds": len(ours),
        "isolated ms": round(1000 * median(ours), 2),
        "p95 ms": round(1000 * percentile(ours, 95), 2),
        "docker run ms": round(1000 * median(theirs), 1),
        "p10 ms": [round(1000 * percentile(each, 10), 2) for each in (ours, theirs)],
        "times faster, of p10": round(percentile(theirs, 10) / percentile(ours, 10), 1),
        "times faster, of medians": round(median(theirs) / median(ours), 1),
        "times faster, median of ratios": round(median(ratios), 1),
    }


def _command() -> list[str]:
    """`docker run` of the interpreter, as hardened as people do it by hand."""
    client = connect()
    image = find_image(client, find_interpreter(None), Profile())
    client.close()
    words = [
        "docker", "run", "--rm", "--network", "none", "--read-only", "--cap-drop", "ALL",
        "--security-opt", "no-new-privileges", "--pids-limit", "128", "-m", "2g",
        "--log-driver", "none", "--user", "1000:1000",
    ]  # fmt: skip
    for folder in image.shown:
        words += ["-v", f"{folder}:{folder}:ro"]
    return [*words, image.name, str(image.interpreter.executable), "-I", "-c"]


def _environment() -> dict[str, str]:
    names = ("PATH", "HOME", "DOCKER_HOST")
    return {name: os.environ[name] for name in names if name in os.environ}
