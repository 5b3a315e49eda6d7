"""The same bytes whatever the hash seed, the order of directory listings, and the place on disk.

    python -m benchmarks.slices.determinism               30 targets of each package (of sympy 2),
    ten
                                                   hash seeds; resumable, package by package
    python -m benchmarks.slices.determinism --targets 5   fewer

For each seed one process slices all targets: it has that hash seed, lists directories in an order
shuffled with it, works in another folder, and takes the targets in another order, since what one
`Repository` has answered before must not show either. One more process reads a copy of the sources
at another place, and one makes a new `Repository` for each target.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..common.records import opened
from ..common.report import ROOT, Progress, digest_of, machine, share, table, write_result
from ..sources.functions import functions_of, sample
from ..sources.sdists import DEFAULT_WORK, NAMES, fetch_sdist, sdist_named

SEEDS = 10
FEWER = {"sympy": 2}
"""Packages whose slices take so long that fewer targets have to do."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of asking for the same slices."""

    name: str
    hash_seed: int
    shuffled: bool = True
    copied: bool = False
    """Whether the repository is read at another place."""
    fresh: bool = False
    """Whether each target has a `Repository` of its own."""


def variants(seeds: int) -> tuple[Variant, ...]:
    """The reference first: hash seed 0, listings as they come, targets in order."""
    return (
        Variant("reference", 0, shuffled=False),
        *(Variant(f"seed {seed}", seed) for seed in range(1, seeds + 1)),
        Variant("copy", 1, copied=True),
        Variant("fresh", 2, fresh=True),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Compare all variants with the reference; the exit status is 1 where one differs."""
    arguments = _arguments().parse_args(argv)
    work: Path = arguments.work.resolve()
    wanted = arguments.package or NAMES
    key = f"{digest_of('slicer', 'benchmarks/slices/determinism.py')}-determinism"
    file = work / "runs" / key / f"{arguments.targets}-{arguments.seeds}.jsonl"
    with opened(file) as records:
        done = {record["name"] for record in records.found}
        for name in wanted:
            if name not in done:
                count = min(arguments.targets, FEWER.get(name, arguments.targets))
                records.add(measure(name, count, arguments.seeds, work))
        results = [record for record in records.found if record["name"] in wanted]
    if not arguments.package:
        write_result("determinism", {"measured": results, **machine()})
    print(json.dumps(results, indent=1) if arguments.json else markdown(results))
    return 1 if any(result["different"] for result in results) else 0


def measure(name: str, count: int, seeds: int, work: Path) -> dict[str, Any]:
    """All variants of one package."""
    folder = fetch_sdist(name, work)
    targets = [
        f"{path}::{qualname}"
        for path, qualname in sample(
            functions_of(sdist_named(name), folder), count, f"determinism:{name}"
        )
    ]
    ways = variants(seeds)
    progress = Progress(f"{name}, determinism", len(ways))
    digests: dict[str, dict[str, str]] = {}
    for variant in ways:
        digests[variant.name] = _digests(folder, targets, variant)
        progress.advance()
    reference = digests["reference"]
    different = {
        target: [way for way, found in digests.items() if found.get(target) != reference[target]]
        for target in targets
    }
    return {
        "name": name,
        "targets": len(targets),
        "variants": [way.name for way in ways],
        "failed": sum(digest.startswith("error") for digest in reference.values()),
        "different": {target: ways for target, ways in different.items() if ways},
    }


def markdown(results: Sequence[dict[str, Any]]) -> str:
    """One row a package."""
    head = ("package", "same bytes under every variant", "variants", "example of a difference")
    rows = [
        (
            one["name"],
            share(one["targets"] - len(one["different"]), one["targets"]),
            len(one["variants"]),
            next((f"`{t}`: {', '.join(w)}" for t, w in one["different"].items()), ""),
        )
        for one in results
    ]
    return table(head, rows)


def _digests(folder: Path, targets: Sequence[str], variant: Variant) -> dict[str, str]:
    """Digest by target, from a process of that variant."""
    with tempfile.TemporaryDirectory() as scratch:
        if variant.copied:
            place = Path(scratch, "elsewhere", folder.name)
            shutil.copytree(folder, place, symlinks=True)
            folder = place
        request = {**asdict(variant), "folder": str(folder), "targets": list(targets)}
        done = subprocess.run(
            (sys.executable, "-m", "benchmarks.slices.determinism_child"),
            input=json.dumps(request),
            stdout=subprocess.PIPE,
            text=True,
            cwd=scratch,
            env={
                **os.environ,
                "PYTHONHASHSEED": str(variant.hash_seed),
                "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), *_outer_path()))),
            },
            check=False,
        )
    if done.returncode:
        raise SystemExit(f"benchmarks: the variant {variant.name!r} ended with {done.returncode}")
    found: dict[str, str] = json.loads(done.stdout)
    return found


def _outer_path() -> list[str]:
    return os.environ.get("PYTHONPATH", "").split(os.pathsep)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.slices.determinism", description=__doc__
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--package", action="append", choices=NAMES, help="repeatable")
    parser.add_argument("--targets", type=int, default=30, help="functions of each package")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="hash seeds")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, help="cache folder")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
