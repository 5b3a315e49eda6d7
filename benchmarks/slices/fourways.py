"""Every script does the same run as a script, imported, through runpy, and under another name.

    python -m benchmarks.slices.fourways               500 slices, 50 of each package, each layout
    python -m benchmarks.slices.fourways --slices 20   fewer

What is compared: exit status, printed text, the names bound at top level, and the target's type,
`__module__` and `__qualname__`. The `package` layout is no script and is left out. Where loading
fails, the last line printed is compared: tracebacks show how the script was started.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..common.report import Progress, machine, share, table, write_result
from ..sources.functions import functions_of, sample
from ..sources.imports import Importer, importer, isolated
from ..sources.sdists import DEFAULT_WORK, NAMES, environment, fetch_sdist, sdist_named
from ..sources.slicing import Sliced, slice_all

LAYOUTS = ("flat", "modules")
WAYS = ("script", "import", "runpy", "spec")
RUNNER = Path(__file__).parents[1] / "sources" / "fourways_runner.py"
SLICES = 500


def main(argv: Sequence[str] | None = None) -> int:
    """Compare the four ways; the exit status is 1 where they differ."""
    arguments = _arguments().parse_args(argv)
    names: Sequence[str] = arguments.package or NAMES
    counts = _shares(arguments.slices, len(names))
    results = [
        measure(name, count, arguments.work.resolve())
        for name, count in zip(names, counts, strict=True)
    ]
    if not arguments.package and arguments.slices == SLICES:
        write_result("fourways", {"measured": results, "isolated": isolated(), **machine()})
    print(json.dumps(results, indent=1) if arguments.json else markdown(results))
    return 1 if any(one["different"] for one in results) else 0


def measure(name: str, count: int, work: Path) -> dict[str, Any]:
    """A seeded sample of one package, in each layout that the targets have."""
    folder = fetch_sdist(name, work)
    targets = sample(functions_of(sdist_named(name), folder), count, f"fourways:{name}")
    progress = Progress(f"{name}, four ways", len(targets) * len(LAYOUTS))
    compared: Counter[str] = Counter()
    failed_alike: Counter[str] = Counter()
    not_sliced: Counter[str] = Counter()
    different: list[dict[str, Any]] = []
    place = environment(name, work=work)
    scripts = work / "fourways"
    scripts.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=scripts) as scratch,
        importer(place, work, runner=RUNNER, PYTHONWARNINGS="default") as asked,
    ):
        for layout, sliced in _slices(folder, targets):
            progress.advance()
            if sliced.error:
                not_sliced[f"{layout}: {sliced.error}"] += 1
                continue
            seen = _seen(asked, Path(scratch), sliced)
            compared[layout] += 1
            if any(seen[way] != seen[WAYS[0]] for way in WAYS):
                spelled = f"{sliced.path}::{sliced.qualname}"
                different.append({"target": spelled, "layout": layout, "seen": seen})
            elif seen[WAYS[0]]["exit"]:
                failed_alike[layout] += 1
    return {
        "name": name,
        "targets": len(targets),
        "compared": dict(compared),
        "failed_alike": dict(failed_alike),
        "not_sliced": dict(not_sliced),
        "different": different,
    }


def markdown(results: Sequence[dict[str, Any]]) -> str:
    """One row a package."""
    head = (
        *("package", "scripts the same in four ways", "flat", "modules", "of these fail alike"),
        *("not sliced", "example of a difference"),
    )
    rows = [
        (
            one["name"],
            share(_sum(one["compared"]) - len(one["different"]), _sum(one["compared"])),
            *(one["compared"].get(layout, 0) for layout in LAYOUTS),
            _sum(one["failed_alike"]),
            ", ".join(f"{reason} {count}" for reason, count in one["not_sliced"].items()),
            next((f"{d['layout']} `{d['target']}`" for d in one["different"]), ""),
        )
        for one in results
    ]
    return table(head, rows)


def _slices(folder: Path, targets: Sequence[tuple[str, str]]) -> Iterator[tuple[str, Sliced]]:
    for layout in LAYOUTS:
        for sliced in slice_all(folder, targets, emit=layout):
            yield layout, sliced


def _seen(asked: Importer, scratch: Path, sliced: Sliced) -> dict[str, dict[str, Any]]:
    """What each way shows of one script."""
    digest = hashlib.sha256(f"{sliced.path}::{sliced.qualname}".encode()).hexdigest()
    # A folder of its own: beside other scripts, an import in one could find another.
    place = scratch / digest[:12]
    place.mkdir(exist_ok=True)
    script = place / f"s{digest[:12]}.py"
    script.write_text(sliced.source, encoding="utf-8", newline="")
    seen: dict[str, dict[str, Any]] = {}
    for way in WAYS:
        answer = asked.ask(
            {"script": str(script), "qualname": sliced.qualname, "way": way, "timeout": 60}
        )
        printed = str(answer.pop("printed"))
        answer.pop("seconds")
        lines = printed.strip().splitlines()
        # An answer without a status is the runner's own: a time-out or a process that ended.
        failed = answer.get("exit", 1) != 0
        seen[way] = {**answer, "printed": (lines or [""])[-1] if failed else printed}
    script.unlink()
    place.rmdir()
    return seen


def _shares(total: int, parts: int) -> list[int]:
    """The total in parts as even as can be."""
    return [total // parts + (at < total % parts) for at in range(parts)]


def _sum(counts: dict[str, int]) -> int:
    return sum(counts.values())


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.slices.fourways", description=__doc__
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--package", action="append", choices=NAMES, help="repeatable")
    parser.add_argument("--slices", type=int, default=SLICES, help="functions in all")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, help="cache folder")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
