"""Time that the harness takes for a sample, and what a rerun and a killed run ask for again.

python -m benchmarks.evaluation.overhead DATASET [--environments 40] [--kills 10] [-o overhead.json]

The endpoint is left out: all answers come from the cache. A sample's own share is the difference
of a run with 21 samples of each environment and one with a single one, by the 20 samples that are
more: simulated models repeat themselves, so no further candidate is scored.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.common.report import median

_MORE = 21
_SLICE_FUNC = str(Path(sys.executable).with_name("slice-func"))


@contextmanager
def simulated(dataset: str) -> Generator[str]:
    """Serve simulated models; yield the address."""
    words = [_SLICE_FUNC, "eval", "simulate", dataset, "--port", "0"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        for line in process.stderr:
            found = re.search(r"http://\S+/v1", line)
            if found:
                yield found[0]
                return
        raise SystemExit("the simulated models do not start")
    finally:
        process.terminate()
        process.wait()


def counts(url: str) -> dict[str, int]:
    """Return how many requests the service had."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/counts") as answer:
        return json.load(answer)


def command(given: argparse.Namespace, url: str, place: Path, name: str, n: int) -> list[str]:
    """Return the command of a run."""
    return [
        _SLICE_FUNC, "eval", given.dataset, "--model", given.model, "--base-url", url,
        "--limit", str(given.environments), "-n", str(n), "-q", "--json", "--resume",
        "--llm-cache", str(place / "answers.sqlite"), "-o", str(place / name),
    ]  # fmt: skip


def timed(words: Sequence[str]) -> float:
    """Return the seconds that a command takes.

    Raises:
        CalledProcessError: it fails.
    """
    start = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def overhead(given: argparse.Namespace, url: str, place: Path) -> dict[str, Any]:
    """Return the time of a sample, and what a rerun asks for."""
    timed(command(given, url, place, "first", _MORE))
    before = counts(url)["requests"]
    shares: list[float] = []
    for turn in range(3):
        many = timed(command(given, url, place, f"many{turn}", _MORE))
        one = timed(command(given, url, place, f"one{turn}", 1))
        shares.append(1000 * (many - one) / (given.environments * (_MORE - 1)))
    first = (place / "first" / "samples.parquet").read_bytes()
    again = (place / "many0" / "samples.parquet").read_bytes()
    return {
        "environments": given.environments,
        "samples": given.environments * _MORE,
        "ms_a_sample": round(median(shares), 2),
        "ms_of_each_turn": [round(each, 2) for each in shares],
        "requests_of_reruns": counts(url)["requests"] - before,
        "is_same_bytes": first == again,
    }


def kills(given: argparse.Namespace, url: str, place: Path) -> dict[str, Any]:
    """Kill a run again and again; return what was asked twice, and whether the result is whole."""
    chance = random.Random(0)
    before = counts(url)
    words = command(given, url, place, "killed", 4)
    words[words.index(given.model)] = "gold-0.5"
    done = 0
    for _ in range(given.kills):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(chance.uniform(1.0, 6.0))
            break
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            done += 1
    timed(words)
    after = counts(url)
    words[words.index(str(place / "killed"))] = str(place / "whole")
    timed(words)
    killed = (place / "killed" / "samples.parquet").read_bytes()
    whole = (place / "whole" / "samples.parquet").read_bytes()
    sent = after["requests"] - before["requests"]
    distinct = after["distinct"] - before["distinct"]
    return {
        "kills": done,
        "requests": sent,
        "distinct": distinct,
        "in_flight_at_a_kill": sent - distinct,
        "is_same_bytes_as_unkilled": killed == whole,
    }


def main() -> int:
    """Run the benchmark; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("dataset")
    parser.add_argument("--model", default="gold-1")
    parser.add_argument("--environments", type=int, default=40)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, simulated(given.dataset) as url:
        found = {
            "overhead": overhead(given, url, Path(folder)),
            "kills": kills(given, url, Path(folder)),
        }
    print(json.dumps(found, indent=1))
    if given.output:
        given.output.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
