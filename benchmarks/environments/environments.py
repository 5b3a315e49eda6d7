"""Functions of whole repositories and packages, made into environments: the waterfall and why not.

    python -m benchmarks.environments.environments --repos DIR [--sample N] [--seed S]
    python -m benchmarks.environments.environments --repos DIR --each 5 --draw
    benchmarks/data/drawn_functions.txt
    python -m benchmarks.environments.environments --repos DIR --listed
    benchmarks/data/drawn_functions.txt
    python -m benchmarks.environments.environments --package NAME ... [--sample N]

Each function goes the way of `slice-func REPO --all --test --verify`, without a model (of a list,
the way of `slice-func REPO FUNCTION`, which records its likeliest tests alone): sliced with mocks,
under a newer Python where the repository's syntax asks for one,
installed as of the commit, cases searched for, recorded and measured. A sample is drawn from all
functions together, or `--each N` of every repository but its tests; `--draw FILE` writes the list
instead of measuring it, and `--listed FILE` measures that. A run resumes where it stopped, and with
`--known` goes on from what stands among the results; `--no-run` writes what was measured so far,
and `--env DIR` keeps the environments.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from slicefunc.driver.batch.entries import Entry
from slicefunc.driver.batch.waterfall import Summary
from slicefunc.driver.batch.worker import Work
from slicefunc.driver.batch.worker_processes import entries_in_processes
from slicefunc.driver.pipeline.passes import Options, Verification
from slicefunc.driver.places.newer_python import command_under, needed_version, newer_python
from slicefunc.slicer import Repository
from slicefunc.slicer.model import Target
from slicefunc.verifier.execution.executors.choose_executor import choose

from ..common.records import Records, opened
from ..common.report import RESULTS, Progress, digest_of, machine, share, table, write_result
from ..sources.sdist import is_measured
from ..sources.sdists import DEFAULT_WORK, SDISTS, fetch_sdist

PACKAGES = ("attrs", "click", "flask", "requests", "starlette")
_BESIDE = frozenset("tests test testing docs doc examples example benchmarks scripts".split())
_BESIDE_FILES = frozenset({"setup.py", "conftest.py", "conf.py"})
_ABOUT = ("repository", "target", "apart", "state")
Record = dict[str, Any]


def main(argv: list[str] | None = None) -> int:
    """Measure what is not yet recorded, and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    work = options.work.resolve()
    os.environ.setdefault("SLICE_FUNC_CACHE", str(work))
    folders = _folders(options, work)
    if options.listed:
        drawn = _listed(folders, options.listed)
    elif options.each:
        drawn = _each(folders, options.each, options.seed)
    else:
        drawn = _drawn(folders, options.sample, options.seed)
    if options.draw:
        lines = (f"{f.name} {target}\n" for f, targets in drawn.items() for target in targets)
        options.draw.write_text("".join(lines), "utf-8")
        return 0
    progress = Progress("functions", sum(len(targets) for targets in drawn.values()))
    key = options.tag or digest_of("slicer", "mocker", "verifier", "driver")
    with opened(work / f"environments-{key}.jsonl") as records:
        for name in options.known:
            _take_known(records, name)
        for folder, targets in drawn.items():
            known = {r["target"] for r in records.found if r["repository"] == folder.name}
            left = [target for target in targets if str(target) not in known]
            progress.advance(len(targets) - len(left))
            _measured(folder, [] if options.no_run else left, options, records, progress)
        wanted = {(folder.name, str(t)) for folder, targets in drawn.items() for t in targets}
        found = [r for r in records.found if (r["repository"], r["target"]) in wanted]
    result = {"summary": _summary(found), "functions": found, **machine()}
    if options.write:
        write_result(options.write, result)
    print(json.dumps(result, indent=1) if options.json else _markdown(found))
    return 0


def _folders(options: argparse.Namespace, work: Path) -> list[Path]:
    """The repositories, in order."""
    named = [fetch_sdist(name, work) for name in options.package]
    if options.repos is None:
        return named
    return [*sorted(f for f in options.repos.resolve().iterdir() if f.is_dir()), *named]


def _drawn(folders: Sequence[Path], sample: int | None, seed: int) -> dict[Path, list[Target]]:
    """All functions of the repositories, or as many as are asked for, drawn with the seed."""
    every = [(folder, target) for folder in folders for target in _targets(folder)]
    if sample is not None and sample < len(every):
        chosen = random.Random(seed).sample(range(len(every)), sample)
        every = [every[i] for i in sorted(chosen)]
    found: dict[Path, list[Target]] = {}
    for folder, target in every:
        found.setdefault(folder, []).append(target)
    return found


def _each(folders: Sequence[Path], count: int, seed: int) -> dict[Path, list[Target]]:
    """So many functions of each repository but its tests, drawn with the seed."""
    found: dict[Path, list[Target]] = {}
    for folder in folders:
        every = [target for target in _targets(folder) if not _is_beside(target.path)]
        chosen = random.Random(f"{seed} {folder.name}").sample(every, min(count, len(every)))
        found[folder] = sorted(chosen, key=str)
    return found


def _is_beside(path: str) -> bool:
    """Whether a file is none of the package's own: a test, documentation, an example, a script."""
    *folders, name = path.lower().split("/")
    return not _BESIDE.isdisjoint(folders) or name.startswith("test_") or name in _BESIDE_FILES


def _listed(folders: Sequence[Path], listed: Path) -> dict[Path, list[Target]]:
    """The functions of a list, `folder path::qualname` a line."""
    by_name = {folder.name: folder for folder in folders}
    found: dict[Path, list[Target]] = {}
    for line in listed.read_text("utf-8").splitlines():
        name, target = line.split(" ", 1)
        path, qualname = target.split("::")
        found.setdefault(by_name[name], []).append(Target(path, qualname))
    return found


def _targets(folder: Path) -> Iterator[Target]:
    """The functions of a repository; of a package those of its own code, without its tests."""
    own = next((sdist for sdist in SDISTS if sdist.folder == folder.name), None)
    for target in Repository(folder).targets():
        if own is None or is_measured(target.path, own):
            yield target


def _take_known(records: Records, name: str) -> None:
    """Count what an earlier run has written among the results as measured, whatever the code."""
    measured = {(r["repository"], r["target"]) for r in records.found}
    for record in json.loads((RESULTS / f"{name}.json").read_text("utf-8"))["functions"]:
        if (record["repository"], record["target"]) not in measured:
            records.add(record)


def _measured(
    folder: Path,
    targets: Sequence[Target],
    options: argparse.Namespace,
    records: Records,
    progress: Progress,
) -> None:
    if not targets:
        return
    version = needed_version(Repository(folder))
    python = newer_python(version) if version else None
    if python is not None:
        for record in _measured_under(python, folder, targets, options):
            records.add(record)
            progress.advance()
        return
    kept = options.env / folder.name if options.env else None
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
    work = Work(
        str(folder), (), Options(),
        verification=Verification(test=True),
        environments=str(kept) if kept else None,
        choice=choose(),
        records_all=options.listed is None,
    )  # fmt: skip
    started, state = time.monotonic(), digest_of("slicer", "mocker", "verifier", "driver")
    for entry in entries_in_processes(work, targets, jobs=options.jobs, seconds=options.seconds):
        now = time.monotonic()
        target = f"{entry.path}::{entry.qualname}"
        apart, started = now - started, now
        about = {"repository": folder.name, "target": target, "apart": apart, "state": state}
        records.add({**about, **entry.to_json()})
        progress.advance()


def _measured_under(
    python: Path, folder: Path, targets: Sequence[Target], options: argparse.Namespace
) -> list[Record]:
    """The records of functions whose repository only a newer Python reads, as the command does."""
    own = options.work.resolve() / python.name  # a run that is stopped goes on from there
    with tempfile.TemporaryDirectory() as place:
        listed = Path(place, "listed.txt")
        listed.write_text("".join(f"{folder.name} {target}\n" for target in targets), "utf-8")
        words = ["--repos", folder.parent, "--listed", listed, "--jobs", options.jobs]
        words += ["--seconds", options.seconds, "--work", own, "--json"]
        words += ["--tag", options.tag] if options.tag else []
        words += ["--env", options.env] if options.env else []
        command = command_under(
            python, "benchmarks.environments.environments", list(map(str, words))
        )
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["functions"]


def entries_of(found: Sequence[Record]) -> Iterator[Entry]:
    """What the records tell of their functions."""
    for record in found:
        own = {k: v for k, v in record.items() if k not in _ABOUT}
        yield Entry.from_json(own)


def _summary(found: Sequence[Record]) -> Record:
    entries = tuple(entries_of(found))
    summary = Summary(entries, (), has_runs=True, has_cases=True)
    seconds = [entry.seconds for entry in entries]
    apart = sum(record["apart"] for record in found)
    cases = [entry.cases for entry in entries if entry.passed and entry.cases]
    return {
        "functions": len(entries),
        **summary.counts(),
        "reasons": dict(summary.reasons().most_common()),
        "seconds a function, median": statistics.median(seconds) if seconds else None,
        "functions a minute": 60 * len(entries) / apart if apart else None,
        "cases, median": statistics.median(cases) if cases else None,
    }


def _markdown(found: Sequence[Record]) -> str:
    summary = _summary(found)
    total = summary.pop("functions")
    reasons = summary.pop("reasons")
    speed = {name: summary.pop(name) for name in list(summary) if "," in name or "minute" in name}
    lines = [
        f"{total} functions",
        "",
        table(["stage", "functions"], [[n, share(v, total)] for n, v in summary.items()]),
        "",
        table(["reason", "functions"], list(reasons.items())),
        "",
        *(f"- {name}: {value}" for name, value in speed.items()),
        "",
    ]
    by_repository = Counter(r["repository"] for r in found)
    good = Counter(r["repository"] for r in found if r["passed"])
    rows = [[name, count, good[name]] for name, count in sorted(by_repository.items())]
    lines.append(table(["repository", "functions", "environments"], rows))
    return "\n".join(lines)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmarks.environments.environments", description=__doc__
    )
    parser.add_argument("--repos", type=Path, help="folder of repositories")
    parser.add_argument("--package", nargs="*", default=[], help=f"as {' '.join(PACKAGES)}")
    parser.add_argument("--sample", type=int, help="only so many functions")
    parser.add_argument("--each", type=int, help="only so many functions of each repository")
    parser.add_argument("--draw", type=Path, help="write the list of functions here, and end")
    parser.add_argument("--listed", type=Path, help="measure the functions of this list")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=120, help="that one function may take")
    parser.add_argument("--env", type=Path, help="keep the environments here")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument(
        "--known", nargs="*", default=[], metavar="NAME",
        help="of files among the results to go on from",
    )  # fmt: skip
    parser.add_argument(
        "--no-run", action="store_true", help="only tell and write what is recorded"
    )
    parser.add_argument("--tag", help="names the record, whatever the code")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", metavar="NAME", help="of the file among the results")
    return parser


if __name__ == "__main__":
    sys.exit(main())
