"""Fresh inputs of a dataset's environments: how many there are, false alarms, and power.

    python -m benchmarks.training.fresh_inputs DATASET --limit 60 --seed 0

False alarms: the original and equivalent rewrites of it that pass all cases and are refuted. Power:
mutants that survive all cases and that fresh inputs refute; beside them a few mutants that the
cases kill. With `--weak` environments have their shown cases alone, and all mutants that these let
pass count: what fresh inputs see without hidden cases. A run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.storage.dataset import open_dataset
from slicefunc.driver.places.environment_scorer import (
    ScoreOptions,
    comparison_of,
    scoring_profile,
)
from slicefunc.driver.places.fresh_scorer import FreshScorer
from slicefunc.driver.record.environment_files import Environment, environment_of
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.scoring.score import Candidate, Scorer
from slicefunc.verifier.search.fresh.fresh_oracle import COUNT

from ..common.records import opened
from ..common.report import Progress, digest_of, machine, median, percentile, share, write_result
from ..environments.candidate_suite import Member, suite
from ..sources.sdists import DEFAULT_WORK

Record = dict[str, Any]
_MOST_KILLED = 6
"""Killed mutants of an environment that are asked."""
_MOST_WEAK = 40
"""The same with `--weak`, where few of them pass."""
_MOST_SURVIVORS = 12
_RIGHT = ("original", "rewrite")
_KINDS = (*_RIGHT, "surviving mutant", "killed mutant")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what is not yet recorded, and print; the exit status is 1 after a false alarm."""
    options = _arguments().parse_args(argv)
    work = options.work.resolve()
    os.environ.setdefault("SLICE_FUNC_CACHE", str(work))
    dataset = open_dataset(options.dataset)
    ids = sorted(dataset.ids())
    if options.limit and options.limit < len(ids):
        ids = sorted(random.Random(options.seed).sample(ids, options.limit))
    key = digest_of("verifier", "driver/places", "benchmarks/training/fresh_inputs.py")
    kind = "weak-" if options.weak else ""
    progress = Progress("environments", len(ids))
    with opened(work / f"fresh-{options.seed}-{options.count}-{kind}{key}.jsonl") as records:
        known = {record["id"]: record for record in records.found}
        for identity in ids:
            if identity not in known:
                environment = dataset.environment(identity)
                known[identity] = _record(
                    _weakened(environment) if options.weak else environment, options
                )
                records.add(known[identity])
            progress.advance()
    found = [known[identity] for identity in ids]
    result = {"summary": _summary(found), "environments": found, **machine()}
    if options.write:
        write_result("fresh-inputs-weak" if options.weak else "fresh-inputs", result)
    print(json.dumps(result, indent=1) if options.json else _markdown(found))
    return 1 if any(each["kind"] in _RIGHT for each in _refuted(found)) else 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dataset")
    parser.add_argument("--limit", type=int, default=0, help="environments, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=COUNT, help="inputs of an environment")
    parser.add_argument("--weak", action="store_true", help="without hidden cases")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results/ too")
    return parser


def _record(environment: Environment, options: argparse.Namespace) -> Record:
    target = environment.record["target"]
    record: Record = {
        "id": environment.record["id"],
        "target": f"{target['path']}::{target['qualname']}",
        "cases": len(environment.oracle.every),
        "inputs": 0,
        "why_not": "",
        "candidates": [],
    }
    start = time.monotonic()
    with FreshScorer(environment, seed=options.seed, count=options.count) as fresh:
        record["seconds"] = round(time.monotonic() - start, 3)
        if fresh.oracle is None:
            return {**record, "why_not": fresh.why_not}
        record["inputs"] = len(fresh.oracle.recorded)
        try:
            record["candidates"] = _answers(environment, fresh, options)
        except SliceFuncError as error:
            record["no_suite"] = f"{type(error).__name__}: {error}"
    return record


def _weakened(environment: Environment) -> Environment:
    """The environment without its hidden cases."""
    about = {**environment.record}
    del about["id"]
    lock = about["lock"]
    oracle = replace(environment.oracle, hidden=())
    text = environment.files[lock] if lock else None
    return environment_of(oracle, about, text, environment.preload)


def _answers(
    environment: Environment, fresh: FreshScorer, settings: argparse.Namespace
) -> list[Record]:
    """What cases and fresh inputs say of each candidate; the cases first."""
    options = ScoreOptions()
    found: list[Record] = []
    with Scorer(
        environment.oracle,
        comparison=comparison_of(environment, options),
        profile=scoring_profile(environment, None),
    ) as scorer:
        for kind, member in _members(environment, settings):
            verdict = scorer.score(Candidate(member.name, member.text)).verdict
            if settings.weak and verdict != "passed":
                continue
            start = time.monotonic()
            checked = fresh.check(member.text)
            first = checked.difference
            found.append(
                {
                    "kind": kind,
                    "name": member.name,
                    "verdict": verdict,
                    "answer": checked.answer,
                    "reason": checked.reason if checked.answer != "agrees" else "",
                    "code": checked.code,
                    "where": first.where if first else "",
                    "seconds": round(time.monotonic() - start, 3),
                }
            )
    return found


def _members(environment: Environment, settings: argparse.Namespace) -> list[tuple[str, Member]]:
    """The candidates that are asked: the original once, and a few mutants of each kind."""
    killed = _MOST_WEAK if settings.weak else _MOST_KILLED
    most = {"original": 1, "killed mutant": killed, "surviving mutant": _MOST_SURVIVORS}
    counts: Counter[str] = Counter()
    found: list[tuple[str, Member]] = []
    for member in suite(environment, settings.seed):
        kind = member.kind.partition(":")[0]
        counts[kind] += 1
        if kind in _KINDS and counts[kind] <= most.get(kind, 100):
            found.append((kind, member))
    return found


def _refuted(found: Sequence[Record]) -> list[Record]:
    """The candidates that pass all cases and that fresh inputs refute."""
    return [
        {"target": record["target"], **each}
        for record in found
        for each in record["candidates"]
        if each["verdict"] == "passed" and each["answer"] == "refuted"
    ]


def _summary(found: Sequence[Record]) -> Record:
    having = [record for record in found if record["inputs"]]
    counts = [record["inputs"] for record in having]
    candidates = [each for record in found for each in record["candidates"]]
    kinds: Record = {}
    for kind in _KINDS:
        own = [each for each in candidates if each["kind"] == kind]
        passed = [each for each in own if each["verdict"] == "passed"]
        asked = own if kind == "killed mutant" else passed
        kinds[kind] = {
            "asked": len(asked),
            "refuted": sum(each["answer"] == "refuted" for each in asked),
            "unknown": sum(each["answer"] == "unknown" for each in asked),
            "of all": len(own),
        }
    return {
        "environments": len(found),
        "with fresh inputs": len(having),
        "inputs": {
            "all": sum(counts), "median": median(counts), "least": min(counts, default=0),
            "full": sum(count == max(counts) for count in counts),
        },
        "candidates": kinds,
        "why not": dict(Counter(r["why_not"] for r in found if r["why_not"]).most_common()),
        "no candidates": dict(Counter(r["no_suite"] for r in having if "no_suite" in r)),
        "seconds": {
            "median": round(median([r["seconds"] for r in found]), 2),
            "p90": round(percentile([r["seconds"] for r in found], 90), 2),
        },
        "seconds of a candidate": round(median([each["seconds"] for each in candidates]), 3),
    }  # fmt: skip


def _markdown(found: Sequence[Record]) -> str:
    summary = _summary(found)
    lines = [
        f"with fresh inputs: {share(summary['with fresh inputs'], summary['environments'])}",
        f"inputs: {summary['inputs']}",
        f"seconds of an environment: {summary['seconds']}, of a candidate: "
        f"{summary['seconds of a candidate']}",
    ]
    for kind, each in summary["candidates"].items():
        lines.append(f"{kind}: refuted {share(each['refuted'], each['asked'])}, "
                     f"unknown {each['unknown']}, of {each['of all']} made")  # fmt: skip
    lines += [f"- none: {why}: {count}" for why, count in summary["why not"].items()]
    lines += [f"- no candidates: {why}: {n}" for why, n in summary["no candidates"].items()]
    lines += [
        f"- FALSE ALARM {each['target']}: {each['name']}: {each['reason']}\n{each['code']}"
        for each in _refuted(found)
        if each["kind"] in _RIGHT
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
