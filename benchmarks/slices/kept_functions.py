"""What a change of the slicer costs: functions kept and milliseconds, over slices of real packages.

python -m benchmarks.slices.kept_functions                          every sixth function of eight
packages: minutes
python -m benchmarks.slices.kept_functions --package click --step 1 all of one
python -m benchmarks.slices.kept_functions --against FILE           beside what `--json` wrote at
another state
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from slicefunc.slicer import Repository, SliceFuncError, slice_function

from ..common.report import median, table
from ..sources.functions import functions_of
from ..sources.sdists import DEFAULT_WORK, NAMES, fetch_sdist, sdist_named

PACKAGES = ("click", "flask", "httpx", "requests", "attrs", "starlette", "werkzeug", "jinja2")
"""rich keeps most of itself, and sympy takes hours."""


class Kept(TypedDict):
    """What the slices of one package kept."""

    slices: int
    functions: float
    """Functions and methods kept, in the mean."""
    milliseconds: float
    """CPU time of a slice, the median."""
    scripts: dict[str, str]
    """Digest of each target's script, or why there is none."""


def kept(package: str, step: int, work: Path = DEFAULT_WORK) -> Kept:
    """Slice every `step`-th function of a package with one `Repository`."""
    folder = fetch_sdist(package, work)
    repository = Repository(folder)
    counts: list[int] = []
    times: list[float] = []
    scripts: dict[str, str] = {}
    for path, qualname in functions_of(sdist_named(package), folder)[::step]:
        target = f"{path}::{qualname}"
        began = time.process_time()
        try:
            made = slice_function(repository, target)
        except SliceFuncError as error:
            scripts[target] = str(error)
            continue
        times.append(1000 * (time.process_time() - began))
        scripts[target] = hashlib.sha256(made.source.encode()).hexdigest()[:16]
        counts.append(sum(d.kind in ("function", "method") for d in made.manifest.definitions))
    return {
        "slices": len(counts),
        "functions": round(statistics.fmean(counts), 2) if counts else 0.0,
        "milliseconds": round(median(times), 2),
        "scripts": scripts,
    }


def compared(now: Mapping[str, Kept], before: Mapping[str, Kept]) -> str:
    """The table of both states, as Markdown; of one where there is no other."""
    rows: list[tuple[object, ...]] = []
    for package, found in now.items():
        row: tuple[object, ...] = (package, found["slices"], found["functions"])
        if package in before:
            old = before[package]
            changed = sum(text != old["scripts"].get(t) for t, text in found["scripts"].items())
            row += (old["functions"], changed, found["milliseconds"], old["milliseconds"])
        else:
            row += ("", "", found["milliseconds"], "")
        rows.append(row)
    head = ("package", "slices", "functions", "before", "scripts changed", "ms", "before")
    return table(head, rows)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="kept", description=__doc__)
    parser.add_argument("--package", action="append", choices=NAMES, help="may be repeated")
    parser.add_argument("--step", type=int, default=6, metavar="N", help="every N-th function")
    parser.add_argument("--against", type=Path, metavar="FILE", help="what `--json` wrote before")
    parser.add_argument("--json", action="store_true", help="JSON instead of Markdown")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, metavar="FOLDER")
    given = parser.parse_args(argv)
    before: dict[str, Kept] = {}
    if given.against:
        before = json.loads(given.against.read_text(encoding="utf-8"))
    found = {name: kept(name, given.step, given.work) for name in given.package or PACKAGES}
    print(json.dumps(found, indent=1) if given.json else compared(found, before))
    return 0


if __name__ == "__main__":
    sys.exit(main())
