"""What slicing costs: cold processes on sympy, start-up, memory, and milliseconds a function.

python -m benchmarks.speed.speed                  everything but all functions of sympy
python -m benchmarks.speed.speed --part startup   one of the parts (repeatable)
python -m benchmarks.speed.speed --short          against the record: exit 1 where it has become
slow
python -m benchmarks.speed.speed --short --record the same, and record it
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..common.cold_process import PARSE_WITHOUT_COLLECTOR, SLICE_WITHOUT_COLLECTOR, measured
from ..common.records import opened
from ..common.report import (
    Progress,
    digest_of,
    machine,
    median,
    percentile,
    share,
    table,
    write_result,
)
from ..sources.functions import functions_of, sample
from ..sources.sdists import DEFAULT_WORK, NAMES, fetch_sdist, sdist_named
from ..sources.slicing import slice_all
from .speed_short import run_short

PARTS = ("startup", "cold", "packages")
COLD_TARGETS = 50
COLD_WITH = ("slicer", "driver", "benchmarks/speed/speed.py")
"""Sources on which a cold slice's time depends: where one has changed, no run is resumed."""
STARTUP_RUNS = 31
FEW_LINES = 20_000
"""Up to that many lines read, a cold slice has one second; beyond, three times `ast.parse`."""


@dataclass(frozen=True, slots=True)
class Cold:
    """One function of sympy, sliced by a process of its own."""

    target: str
    exit: int
    files: int
    lines: int
    """Lines of the files that the manifest says were read."""
    slice_seconds: float
    """CPU seconds of the command as users run it, user and system, start-up included."""
    slice_seconds_no_gc: float
    parse_seconds_no_gc: float
    """The same for a process that only parses those files."""
    peak_mb: float

    @property
    def ratio(self) -> float:
        """Slicing against parsing, collector off for both."""
        return self.slice_seconds_no_gc / self.parse_seconds_no_gc

    @property
    def good(self) -> bool:
        """Whether the goal is met."""
        in_time = self.slice_seconds <= 1.0 if self.lines <= FEW_LINES else self.ratio <= 3.0
        return self.exit == 0 and in_time


def main(argv: Sequence[str] | None = None) -> int:
    """Run the parts asked for, and write each among the results."""
    arguments = _arguments().parse_args(argv)
    work: Path = arguments.work.resolve()
    if arguments.short:
        return run_short(work, record=arguments.record)
    results: dict[str, Any] = {}
    parts = arguments.part or PARTS
    if "startup" in parts:
        results["startup"] = measure_startup()
    if "cold" in parts:
        results["cold"] = measure_cold(work, arguments.limit or COLD_TARGETS)
    if "packages" in parts:
        names = arguments.package or [name for name in NAMES if name != "sympy"]
        results["packages"] = [measure_package(name, work, arguments.limit) for name in names]
    for part, result in results.items():
        if arguments.limit is None and not (part == "packages" and arguments.package):
            write_result(f"speed-{part}", {"measured": result, **machine()})
    print(json.dumps(results, indent=1) if arguments.json else markdown(results))
    return 0


def measure_startup(runs: int = STARTUP_RUNS) -> dict[str, Any]:
    """Start-up of the command against that of an interpreter that imports `ast`, interleaved."""
    command = str(Path(sys.executable).with_name("slice-func"))
    ours, theirs = (command, "--help"), (sys.executable, "-c", "import ast")
    for warm_up in (ours, theirs):
        measured(warm_up)
    pairs = [(measured(ours).seconds, measured(theirs).seconds) for _ in range(runs)]
    help_ms = median([1000 * pair[0] for pair in pairs])
    ast_ms = median([1000 * pair[1] for pair in pairs])
    return {
        "runs": runs,
        "help_ms": round(help_ms, 1),
        "import_ast_ms": round(ast_ms, 1),
        "ratio": round(help_ms / ast_ms, 2),
        "ratio_of_pairs": round(median([pair[0] / pair[1] for pair in pairs]), 2),
    }


def measure_cold(work: Path, count: int) -> list[dict[str, Any]]:
    """Functions of sympy drawn with seed 0, each in a cold process."""
    folder = fetch_sdist("sympy", work)
    targets = sample(functions_of(sdist_named("sympy"), folder), count, "0:sympy")
    spelled = [f"{path}::{qualname}" for path, qualname in targets]
    run = work / "runs" / f"{digest_of(*COLD_WITH)}-cold"
    with opened(run / "targets.jsonl") as records:
        done = {record["target"] for record in records.found}
        progress = Progress("sympy, cold", len(spelled))
        for target in spelled:
            if target not in done:
                one = _cold(folder, target)
                records.add({**asdict(one), "ratio": round(one.ratio, 2), "good": one.good})
            progress.advance()
        return [record for record in records.found if record["target"] in spelled]


def measure_package(name: str, work: Path, limit: int | None) -> dict[str, Any]:
    """All functions of a package with one `Repository`, nothing else done in the process."""
    folder = fetch_sdist(name, work)
    targets = sample(functions_of(sdist_named(name), folder), limit, f"0:{name}")
    progress = Progress(f"{name}, one Repository", len(targets))
    seconds: list[float] = []
    peak, failed = 0.0, 0
    for sliced in slice_all(folder, targets, lean=True):
        seconds.append(sliced.seconds)
        peak = max(peak, sliced.peak_mb)
        failed += bool(sliced.error)
        progress.advance()
    milliseconds = [1000 * value for value in seconds]
    return {
        "name": name,
        "targets": len(targets),
        "failed": failed,
        "median_ms": round(median(milliseconds), 2),
        "p95_ms": round(percentile(milliseconds, 95), 2),
        "max_ms": round(max(milliseconds, default=0.0), 2),
        "seconds": round(sum(seconds), 2),
        "peak_mb": round(peak, 1),
    }


def markdown(results: dict[str, Any]) -> str:
    """Tables for people."""
    parts: list[str] = []
    if "startup" in results:
        one = results["startup"]
        parts.append(
            f"Start-up, CPU, median of {one['runs']} interleaved runs: `slice-func --help` "
            f"{one['help_ms']} ms, `python -c 'import ast'` {one['import_ast_ms']} ms: "
            f"{one['ratio']} times."
        )
    if "cold" in results:
        parts.append(_cold_table(results["cold"]))
    if "packages" in results:
        head = ("package", "targets", "median ms", "p95 ms", "max ms", "CPU s", "peak MB")
        keys = ("name", "targets", "median_ms", "p95_ms", "max_ms", "seconds", "peak_mb")
        parts.append(table(head, [[one[key] for key in keys] for one in results["packages"]]))
    return "\n\n".join(parts)


def _cold_table(measured: Sequence[dict[str, Any]]) -> str:
    few = [one for one in measured if one["lines"] <= FEW_LINES]
    many = [one for one in measured if one["lines"] > FEW_LINES]
    head = (
        *("sympy, cold process", "targets", "goal met", "CPU s, median / max", "lines, median"),
        *("times `ast.parse`, median / max", "peak MB, max"),
    )
    rows = [
        (
            title,
            len(group),
            share(sum(one["good"] for one in group), len(group)),
            _pair([one["slice_seconds"] for one in group]),
            int(median([one["lines"] for one in group])),
            _pair([one["ratio"] for one in group]),
            max((one["peak_mb"] for one in group), default=0.0),
        )
        for title, group in (("≤ 20,000 lines read", few), ("more lines read", many))
    ]
    return table(head, rows)


def _pair(values: Sequence[float]) -> str:
    return f"{median(values):.2f} / {max(values, default=0.0):.2f}"


def _cold(folder: Path, target: str) -> Cold:
    """Slice one target twice, with the collector and without, and parse what it read."""
    with tempfile.TemporaryDirectory() as scratch:
        tail = (str(folder), target, "--json", "-o", f"{scratch}/script.py")
        command = str(Path(sys.executable).with_name("slice-func"))
        usual = measured((command, *tail))
        bare = measured((sys.executable, "-c", SLICE_WITHOUT_COLLECTOR, *tail))
    read: list[str] = json.loads(usual.output)["files_read"] if usual.exit == 0 else []
    files = [str(folder / name) for name in read]
    parse = measured((sys.executable, "-c", PARSE_WITHOUT_COLLECTOR), "\n".join(files))
    return Cold(
        target=target,
        exit=usual.exit,
        files=len(files),
        lines=sum(Path(file).read_bytes().count(b"\n") for file in files),
        slice_seconds=round(usual.seconds, 3),
        slice_seconds_no_gc=round(bare.seconds, 3),
        parse_seconds_no_gc=round(parse.seconds, 3),
        peak_mb=round(usual.peak_mb, 1),
    )


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed.speed", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--part", action="append", choices=PARTS, help="repeatable")
    parser.add_argument("--package", action="append", choices=NAMES, help="repeatable")
    parser.add_argument("--short", action="store_true", help="compare with what is recorded")
    parser.add_argument("--record", action="store_true", help="record what --short has measured")
    parser.add_argument("--limit", type=int, help="targets of each part, a seeded sample")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, help="cache folder")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
