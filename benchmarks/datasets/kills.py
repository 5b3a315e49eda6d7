"""Kill a build again and again, and look whether a row is lost or doubled.

    python -m benchmarks.datasets.kills --kills 50 --seed 0

A repository of small functions is built once in peace, and once while the driver, a worker or a
program in a sandbox is ended with -9 at random times; each time the same command with `--resume`
goes on. The two datasets must hold the same bytes, but for the file with the times.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from slicefunc.driver.datasets.storage.dataset import open_built

from ..common.report import machine, write_result
from ..sources.sdists import DEFAULT_WORK

FUNCTIONS = 40
_FUNCTION = '''

def scaled_{n}(value: int, limit: int = {n}) -> int:
    """Add {n} to small values, and take it from others."""
    if value < limit:
        return value + {n}
    return value - {n} * {m}
'''


@dataclass(slots=True)
class Killed:
    """What was ended, and what came of it."""

    kills: Counter[str] = field(default_factory=Counter[str])
    starts: int = 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; its status is 1 if the datasets differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    options = parser.parse_args(argv)
    place = options.work / "kills"
    shutil.rmtree(place, ignore_errors=True)
    plan = _repository(place)
    os.environ["SLICE_FUNC_CACHE"] = str(place / "cache")
    peace, war = place / "in-peace", place / "killed"
    started = time.monotonic()
    _command(plan, peace, options.jobs).wait()
    killed = _with_kills(plan, war, options)
    rows = Counter(f"{row.path}::{row.qualname}" for row in open_built(str(war)).functions())
    wanted = Counter(f"{row.path}::{row.qualname}" for row in open_built(str(peace)).functions())
    before, after = _digests(peace), _digests(war)
    differ = sorted(name for name in before if before[name] != after.get(name))
    result = {
        "kills": dict(sorted(killed.kills.items())),
        "starts": killed.starts,
        "functions": wanted.total(),
        "lost": (wanted - rows).total(),
        "doubled": (rows - wanted).total(),
        "files_that_differ": differ,
        "seconds": round(time.monotonic() - started, 1),
        "machine": machine(),
    }
    print(json.dumps(result, indent=2))
    write_result("dataset-kills", result)
    return 1 if result["lost"] or result["doubled"] or differ else 0


def _repository(place: Path) -> Path:
    """Write the repository and the list that names it; return the list."""
    folder = place / "scales"
    folder.mkdir(parents=True)
    text = '"""Small functions."""\n'
    for n in range(1, FUNCTIONS + 1):
        text += _FUNCTION.format(n=n, m=n % 7 + 2)
    (folder / "scales.py").write_text(text)
    plan = place / "repos.jsonl"
    plan.write_text(json.dumps({"repo": "benchmarks/scales", "source": str(folder)}) + "\n")
    return plan


def _command(plan: Path, output: Path, jobs: int, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "slicefunc.driver.cli.command", "build", plan, "-o", output]
    more = ["--jobs", str(jobs), "--keep-duplicates", "--quiet", *words]
    return subprocess.Popen([*map(str, command), *more])


def _with_kills(plan: Path, output: Path, options: argparse.Namespace) -> Killed:
    """Build with kills, until the dataset is there."""
    chance = random.Random(options.seed)
    killed = Killed()
    process = _command(plan, output, options.jobs, "--resume")
    killed.starts += 1
    while True:
        try:
            process.wait(chance.uniform(0.5, 6.0))
        except subprocess.TimeoutExpired:
            if killed.kills.total() < options.kills:
                killed.kills[_kill(process, chance)] += 1
            continue
        if (output / "manifest.json").exists() and process.returncode == 0:
            if killed.kills.total() >= options.kills:
                return killed
            shutil.rmtree(output)  # it was done before all kills were: once more
        process = _command(plan, output, options.jobs, "--resume")
        killed.starts += 1


def _kill(process: subprocess.Popen[bytes], chance: random.Random) -> str:
    """End the driver, or one of the processes below it; return which."""
    below = _descendants(process.pid)
    if not below or chance.random() < 0.3:
        process.kill()
        process.wait()
        return "driver"
    victim = chance.choice(below)
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return "gone"
    return "worker" if victim in _children(process.pid) else "below a worker"


def _children(process: int) -> list[int]:
    """Return the processes that any thread of a process has started; none once it has ended."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in sorted(Path(f"/proc/{process}/task").iterdir()):
            found.extend(map(int, (thread / "children").read_text().split()))
    return found


def _descendants(process: int) -> list[int]:
    children = _children(process)
    return [*children, *(each for child in children for each in _descendants(child))]


def _digests(folder: Path) -> dict[str, bytes]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {str(f.relative_to(folder)): f.read_bytes() for f in files if f.name != "costs.jsonl.gz"}


if __name__ == "__main__":
    sys.exit(main())
