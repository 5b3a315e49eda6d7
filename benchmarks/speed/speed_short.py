"""Whether slicing has become slow: cold processes against parsing what they read, and the record.

A ratio of two CPU times hardly depends on the machine, so that what one machine has recorded holds
on another one.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..common.cold_process import PARSE_WITHOUT_COLLECTOR, Measured, measured
from ..common.report import RESULTS, machine, table, write_result
from ..sources.functions import functions_of, sample
from ..sources.sdists import fetch_sdist, sdist_named
from .speed_programs import FEW_FILES, MANY_FILES, PROGRAMS

RECORD = "speed-short"
DRAWN = {"click": 4, "requests": 4, "flask": 4, "attrs": 3}
"""Packages, each with how many functions are drawn with seed 0."""
NAMED = (("sympy", "sympy/utilities/iterables.py::flatten"),)
"""Functions that have once become slow."""
SLOWER = 1.5
"""How many times the recorded ratio is a failure."""
TRIES = 3
"""How often what is too slow is measured again."""
AGAIN_BELOW = 5.0
"""What takes fewer seconds is measured twice where it is recorded, and the lower figure counts."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One function, sliced by a process of its own."""

    name: str
    slice_seconds: float
    """CPU seconds of the command, start-up included."""
    parse_seconds: float
    """CPU seconds of a process that parses the files which the manifest says were read."""
    ratio: float
    peak_mb: float
    lines: int
    """Lines of the slice."""
    kept: int
    """Definitions in it."""


def run_short(work: Path, *, record: bool) -> int:
    """Measure, print, and compare; the exit status."""
    recorded = {} if record else _recorded()
    found = list(_all_timed(work, recorded))
    slower = [one for one in found if one.ratio > SLOWER * recorded.get(one.name, one.ratio)]
    rows = [
        (one.name, f"{one.slice_seconds:.2f}", f"{one.ratio:.1f}",
         f"{recorded.get(one.name, one.ratio):.1f}", one.lines, round(one.peak_mb))
        for one in found
    ]  # fmt: skip
    print(table(("function", "CPU s", "times `ast.parse`", "recorded", "lines", "peak MB"), rows))
    kept = {one.name: one.kept for one in found}
    is_same = kept[f"{FEW_FILES} files"] == kept[f"{MANY_FILES} files"]
    if not is_same:
        print(f"{FEW_FILES} and {MANY_FILES} files give other slices", file=sys.stderr)
    for one in slower:
        print(f"{one.name}: more than {SLOWER} times the recorded ratio", file=sys.stderr)
    if record:
        write_result(RECORD, {"measured": [asdict(one) for one in found], **machine()})
    return int(bool(slower) or not is_same)


def _recorded() -> dict[str, float]:
    file = RESULTS / f"{RECORD}.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return {one["name"]: one["ratio"] for one in found["measured"]}


def _all_timed(work: Path, recorded: Mapping[str, float]) -> Iterator[Timed]:
    for name, make in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            yield _settled(name, Path(folder), make(Path(folder)), recorded)
    for name, count in DRAWN.items():
        folder = fetch_sdist(name, work)
        for path, qualname in sample(functions_of(sdist_named(name), folder), count, f"0:{name}"):
            target = f"{path}::{qualname}"
            yield _settled(f"{name}: {target}", folder, target, recorded)
    for name, target in NAMED:
        yield _settled(f"{name}: {target}", fetch_sdist(name, work), target, recorded)


def _settled(name: str, folder: Path, target: str, recorded: Mapping[str, float]) -> Timed:
    """The lowest ratio of a few where the first is too high, as beside other work."""
    found = _timed(name, folder, target, twice=name not in recorded)
    for _ in range(TRIES):
        if found.ratio <= SLOWER * recorded.get(name, found.ratio):
            break
        found = min(found, _timed(name, folder, target, twice=True), key=lambda one: one.ratio)
    return found


def _timed(name: str, folder: Path, target: str, *, twice: bool) -> Timed:
    command = str(Path(sys.executable).with_name("slice-func"))
    with tempfile.TemporaryDirectory() as scratch:
        script = Path(scratch) / "script.py"
        tail = (str(folder), target, "--json", "-o", str(script))
        sliced = _lower((command, *tail), twice=twice)
        if sliced.exit:
            raise SystemExit(f"{name}: slice-func ended with {sliced.exit}")
        lines = script.read_bytes().count(b"\n")
    manifest = json.loads(sliced.output)
    read = "\n".join(str(folder / path) for path in manifest["files_read"])
    parsed = _lower((sys.executable, "-c", PARSE_WITHOUT_COLLECTOR), read, twice=True)
    return Timed(
        name=name,
        slice_seconds=round(sliced.seconds, 3),
        parse_seconds=round(parsed.seconds, 3),
        ratio=round(sliced.seconds / parsed.seconds, 2),
        peak_mb=round(sliced.peak_mb, 1),
        lines=lines,
        kept=len(manifest["definitions"]),
    )


def _lower(command: tuple[str, ...], stdin: str = "", *, twice: bool) -> Measured:
    first = measured(command, stdin)
    if not twice or first.seconds > AGAIN_BELOW:
        return first
    return min(first, measured(command, stdin), key=lambda one: one.seconds)
