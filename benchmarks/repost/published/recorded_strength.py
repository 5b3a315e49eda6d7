"""How many of our mutants the tests of RepoST's published eval scripts kill, written by a model.

    python -m benchmarks.repost.published.recorded_strength --data FILE --repos DIR

The mutants are those that our own cases are held against (`verifier/mutation`). Each takes the
place of `<func>_new_implementation` in the published script, which is run as a program in the
sandbox, one process for each. A clean run with the target's own text and one with a target that
only raises come first; where they do not pass and fail, nothing is counted. A run resumes where it
stopped.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.environments import Environment, Policy
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Limits, Mutant, Profile
from slicefunc.verifier.mutation.cheap_solutions import cheap_solutions, failing
from slicefunc.verifier.mutation.mutants import MOST, MutantRecord, mutants_of
from slicefunc.verifier.mutation.mutated_block import Block, block_of
from slicefunc.verifier.script.target_lines import traced_lines

from ...common.records import opened
from ...common.report import (
    Progress,
    digest_of,
    machine,
    median,
    normalised,
    percentile,
    share,
    table,
    write_result,
)
from ...sources.sdists import DEFAULT_WORK
from ..data.examples import Example, definitions, find_home, read_examples
from .eval_bench import Bench, TooLargeError, verdict_of
from .eval_candidate import NoPlaceError, fill
from .eval_scripts import PUBLISHED

Record = dict[str, Any]
_LEAST_SECONDS = 5.0
_TIMES_SLOWER = 10.0


def main(argv: list[str] | None = None) -> int:
    """Measure what is not yet recorded, and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    work = options.work.resolve()
    examples = read_examples(options.data)
    if options.only:
        examples = tuple(e for e in examples if e.number in options.only)
    if options.every > 1:
        examples = examples[:: options.every]
    examples = examples[: options.limit]
    repositories = options.repos.resolve() if options.repos else None
    policy = Policy(
        exclude_newer=PUBLISHED, find_links=tuple(str(p.resolve()) for p in options.find_links)
    )
    progress = Progress("eval scripts", len(examples))
    found: list[Record] = []
    own = ("verifier/mutation", "benchmarks/repost/published/recorded_strength.py")
    name = f"recorded-strength-{options.most}-{options.tag or digest_of(*own)}.jsonl"
    choice = choose(Profile())
    bench = Bench(choice, work, policy, preloads=True)
    with opened(work / name) as records, closing(bench):
        known = {record["number"]: record for record in records.found}
        for example in examples:
            if example.number not in known:
                known[example.number] = _record(example, repositories, bench, options.most)
                records.add(known[example.number])
                if options.verbose:
                    print(_line(known[example.number]), flush=True)
            found.append(known[example.number])
            progress.advance()
    summary = _summary(found)
    result = {"summary": summary, "scripts": found, **machine()}
    if options.write:
        write_result("recorded_strength", result)
    print(json.dumps(result, indent=1) if options.json else _markdown(summary, found))
    return 0


def _record(example: Example, repositories: Path | None, bench: Bench, limit: int) -> Record:
    record: Record = {
        "number": example.number, "repository": example.repository, "target": example.target,
    }  # fmt: skip
    started = time.monotonic()
    try:
        block = _block(example, repositories, bench.work)
        environment = bench.environment(example)
        placed = time.monotonic()
        found = _strength(example, block, environment, bench, limit)
        coverage = {} if found["failure"] else {"coverage": bench.coverage(example, environment)}
        times = {"placing": placed - started, "wall": time.monotonic() - placed}
        return {**record, **found, **coverage, **times}
    except (SliceFuncError, NoPlaceError, TooLargeError) as error:
        return {**record, "failure": f"{type(error).__name__}: {error}"}
    except Exception as error:  # noqa: BLE001 - one target must not end the run
        return {**record, "failure": f"internal: {error!r}"}


def _block(example: Example, repositories: Path | None, work: Path) -> Block:
    """The text that our mutants are made of."""
    repository = Repository(find_home(example, repositories, work / "contexts").folder)
    sliced = compile_slice(repository, (example.target,))
    (traced, *_) = traced_lines(repository.path, sliced)
    return block_of(traced, example.qualname)


def _strength(
    example: Example, block: Block, environment: Environment, bench: Bench, limit: int
) -> Record:
    def verdict(text: str, limits: Limits) -> tuple[str, float]:
        nodes = definitions(text, example.qualname)
        if not nodes:
            raise NoPlaceError("no definition of the target's name")
        function = ast.unparse(nodes[-1])
        script = fill(example.eval_script, example.qualname, function, "repository").text
        outcome = bench.run(environment, script, limits)
        if outcome.end == "infrastructure":
            raise SandboxError(outcome.detail)  # it says nothing about a mutant
        return verdict_of(outcome)[0], outcome.cpu_seconds

    own, seconds = verdict(block.standing(block.lines), Limits(wall_seconds=300, cpu_seconds=60))
    if own != "passed":
        return {"failure": f"the target's own text: {own}"}
    least = max(_LEAST_SECONDS, _TIMES_SLOWER * seconds)
    limits = Limits(wall_seconds=5 * least, cpu_seconds=least)
    forced, _ = verdict(failing(block).text, limits)
    if forced == "passed":
        return {"failure": "the target made to fail passes"}

    def passing(mutants: Sequence[Mutant]) -> set[str]:
        return {each.name for each in mutants if verdict(each.text, limits)[0] == "passed"}

    found = mutants_of(block, limit)
    alive = passing([made.mutant for made in found.records])
    return {
        "failure": "",
        "seconds": seconds,
        "mutants": len(found.records),
        "killed": len(found.records) - len(alive),
        "same": same_mutants(found.records),
        "alive": sorted(alive, key=int),
        "survived": [str(made) for made in found.records if made.mutant.name in alive],
        "cheap": sorted(passing(cheap_solutions(block))),
    }


def same_mutants(made: Sequence[MutantRecord]) -> str:
    """Digest of the mutants of a target, wherever its lines stand."""
    texts = (each.mutant.text.strip() for each in made)
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def _summary(found: list[Record]) -> Record:
    known = [r for r in found if not r["failure"]]
    rated = [r for r in known if r["mutants"]]
    return {
        "scripts": len(found),
        "measured": len(known),
        "mutants": sum(r["mutants"] for r in known),
        "killed": sum(r["killed"] for r in known),
        "with mutants": len(rated),
        "at 80 % killed": sum(r["killed"] >= 0.8 * r["mutants"] for r in rated),
        "at 100 % killed": sum(r["killed"] == r["mutants"] for r in rated),
        "an empty body passes": sum("empty body" in r["cheap"] for r in known),
        "a cheap solution passes": sum(bool(r["cheap"]) for r in known),
        "at 100 % covered": sum(r["coverage"] == 1 for r in known),
        "seconds, median": median([r["wall"] for r in known]),
        "seconds, 90 %": percentile([r["wall"] for r in known], 90),
        "installing, median": median([r["placing"] for r in known]),
        "reasons": dict(
            Counter(kind_of(r["failure"]) for r in found if r["failure"]).most_common()
        ),
        "failures": sorted(f"{r['number']}: {r['failure']}" for r in found if r["failure"]),
    }


def kind_of(failure: str) -> str:
    """What like failures have in common: what kind it is, without names."""
    head, _, rest = failure.partition(": ")
    return normalised(head, rest)


def _markdown(summary: Record, found: list[Record]) -> str:
    rated = summary["with mutants"]
    rows = [
        ["scripts whose original passes", share(summary["measured"], summary["scripts"])],
        ["our mutants killed by their tests", share(summary["killed"], summary["mutants"])],
        ["scripts that kill at least 80 %", share(summary["at 80 % killed"], rated)],
        ["scripts that kill all", share(summary["at 100 % killed"], rated)],
        ["100 % of the target's branches", share(summary["at 100 % covered"], summary["measured"])],
        ["an empty body passes", share(summary["an empty body passes"], summary["measured"])],
        ["some cheap solution passes",
         share(summary["a cheap solution passes"], summary["measured"])],
    ]  # fmt: skip
    rows += [
        ["seconds a script, median; 90 %",
         f"{summary['seconds, median']:.1f}; {summary['seconds, 90 %']:.1f}"],
        ["seconds to install for it, median", f"{summary['installing, median']:.1f}"],
        *([f"not measured: {why}", str(n)] for why, n in summary["reasons"].items()),
    ]  # fmt: skip
    lines = [table(["", "reached"], rows), "", *(f"- {each}" for each in summary["failures"]), ""]
    return "\n".join([*lines, *(f"    {_line(r)}" for r in found if not r["failure"])])


def _line(record: Record) -> str:
    head = f"{record['number']:>5} {record['target'][-50:]:50}"
    if record["failure"]:
        return f"{head} {record['failure']}"
    return (
        f"{head} {record['killed']:3} of {record['mutants']:3} {record['wall']:6.1f} s "
        f"after {record['placing']:.1f} s"
    )


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmarks.repost.published.recorded_strength", description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--data", type=Path, required=True, help="the data set, JSON lines")
    parser.add_argument("--repos", type=Path, help="folder of checkouts, as owner___name")
    parser.add_argument("--find-links", type=Path, action="append", default=[], metavar="DIR")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK / "repost-eval")
    parser.add_argument("--only", nargs="*", default=[], metavar="NUMBER")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth script")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--most", type=int, default=MOST, help="mutants of each target, at most")
    parser.add_argument("--tag", help="names the record, whatever the code")
    parser.add_argument("--verbose", action="store_true", help="a line for each as it is done")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
