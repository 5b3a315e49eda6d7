"""Small shared parts of the benchmarks' output: progress, statistics, tables, result files."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
_NO_PLACES: Mapping[str, str] = MappingProxyType({})


class Progress:
    """A progress bar on standard error; a line every tenth of the way where it is no terminal."""

    def __init__(self, title: str, total: int) -> None:
        self._title = title
        self._total = max(total, 1)
        self._done = 0
        self._shown = -1
        self._started = time.monotonic()

    def advance(self, count: int = 1) -> None:
        """Count what is done, and show it where that changes what is seen."""
        self._done += count
        terminal = sys.stderr.isatty()
        step = self._done * (100 if terminal else 10) // self._total
        if step == self._shown:
            return
        self._shown = step
        passed = time.monotonic() - self._started
        bar = "#" * (self._done * 30 // self._total)
        text = f"{self._title:24} [{bar:30}] {self._done}/{self._total} {passed:.0f} s"
        end = "" if terminal and self._done < self._total else "\n"
        print(("\r" if terminal else "") + text, end=end, file=sys.stderr, flush=True)


def median(values: Sequence[float]) -> float:
    """The median; 0 of nothing."""
    return statistics.median(values) if values else 0.0


def percentile(values: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile; 0 of nothing."""
    ordered = sorted(values)
    rank = max(0, -(-len(ordered) * percent // 100) - 1)
    return ordered[int(rank)] if ordered else 0.0


def normalised(error: str, message: str) -> str:
    """A reason under which like failures are counted: names, numbers and paths are left out."""
    line = message.strip().splitlines()[0] if message.strip() else ""
    line = re.sub(r"(?:[\w.\-]+)?(?:/[\w.\-]+)+", "<path>", line)
    line = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "<name>", line)
    line = re.sub(r"\b[\w.]*\d[\w.]*\b", "N", line)
    return f"{error}: {line[:100]}".rstrip(": ")


def share(part: int, whole: int) -> str:
    """A part with its denominator, as `12 of 34 (35.3 %)`."""
    if not whole:
        return "0 of 0"
    percent = 100 * part / whole
    # Rounding must never turn a failure into 100 %.
    text = (
        "100"
        if part == whole
        else f"{min(percent, 99.99):.2f}"
        if percent > 99
        else f"{percent:.1f}"
    )
    return f"{part} of {whole} ({text} %)"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; numbers are aligned to the right."""
    numeric = [
        bool(rows) and all(isinstance(row[at], int | float) for row in rows)
        for at in range(len(head))
    ]
    lines = [
        "| " + " | ".join(head) + " |",
        "|" + "|".join("---:" if right else "---" for right in numeric) + "|",
    ]
    for row in rows:
        cells = (str(cell).replace("|", "\\|").replace("\n", " ") for cell in row)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def digest_of(*places: str, root: Path = ROOT) -> str:
    """Digest of Python files and folders of this project, or of another checkout of it."""
    named = [root / place for place in places if place.endswith(".py")]
    files = [file for file in named if root == ROOT or file.exists()]
    for place in places:
        files += sorted((root / place).rglob("*.py"))
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def machine() -> dict[str, object]:
    """What the numbers depend on besides the code."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "slicer": digest_of("slicer"),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    }


def write_result(
    name: str, result: object, folder: Path = RESULTS, further: Mapping[str, str] = _NO_PLACES
) -> Path:
    """Write one benchmark's result as JSON, and return the file.

    Args:
        name: of the file, without its ending.
        result: what JSON can hold.
        folder: of the file.
        further: folders that a benchmark uses besides, by what is written for them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.json"
    text = json.dumps(result, indent=1, ensure_ascii=False)
    file.write_text(without_places(text, further) + "\n", encoding="utf-8")
    return file


def without_places(text: str, further: Mapping[str, str] = _NO_PLACES) -> str:
    """The text without the folders of this machine: of what is installed, and of the interpreter.

    What a function was seen to do may name them.
    """
    cache = os.environ.get("SLICE_FUNC_CACHE", "")
    places = {**further, "CACHE": cache, "PYTHON": sys.base_prefix, "ROOT": str(ROOT)}
    for name, place in places.items():
        text = text.replace(place, name) if place and Path(place).parent != Path(place) else text
    return text
