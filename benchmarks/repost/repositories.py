"""Whole repositories: a sample of their functions, sliced; does what loads there load alone?

    python -m benchmarks.repost.repositories --repos DIR --fetch benchmarks/data/repositories.txt
      once
    python -m benchmarks.repost.repositories --repos DIR [--sample 40] [--python ENV/bin/python]

`DIR` holds one repository in each folder. Of each, functions are drawn with a seed and sliced, once
as they are and once with mocks; then the module of each is imported in a copy of its repository,
and each slice in an empty folder, with stubs for what is not installed. What is looked for is a
slice that fails where its original does not. Foreign code runs without a network only. A run goes
on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository, SliceFuncError, slice_function
from slicefunc.slicer.model import Slice

from ..common.records import opened
from ..common.report import (
    Progress,
    digest_of,
    machine,
    median,
    normalised,
    share,
    table,
    write_result,
)
from ..sources.sdists import DEFAULT_WORK
from .data.examples import ancestors, module_names
from .run_scripts import Job, Outcome, Runner

SCRIPT = "sliced.py"
SECONDS = 20
"""What loading may take."""
NOT_BOUND = "unbound"
Record = dict[str, Any]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what is not yet recorded, and print; the exit status is 1 where a slice fails."""
    options = _arguments().parse_args(argv)
    if options.fetch:
        return _fetch(options.fetch, options.repos)
    work = options.work.resolve()
    python = Path(os.path.abspath(options.python or sys.executable))  # noqa: PTH100
    runner = Runner(python, work / "repositories", SECONDS)
    folders = sorted(folder for folder in options.repos.resolve().iterdir() if folder.is_dir())
    folders = [folder for folder in folders if options.only in folder.name]
    key = digest_of("slicer", "mocker", "driver", "benchmarks/repost/repositories.py")
    drawn = {"sample": options.sample, "seed": options.seed}
    with opened(work / f"repositories-{key}-{runner.fingerprint[:8]}.jsonl") as records:
        known = {r["repository"] for r in records.found if r["drawn"] == drawn}
        progress = Progress("repositories", len(folders))
        for folder in folders:
            if folder.name not in known:
                trial = Trial(folder, runner, options.scripts)
                found = list(trial.functions(options.sample, options.seed))
                records.add({"repository": folder.name, "drawn": drawn, "functions": found})
            progress.advance()
        names = {folder.name for folder in folders}
        wanted = [r for r in records.found if r["repository"] in names and r["drawn"] == drawn]
    functions = [
        {"repository": r["repository"], **function} for r in wanted for function in r["functions"]
    ]
    summary = {"repositories": len(wanted), **drawn, **summarise(functions)}
    print(json.dumps(summary, indent=1) if options.json else _text(summary))
    failing = [f"{f['repository']}/{f['target']}: {fault(f)}" for f in functions if fault(f)]
    print(*failing, sep="\n", end="\n" if failing else "", file=sys.stderr)
    if options.write:
        write_result("repositories", {**summary, "failing": failing, **machine()})
    return 1 if failing else 0


def _fetch(listed: Path, folder: Path) -> int:
    """Clone what a list names, `owner/name commit` a line, into folders `owner___name`."""
    missing: list[str] = []
    for line in listed.read_text("utf-8").splitlines():
        name, commit = line.split()
        place = folder / name.replace("/", "___")
        if not place.is_dir():
            clone = ["git", "clone", "-q", f"https://github.com/{name}", str(place)]
            checkout = ["git", "-C", str(place), "checkout", "-q", commit]
            if any(subprocess.run(step, check=False).returncode for step in (clone, checkout)):
                shutil.rmtree(place, ignore_errors=True)
                missing.append(line)
    for line in missing:
        print(f"could not be had: {line}", file=sys.stderr)
    return 1 if missing else 0


@dataclass
class Trial:
    """One repository, and where its slices run."""

    folder: Path
    runner: Runner
    scripts: Path | None
    """Where slices are left that fail and should not."""

    @cached_property
    def _repository(self) -> Repository:
        return Repository(self.folder)

    def functions(self, sample: int, seed: int) -> Iterator[Record]:
        """What came of each of the functions that are drawn."""
        targets = [(target.path, target.qualname) for target in self._repository.targets()]
        if len(targets) > sample:
            targets = sorted(random.Random(f"{seed} {self.folder.name}").sample(targets, sample))
        modules: dict[str, list[str]] = defaultdict(list)
        for path, qualname in targets:
            modules[path].append(qualname)
        for path, qualnames in modules.items():
            local = tuple(sorted(self._local_names(path)))
            original = self._original(path, local)
            for qualname in qualnames:
                name = qualname.partition(".")[0]
                loads = _binds(original, name)
                record: Record = {"target": f"{path}::{qualname}", "original": loads}
                if not loads and original.failure is not None:
                    record["why"] = normalised(original.failure.kind, original.failure.message)
                yield {**record, **self._slices(record, name, local)}

    def _slices(self, record: Record, name: str, local: tuple[str, ...]) -> Record:
        found: Record = {}
        for kind in ("as it is", "mocked"):
            began = time.process_time()
            try:
                made = self._sliced(record["target"], mocked=kind == "mocked")
            except SliceFuncError as error:
                return {**found, kind: {"refused": f"{type(error).__name__}: {error}"}}
            except Exception as error:  # noqa: BLE001  # a crash is a result here
                found[kind] = {"crashed": f"{type(error).__name__}: {error}"[:300]}
                continue
            result: Record = {
                "seconds": round(time.process_time() - began, 3),
                "definitions": len(made.manifest.definitions),
            }
            if record["original"]:
                text = made.source.encode("utf-8", "surrogateescape")
                job = Job(((SCRIPT, text),), SCRIPT, name, "import", stub=True, local=local)
                outcome = self.runner.run(job)
                result["loads"] = outcome.executes
                if outcome.failure is not None:
                    failure = outcome.failure
                    result["why"] = f"{failure.kind}: {failure.message} [{failure.text}]"
                    self._leave(record["target"], kind, text)
            found[kind] = result
        return found

    def _sliced(self, target: str, *, mocked: bool) -> Slice:
        if mocked:
            return compile_slice(self._repository, (target,), Options())
        return slice_function(self._repository, target)

    def _original(self, path: str, local: tuple[str, ...]) -> Outcome:
        """Import the module by each name that it may have, until one works."""
        found: list[Outcome] = []
        for root in reversed(ancestors(path)):
            inside = path.removeprefix("" if root == "." else f"{root}/")
            dotted = inside.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            roots = tuple(dict.fromkeys((root, ".", "src")))
            found.append(
                self.runner.run(
                    Job((), dotted, "", "module", roots, stub=True, local=local, tree=self.folder)
                )
            )
            if _loads(found[-1]) or found[-1].failure.kind == "timeout":
                break
        return found[-1]

    def _local_names(self, path: str) -> frozenset[str]:
        """Top-level modules of the repository as seen from a file: that one lacks is a fault."""
        roots = (self.folder / part for part in (*ancestors(path), "src"))
        return frozenset(name for root in roots for name in module_names(root))

    def _leave(self, target: str, kind: str, text: bytes) -> None:
        if self.scripts is not None:
            name = f"{target} {kind}".replace("/", "+").replace("::", " ")
            (self.scripts / self.folder.name).mkdir(parents=True, exist_ok=True)
            (self.scripts / self.folder.name / f"{name}.py").write_bytes(text)


def _loads(outcome: Outcome) -> bool:
    """Whether the module loaded; no name was asked for."""
    return outcome.failure is None or outcome.failure.kind == NOT_BOUND


def _binds(outcome: Outcome, name: str) -> bool:
    return _loads(outcome) and name in outcome.names


def fault(function: Record) -> str:
    """What the slicer did wrong, empty where it did nothing."""
    kinds = [(kind, function[kind]) for kind in ("as it is", "mocked") if kind in function]
    faults = [
        f"{kind}: {result.get('crashed') or result['why']}"
        for kind, result in kinds
        if "crashed" in result or result.get("loads") is False
    ]
    return "; ".join(faults)


def summarise(functions: Sequence[Record]) -> Record:
    """Counts of what came of the functions, by kind of slice, and why originals do not load."""
    summary: Record = {"functions": len(functions)}
    for kind in ("as it is", "mocked"):
        results = [function[kind] for function in functions if kind in function]
        sliced = [result for result in results if "seconds" in result]
        tried = [result for result in sliced if "loads" in result]
        summary[kind] = {
            "sliced": len(sliced),
            "refused": _counted(r["refused"].partition(":")[0] for r in results if "refused" in r),
            "crashed": _counted(r["crashed"] for r in results if "crashed" in r),
            "load": share(sum(result["loads"] for result in tried), len(tried)),
            "milliseconds": round(1000 * median([r["seconds"] for r in sliced]), 1),
        }
    summary["left_out"] = _counted(
        function.get("why", "binds no such name")
        for function in functions
        if not function["original"]
    )
    return summary


def _counted(texts: Iterator[str]) -> dict[str, int]:
    return dict(Counter(texts).most_common())


def _text(summary: Record) -> str:
    rows = [
        (
            kind,
            summary["functions"],
            summary[kind]["sliced"],
            sum(summary[kind]["refused"].values()),
            sum(summary[kind]["crashed"].values()),
            summary[kind]["load"],
            summary[kind]["milliseconds"],
        )
        for kind in ("as it is", "mocked")
    ]
    head = ("slices", "functions", "sliced", "refused", "crashed", "load", "ms")
    reasons = list(summary["left_out"].items())[:20]
    return "\n\n".join(
        (table(head, rows), table(("originals that do not load", "functions"), reasons))
    )


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.repost.repositories",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--repos", type=Path, required=True, help="folder of whole repositories")
    parser.add_argument("--fetch", type=Path, metavar="LIST", help="clone these into DIR, no more")
    parser.add_argument("--only", default="", metavar="TEXT", help="those whose name has this")
    parser.add_argument("--sample", type=int, default=40, help="functions of each at most (40)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--python", type=Path, help="interpreter that runs originals and slices")
    parser.add_argument("--scripts", type=Path, metavar="DIR", help="leave failing slices here")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="write results/repositories.json")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, help="cache folder")
    return parser


if __name__ == "__main__":
    sys.exit(main())
