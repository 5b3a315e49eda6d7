"""Whether consumers give what an export promises: 1 to the original, 0 to an empty body.

Each consumer is installed in an environment of its own, in the release and under the Python that
the format names, and asked by a script of `export_children`.

python -m benchmarks.datasets.exports DATASET --format inspect    one format, 20 environments
python -m benchmarks.datasets.exports DATASET                     all of them
python -m benchmarks.datasets.exports DATASET --newest            their newest releases
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.exports import FORMATS, exporter_named
from slicefunc.driver.datasets.exports.answers import empty_definition
from slicefunc.driver.datasets.exports.exporter import Consumer
from slicefunc.driver.datasets.exports.task_files import fenced
from slicefunc.driver.datasets.exports.write_export import write_export
from slicefunc.driver.datasets.storage.dataset import Dataset, open_dataset
from slicefunc.driver.record.environment_files import write_environment
from slicefunc.driver.settings.cache_folders import cache_folder
from slicefunc.verifier.execution.environments.installer.pythons import find_python

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks/results/exports.json"
CHILDREN = Path(__file__).with_name("export_children")
WITH: dict[str, tuple[str, ...]] = {
    "nemo-gym": ("--python-version", "3.13.14"),  # the patch release that it asks for
}
"""Further words for pip, by format."""

UNPUBLISHED = frozenset({"repost"})
"""Formats whose consumer is no distribution; a script does what it does."""


def main() -> int:
    """Run the formats, and return 1 where one misses a reward."""
    given = _arguments()
    dataset = open_dataset(given.dataset)
    missed = False
    for name in given.format or FORMATS:
        if not exporter_named(name).consumers:
            continue
        found = _tried(dataset, name, given)
        print(f"{name}: {json.dumps(found)}", flush=True)
        results: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        results[name] = found
        RESULTS.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n")
        missed |= found["gold"] != found["environments"] or found["empty"] != 0
    return int(missed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("dataset", help="a dataset, or a folder of environments")
    parser.add_argument("--format", action="append", choices=FORMATS, help="(repeatable)")
    parser.add_argument("--limit", type=int, default=20, help="environments (default 20)")
    parser.add_argument("--newest", action="store_true", help="the newest release of each consumer")
    parser.add_argument(
        "--work", type=Path, default=ROOT / ".work/exports", help="for environments"
    )
    return parser.parse_args()


def _tried(dataset: Dataset, name: str, given: argparse.Namespace) -> dict[str, Any]:
    """Install a consumer, export to it, and ask it for rewards."""
    (consumer, *_) = exporter_named(name).consumers
    place: Path = given.work / name
    for made in ("export", "environments"):
        shutil.rmtree(place / made, ignore_errors=True)
    place.mkdir(parents=True, exist_ok=True)
    count = write_export(dataset, name, place / "export", limit=given.limit)
    python = _installed(name, consumer, place, is_newest=given.newest)
    candidates = place / "candidates.jsonl"
    ids = _write_candidates(dataset, candidates, place / "environments", count)
    start = time.monotonic()
    rewards = _answers(python, name, place)
    return {
        "consumer": consumer.distribution,
        "release": consumer.release
        if name in UNPUBLISHED
        else _run(python, "-c", _RELEASE, consumer.distribution).strip(),
        "python": _run(
            python, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])"
        ).strip(),
        "slice_func": version("slice-func"),
        "environments": len(ids),
        "gold": sum(each == 1 for each in rewards.pop("gold")),
        "empty": sum(each != 0 for each in rewards.pop("empty")),
        "seconds": round(time.monotonic() - start, 1),
        **rewards,
    }


_RELEASE = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"


def _installed(name: str, consumer: Consumer, place: Path, *, is_newest: bool) -> Path:
    """Return the interpreter of an environment with the consumer, the export and this tool."""
    environment = place / "venv"
    python = environment / "bin/python"
    base = find_python(f"=={consumer.python}.*", cache_folder() / "environments")
    if base is None:
        raise SystemExit(f"benchmarks: {name} needs Python {consumer.python}")
    if not python.exists():
        _uv("venv", "-q", "-p", str(base), str(environment))
    release = "" if is_newest else f"=={consumer.release}"
    export = place / "export"
    wanted = [f"{consumer.distribution}{release}", *WITH.get(name, ())]
    if name in UNPUBLISHED:
        wanted = ["-r", str(export / "requirements.txt")]
    _uv("pip", "install", "-q", "-p", str(python), "-e", f"{ROOT}[datasets]", *wanted)
    if (export / "pyproject.toml").exists():
        _uv("pip", "install", "-q", "-p", str(python), "--reinstall", "--no-deps", str(export))
    return python


def _write_candidates(dataset: Dataset, file: Path, folder: Path, count: int) -> list[str]:
    """Write environments, and a line for each: its id, the original, an empty body."""
    folder.mkdir(parents=True)
    rows = [row for row, _ in zip(dataset.rows(), range(count), strict=False)]
    lines: list[dict[str, str]] = []
    for row in rows:
        environment = dataset.environment(row.id)
        write_environment(folder / row.id, environment)
        empty = empty_definition(row, environment) or f"{row.signature}\n    pass"
        lines.append({"id": row.id, "gold": fenced(row.code), "empty": fenced(empty)})
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return [row.id for row in rows]


def _answers(python: Path, name: str, place: Path) -> dict[str, Any]:
    """Return what the format's script prints last: rewards by kind of candidate."""
    child = CHILDREN / f"{name.replace('-', '_')}_child.py"
    given = (place / "export", place / "candidates.jsonl", place / "environments")
    printed = _run(python, str(child), *map(str, given))
    return json.loads(printed.splitlines()[-1])


def _run(python: Path, *words: str) -> str:
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    return _output([str(python), *words], env={**os.environ, "PATH": path})


def _uv(*words: str) -> None:
    _output([sys.executable, "-m", "uv", *words])


def _output(command: Sequence[str], env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"benchmarks: status {done.returncode} from {' '.join(command)}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
