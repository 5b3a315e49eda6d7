"""Environments against their own candidate suites, scored as `slice-func score` does.

    python -m benchmarks.environments.candidates DIR [DIR ...]
    python -m benchmarks.environments.candidates DIR --data FILE --repos DIR --records FILE

Every folder below DIR that `--env` has written counts; with `--data`, those of RepoST-Eval's
targets are first made in DIR, of the cases in the records that `benchmarks.cases.synthesis` keeps.

The original passes 20 times of 20; the empty body, the constants, the echo of a case's answer and
a random half of the mutants that the record calls killed fail; each rewrite of the original that
does the same passes. What survives according to the record may do either, and is counted apart. A
run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from slicefunc.driver.places.environment_scorer import ScoreOptions, open_scorer
from slicefunc.driver.record.environment_files import RECORD, Environment, read_environment
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.scoring.score import Candidate
from slicefunc.verifier.scoring.verdict import Score

from ..common.records import opened
from ..common.report import Progress, digest_of, machine, share, table, write_result
from ..sources.sdists import DEFAULT_WORK
from .candidate_environments import make_environments
from .candidate_suite import Member, suite

Record = dict[str, Any]


def main(argv: list[str] | None = None) -> int:
    """Score what is not yet recorded, and print; the exit status is 1 where a verdict is wrong."""
    options = _arguments().parse_args(argv)
    work = options.work.resolve()
    os.environ.setdefault("SLICE_FUNC_CACHE", str(work))
    if options.data:
        make_environments(
            options.folders[0], options.data, options.repos, options.records, options.targets
        )
    places = [(root, folder) for root in options.folders for folder in _environments(root)]
    if options.limit and options.limit < len(places):
        chosen = random.Random(options.seed).sample(range(len(places)), options.limit)
        places = [places[at] for at in sorted(chosen)]
    progress = Progress("environments", len(places))
    found: list[Record] = []
    key = digest_of(
        "verifier",
        "driver/places/environment_scorer.py",
        "benchmarks/environments/candidate_suite.py",
    )
    with opened(work / f"candidates-{options.seed}-{key}.jsonl") as records:
        known = {record["id"]: record for record in records.found}
        for root, folder in places:
            environment = read_environment(folder)
            identity = environment.record["id"]
            if identity not in known:
                known[identity] = _record(folder, environment, options)
                records.add(known[identity])
            name = f"{root.name}/{folder.relative_to(root)}"
            found.append({"environment": name, **known[identity]})
            progress.advance()
    result = {"summary": _summary(found), "environments": found, **machine()}
    if options.write:
        write_result("candidates", result)
    print(json.dumps(result, indent=1) if options.json else _markdown(found))
    return 1 if any(record["deviations"] or record["failure"] for record in found) else 0


def _environments(root: Path) -> list[Path]:
    return sorted(file.parent for file in root.rglob(RECORD))


def _record(folder: Path, environment: Environment, options: argparse.Namespace) -> Record:
    record: Record = {"id": environment.record["id"], "kinds": {}, "deviations": [], "failure": ""}
    try:
        members = list(suite(environment, options.seed))
        with open_scorer(folder, ScoreOptions(jobs=options.jobs)) as scorer:
            scores = list(scorer.score_all(Candidate(m.name, m.text) for m in members))
    except SliceFuncError as error:
        return {**record, "failure": f"{type(error).__name__}: {error}"}
    pairs = list(zip(members, scores, strict=True))
    return {
        **record,
        "cases": len(environment.oracle.recorded),
        "seconds": round(sum(score.seconds for score in scores), 3),
        "kinds": _counted(pairs),
        "deviations": [_deviation(*pair) for pair in pairs if not _is_right(*pair)],
    }


def _counted(pairs: Sequence[tuple[Member, Score]]) -> dict[str, list[int]]:
    """By kind: how many passed, and how many there are."""
    found: dict[str, list[int]] = {}
    for member, score in pairs:
        passed, number = found.get(member.kind, (0, 0))
        found[member.kind] = [passed + (score.verdict == "passed"), number + 1]
    return found


def _is_right(member: Member, score: Score) -> bool:
    if score.verdict == "infrastructure":
        return False
    return member.passes is None or member.passes == (score.verdict == "passed")


def _deviation(member: Member, score: Score) -> Record:
    return {
        "kind": member.kind, "name": member.name, "verdict": score.verdict,
        "reason": score.reason, "text": member.text.strip("\n"),
    }  # fmt: skip


def _summary(found: list[Record]) -> Record:
    kinds: dict[str, list[int]] = {}
    for record in found:
        for kind, (passed, number) in record["kinds"].items():
            old = kinds.get(kind, [0, 0])
            kinds[kind] = [old[0] + passed, old[1] + number]
    scored = [record for record in found if not record["failure"]]
    return {
        "environments": len(found),
        "scored": len(scored),
        "with every verdict right": sum(not record["deviations"] for record in scored),
        "candidates": sum(number for _, number in kinds.values()),
        "passed, of": kinds,
        "failures": [f"{r['environment']}: {r['failure']}" for r in found if r["failure"]],
    }


def _markdown(found: list[Record]) -> str:
    summary = _summary(found)
    rows = [[kind, share(*counts)] for kind, counts in summary["passed, of"].items()]
    right = share(summary["with every verdict right"], summary["environments"])
    lines = [table(["candidates", "passed"], rows), "", f"every verdict right: {right}", ""]
    lines += [f"- {each}" for each in summary["failures"]]
    for record in found:
        lines += [
            f"- {record['environment']}: {each['kind']}: {each['name']}: {each['verdict']}"
            f"{': ' + each['reason'] if each['reason'] else ''}"
            for each in _once(record["deviations"])
        ]
    return "\n".join(lines)


def _once(deviations: list[Record]) -> list[Record]:
    """Deviations of which no two say the same."""
    return list(
        {(each["kind"], each["text"], each["reason"]): each for each in deviations}.values()
    )


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmarks.environments.candidates", description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )  # fmt: skip
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--data", type=Path, help="the data set, JSON lines")
    parser.add_argument("--repos", type=Path, help="folder of checkouts, as owner___name")
    parser.add_argument("--records", type=Path, help="of benchmarks.cases.synthesis, JSON lines")
    parser.add_argument("--targets", type=int, help="that are made, at most")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--limit", type=int, help="environments, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
