"""Cases synthesised for RepoST-Eval's targets: coverage, mutants killed, time; no model.

    python -m benchmarks.cases.synthesis --data FILE --repos DIR

What it notes in the work folder is also what `benchmarks.cases.case_report` draws cases from.

Each slice is made with mocks, what it imports is installed as of the commit, and cases are
searched for in the sandbox. A run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from slicefunc.driver.pipeline.case_synthesis import first_cases, search_cases
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.driver.places.preloaded_modules import preload_profile
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.execution.batched_trials import OriginalTrial
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.search.corpus.trial_result import quality
from slicefunc.verifier.search.exploration import Budget

from ..common.report import digest_of, machine, share, table, write_result
from ..mocks.mocks import installed
from ..repost.data.examples import Example, find_home
from ..repost.data.over_examples import Record, over_examples
from ..sources.sdists import DEFAULT_WORK
from .case_report import shown


def main(argv: list[str] | None = None) -> int:
    """Measure what is not yet recorded, and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    key = digest_of("slicer", "mocker", "verifier", "driver")
    name = f"synthesis-{options.drafts}-{options.tag or key}"
    found = over_examples(
        options,
        name,
        lambda e, repositories, work: _told(
            _record(e, repositories, work, options.drafts), options
        ),
    )
    summary = _summary(found)
    result = {"summary": summary, "targets": found, **machine()}
    if options.write:
        write_result("synthesis", result)
    print(json.dumps(result, indent=1) if options.json else _markdown(summary, found))
    return 0


def _record(example: Example, repositories: Path | None, work: Path, drafts: int) -> Record:
    home = find_home(example, repositories, work / "contexts")
    record: Record = {
        "number": example.number, "repository": example.repository, "target": example.target,
        "home": home.origin,
    }  # fmt: skip
    try:
        repository = Repository(home.folder)
        sliced = compile_slice(repository, (example.target,))
        sliced, place = installed(repository, sliced, (), partial(first_cases, repository))
    except SliceFuncError as error:
        return {**record, "failure": f"not placed: {error}"}
    executor = choose().make()
    executor.start(preload_profile(sliced.manifest, place.profile))
    started = time.monotonic()
    try:
        made = search_cases(repository, sliced, executor.run, Budget(drafts))
    except Exception as error:  # noqa: BLE001 - one target must not end the run
        return {**record, "failure": f"internal: {error!r}"}
    finally:
        executor.close()
    coverage = made.coverage
    return {
        **record,
        "seconds": time.monotonic() - started,
        "failure": made.failure,
        "tried": made.tried,
        "branches": coverage.branches if coverage else None,
        "coverage": coverage.share if coverage else None,
        "missing": [str(each) for each in coverage.missing] if coverage else [],
        "missing_lines": list(coverage.missing_lines) if coverage else [],
        "mutants": len(made.killed) + len(made.survived),
        "killed": len(made.killed),
        "survived": [str(each) for each in made.survived],
        "not_applied": made.not_applied,
        "cases": [each.code for each in made.cases],
        "endings": [quality(OriginalTrial(each)) for each in made.observations],
        "shows": [shown(each) for each in made.observations],
    }


def _told(record: Record, options: argparse.Namespace) -> Record:
    if options.verbose:
        print(_line(record), flush=True)
    return record


def _line(record: Record) -> str:
    coverage = record.get("coverage")
    shown = "-" if coverage is None else f"{coverage:.2f}"
    mutants = record.get("mutants") or 0
    rate = f"{record['killed'] / mutants:.2f}" if mutants else "-"
    return (
        f"{record['number']:>5} {record['target'][-45:]:45} {shown} {rate} of {mutants:3} "
        f"{len(record.get('cases', ())):2} cases {record.get('seconds', 0):5.1f} s "
        f"{record['failure']} {record.get('missing', [])[:1]}"
    )


def _summary(found: list[Record]) -> Record:
    made = [r for r in found if r.get("coverage") is not None]
    kept = [r for r in made if r["cases"]]
    mutants = sum(r["mutants"] for r in kept)
    cases = [len(r["cases"]) for r in kept]
    lines = [code.count("\n") - 1 for r in kept for code in r["cases"]]
    return {
        "targets": len(found),
        "with cases": len(kept),
        "at 100 %": sum(r["coverage"] == 1 for r in kept),
        "at 80 %": sum(r["coverage"] >= 0.8 for r in kept),
        "mutants": mutants,
        "killed": sum(r["killed"] for r in kept),
        "at 80 % killed": sum(r["killed"] >= 0.8 * r["mutants"] for r in kept),
        "seconds, median": _median(r["seconds"] for r in made),
        "cases, median": _median(cases),
        "cases, most": max(cases, default=0),
        "lines a case, median": _median(lines),
        "lines a case, most": max(lines, default=0),
        "failures": sorted(f"{r['number']}: {r['failure']}" for r in found if r["failure"]),
    }


def _median(values: Iterable[float]) -> float | None:
    known = list(values)
    return statistics.median(known) if known else None


def _markdown(summary: Record, found: list[Record]) -> str:
    n = summary["targets"]
    rows = [
        ["targets with cases", share(summary["with cases"], n)],
        ["100 % of the target's branches", share(summary["at 100 %"], n)],
        ["at least 80 %", share(summary["at 80 %"], n)],
        ["mutants killed", share(summary["killed"], summary["mutants"])],
        ["at least 80 % killed", share(summary["at 80 % killed"], summary["with cases"])],
        ["seconds a target, median", f"{summary['seconds, median']:.1f}"],
        ["cases, median; lines a case", f"{summary['cases, median']}; "
         f"{summary['lines a case, median']}"],
    ]  # fmt: skip
    lines = [table(["", "reached"], rows), "", *(f"- {each}" for each in summary["failures"])]
    lines += ["", *(f"    {_line(r)}" for r in found if r.get("coverage") != 1)]
    return "\n".join(lines)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.cases.synthesis", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--only", nargs="*", default=[], metavar="NUMBER")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--drafts", type=int, default=Budget().drafts, help="tried for each target")
    parser.add_argument("--tag", help="names the record, whatever the code")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
