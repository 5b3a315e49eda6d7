"""`--verify` on RepoST-Eval: does a slice run with nothing but what was installed for it?

    python -m benchmarks.repost.verify --data FILE --repos DIR

`--repos` holds clones as `owner/name` or `owner___name`, at the commits that the data name, whose
dates bound the versions. Where one is missing the fragments in the data serve. What is installed
is shared by scripts with equal locks; then locks that agree are merged, and each script that ran
is run again in the merged environment. A run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from slicefunc.driver.pipeline.passes import Verification, compile_environment, compile_slice
from slicefunc.driver.places.repository_origin import origin_of
from slicefunc.driver.places.script_environment import Provision
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.execution.environments import (
    Cache,
    Policy,
    merge_locks,
    provide_merged,
    read_lock,
)
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Job, Limits, Profile

from ..common.records import opened
from ..common.report import Progress, digest_of, machine, normalised, share, table, write_result
from ..sources.sdists import DEFAULT_WORK
from .data.examples import Example, find_home, read_examples
from .data.script_environments import heavy

LIMITS = Limits(wall_seconds=60, cpu_seconds=60)
Record = dict[str, Any]


def main(argv: list[str] | None = None) -> int:
    """Verify what is not yet recorded, and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    work = options.work.resolve()
    os.environ["SLICE_FUNC_CACHE"] = str(work)
    examples = read_examples(options.data)[: options.limit]
    repositories = options.repos.resolve() if options.repos else None
    progress = Progress("slices", len(examples))
    found: list[Record] = []
    with opened(work / f"records-{digest_of('slicer', 'verifier', 'driver')}.jsonl") as records:
        known = {record["number"]: record for record in records.found}
        for example in examples:
            if example.number not in known:
                known[example.number] = _record(example, repositories, work)
                records.add(known[example.number])
            found.append(known[example.number])
            progress.advance()
    summary = {**_summary(found), "merged": _merged(found, work)}
    shown = [{k: v for k, v in each.items() if k not in _UNWRITTEN} for each in found]
    result = {"summary": summary, "slices": shown, **machine()}
    if options.write:
        write_result("repost_verify", result)
    print(json.dumps(result, indent=1) if options.json else _markdown(summary))
    return 0


_UNWRITTEN = frozenset({"lock", "script"})


def _record(example: Example, repositories: Path | None, work: Path) -> Record:
    home = find_home(example, repositories, work / "contexts")
    record: Record = {
        "number": example.number,
        "repository": example.repository,
        "target": example.target,
        "home": home.origin,
    }
    try:
        repository = Repository(home.folder)
        wanted = compile_slice(repository, (example.target,)).manifest.requirements
        origin = origin_of(home.folder)
        policy = Policy(exclude_newer=origin.time or "")
        too_large = heavy(wanted, Cache(work / "environments"), policy)
        record |= {"time": origin.time, "requirements": wanted}
        if too_large:
            return {**record, "too_large": too_large}
        done = compile_environment(repository, example.target, None, Verification())
    except SliceFuncError as error:
        return {**record, "error": str(error)}
    return {
        **record,
        **_provided(done.provision),
        **_ran(done.verified.checks, done.sliced.source, work),
    }


def _provided(provision: Provision) -> Record:
    assert provision.lock is not None
    return {
        "lock": provision.lock.text(),
        "environment": provision.lock.digest[:12],
        "problems": [(p.code, p.requirement, p.is_relaxed) for p in provision.problems],
        "added": [each.requirement for each in provision.additions],
        "notes": provision.notes,
    }


def _ran(checks: tuple[Any, ...], source: str, work: Path) -> Record:
    by_name = {check.name: check for check in checks}
    runs = by_name["runs alone"]
    name, _, message = runs.detail.partition(": ")
    return {
        "runs": runs.passed,
        "detail": "" if runs.passed else runs.detail.replace(str(work), "WORK"),
        "reason": "" if runs.passed else normalised(name, message),
        "equal": all(by_name[n].passed for n in by_name if "AST" in n),
        "script": source,
    }


def _summary(found: list[Record]) -> Record:
    ran = [each for each in found if "runs" in each]
    return {
        "slices": len(found),
        "too_large": sum("too_large" in each for each in found),
        "errors": dict(Counter(each["error"] for each in found if "error" in each)),
        "verified": len(ran),
        "equal": sum(each["equal"] for each in ran),
        "run": sum(each["runs"] for each in ran),
        "need_nothing": sum(not each["requirements"] for each in ran),
        "added": sum(bool(each["added"]) for each in ran),
        "not_as_asked": dict(
            Counter(
                f"{code}{' (another version)' if is_relaxed else ''}"
                for each in ran
                for code, _, is_relaxed in each["problems"]
            )
        ),
        "reasons": dict(Counter(each["reason"] for each in ran if not each["runs"]).most_common()),
        "environments": len({each["environment"] for each in ran}),
    }


def _merged(found: list[Record], work: Path) -> Record:
    """How few environments serve all scripts that ran, and how many of them run in these."""
    ran = [each for each in found if each.get("runs")]
    policy = Policy()
    locks = [read_lock(each["lock"]) for each in ran]
    merged, environments = provide_merged(locks, Cache(work / "environments"), policy)
    choice = choose()
    failed: list[str] = []
    for place, environment in enumerate(environments):
        executor = choice.make()
        executor.start(Profile(python=environment.python))
        for each, of in zip(ran, merged.of, strict=True):
            if of == place:
                outcome = executor.run(Job(each["script"], limits=LIMITS))
                if outcome.exit_status != 0:
                    failed.append(f"{each['repository']} {each['target']}")
        executor.close()
    return {
        "scripts": len(ran),
        "locks": len({lock.digest for lock in locks}),
        "environments": len(merge_locks(locks).locks),
        "run": len(ran) - len(failed),
        "failed": failed,
    }


def _markdown(summary: Record) -> str:
    merged = summary["merged"]
    rows = [
        ["slices", str(summary["slices"])],
        ["left out: environment too large", str(summary["too_large"])],
        *([f"left out: {text[:80]}", str(n)] for text, n in summary["errors"].items()),
        ["trees are the repository's", share(summary["equal"], summary["verified"])],
        ["run alone", share(summary["run"], summary["verified"])],
        ["need nothing installed", str(summary["need_nothing"])],
        ["something was added after a run", str(summary["added"])],
        *([f"not as asked: {code}", str(n)] for code, n in summary["not_as_asked"].items()),
        ["different environments", str(summary["environments"])],
        [
            "merged environments for those that run",
            f"{merged['environments']} (of {merged['locks']} locks); "
            f"{share(merged['run'], merged['scripts'])} run there",
        ],
        *([f"does not run: {text}", str(n)] for text, n in summary["reasons"].items()),
    ]
    return table(["", ""], rows)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.repost.verify",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="the data set, JSON lines")
    parser.add_argument("--repos", type=Path, metavar="DIR", help="folder with clones")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N targets")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK / "repost-verify", metavar="DIR")
    parser.add_argument("--json", action="store_true", help="JSON instead of Markdown")
    parser.add_argument("--write", action="store_true", help="keep the result")
    return parser


if __name__ == "__main__":
    sys.exit(main())
