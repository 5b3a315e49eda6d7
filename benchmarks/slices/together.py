"""Slice every function of a package, many targets in one slice each.

Where one slice takes seconds, as of sympy, slicing each function by itself takes days. This slices
all of them too, many with one closure: whatever stops the slicer stops it here as well, and each
target and kept definition is held against the source. What a slice of one function alone would
leave out does not show.

python -m benchmarks.slices.together --package sympy --workers 2     resumable
python -m benchmarks.slices.together --package sympy --limit 74      the first slices only
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..common.records import opened
from ..common.report import Progress, digest_of, machine, median, percentile, share, write_result
from ..sources.functions import functions_of
from ..sources.sdists import DEFAULT_WORK, NAMES, fetch_sdist, sdist_named
from ..sources.slicing import peak_megabytes
from .kept_text import Known, check_identity

Target = tuple[str, str]
Group = tuple[Target, ...]
MEASURED_WITH = (
    "slicer",
    "verifier/script/source_map.py",
    "benchmarks/slices/kept_text.py",
    "benchmarks/slices/together.py",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Slice all groups; the exit status is 1 where a function is not sliced or not identical."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.slices.together", description=__doc__
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--package", choices=NAMES, required=True)
    parser.add_argument("--size", type=int, default=100, help="functions in one slice (100)")
    parser.add_argument("--limit", type=int, help="slices to make; all where none is said")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, help="cache folder")
    arguments = parser.parse_args(argv)
    folder = fetch_sdist(arguments.package, arguments.work.resolve())
    functions = functions_of(sdist_named(arguments.package), folder)
    groups = grouped(functions, arguments.size)[: arguments.limit]
    key = f"together-{digest_of(*MEASURED_WITH)}-{arguments.size}"
    with opened(arguments.work / "runs" / key / f"{arguments.package}.jsonl") as records:
        done = {record["group"] for record in records.found}
        left = [group for group in groups if _key(group) not in done]
        progress = Progress(f"{arguments.package}, together", len(groups))
        progress.advance(len(groups) - len(left))
        for record in _sliced(folder, left, arguments.workers):
            records.add(record)
            progress.advance()
        wanted = {_key(group) for group in groups}
        summary = _summary([r for r in records.found if r["group"] in wanted], arguments.size)
    print(json.dumps(summary, indent=1))
    if arguments.limit is None:
        write_result(f"together-{arguments.package}", summary)
    whole = summary["sliced"] == summary["functions"] == summary["targets_identical"]
    return 0 if whole else 1


def grouped(targets: Sequence[Target], size: int) -> list[Group]:
    """The targets in groups of at most a size, in which no name stands for two definitions."""
    groups: list[list[Target]] = []
    meanings: list[dict[str, str]] = []
    first_open = 0
    for path, qualname in targets:
        name = qualname.partition(".")[0]
        while first_open < len(groups) and len(groups[first_open]) >= size:
            first_open += 1
        for at in range(first_open, len(groups)):
            if len(groups[at]) < size and meanings[at].setdefault(name, path) == path:
                groups[at].append((path, qualname))
                break
        else:
            groups.append([(path, qualname)])
            meanings.append({name: path})
    return [tuple(group) for group in groups]


@dataclass
class _State:
    """What one process keeps between the slices that it makes."""

    folder: Path
    repository: Any
    known: Known


_states: list[_State] = []


def _start(folder: Path) -> None:
    slicer = importlib.import_module("slicefunc.slicer")
    _states.append(_State(folder, slicer.Repository(folder), {}))


def _sliced(folder: Path, groups: Sequence[Group], workers: int) -> Iterator[dict[str, Any]]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _start, (folder,)) as pool:
        for future in as_completed([pool.submit(_record, group) for group in groups]):
            yield future.result()


def _record(group: Group) -> dict[str, Any]:
    """What came of a group; where it is not sliced, of each of its functions by itself."""
    record = _attempt(group)
    if "error" in record and len(group) > 1:
        alone = [_attempt((target,)) for target in group]
        record["alone"] = [one for one in alone if "error" in one]
        parts = [one for one in alone if "error" not in one]
        record["sliced"] = len(parts)
        for name in ("targets_identical", "kept", "identical", "edited"):
            record[name] = sum(one[name] for one in parts)
        record["different"] = [text for one in parts for text in one["different"]]
    return {"group": _key(group), **record}


def _attempt(group: Group) -> dict[str, Any]:
    slicer = importlib.import_module("slicefunc.slicer")
    (state,) = _states
    began = time.process_time()
    named = [f"{path}::{qualname}" for path, qualname in group]
    record: dict[str, Any] = {"functions": len(group), "first": named[0]}
    try:
        made = slicer.slice_function(state.repository, named)
    except Exception as error:  # noqa: BLE001  # anything it raises is a result here
        return {**record, "error": type(error).__name__, "message": str(error)[:1000]}
    record["seconds"] = round(time.process_time() - began, 3)
    found = check_identity(state.folder, made.source, made.manifest, trees=False, known=state.known)
    return {
        **record,
        "sliced": len(group),
        "targets_identical": len(group) if found.target else 0,
        "kept": found.kept,
        "identical": found.identical,
        "edited": found.edited,
        "different": list(found.different),
        "definitions": len(made.manifest.definitions),
        "peak_mb": round(peak_megabytes(), 1),
    }


def _key(group: Group) -> str:
    return hashlib.sha256(repr(group).encode()).hexdigest()[:16]


def _summary(records: Sequence[dict[str, Any]], size: int) -> dict[str, Any]:
    def total(name: str) -> int:
        return sum(record.get(name, 0) for record in records)

    seconds = [record["seconds"] for record in records if "seconds" in record]
    different = Counter(text for record in records for text in record.get("different", ()))
    return {
        "functions": total("functions"),
        "slices": len(records),
        "functions_a_slice": size,
        "sliced": total("sliced"),
        "failed": [one for record in records for one in record.get("alone", ())],
        "failed_only_together": [
            {"first": r["first"], "error": r["error"], "message": r["message"]}
            for r in records
            if "error" in r and not r.get("alone")
        ],
        "targets_identical": total("targets_identical"),
        "kept_identical": share(total("identical"), total("kept")),
        "edited": total("edited"),
        "different": different.most_common(20),
        "seconds_a_slice": [round(median(seconds), 2), round(percentile(seconds, 95), 2)],
        "peak_mb": max((record.get("peak_mb", 0.0) for record in records), default=0.0),
        **machine(),
    }


if __name__ == "__main__":
    sys.exit(main())
