"""What the tests of RepoST's published eval scripts, written by a model, add to our own cases.

    python -m benchmarks.repost.published.recorded_tests --data FILE --repos DIR

Each published test is taken for the answer of a model that is asked for one: it runs in the sandbox
beside our slice, and the calls that it makes become drafts (`driver/model/model_tests`). They are
tried
on the original and on its mutants, and so are the cases of our own search, in the same place. A run
resumes where it stopped.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from slicefunc.driver.model.model_tests import ModelTestResult, RunTests
from slicefunc.driver.pipeline.case_synthesis import first_cases, search_cases
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.driver.places.missing_imports import Trial as MissingTrial
from slicefunc.driver.places.preloaded_modules import importable_preload
from slicefunc.driver.places.repository_origin import origin_of
from slicefunc.driver.places.script_environment import Provision, current_interpreter, provision
from slicefunc.llm.stages.written_tests import WrittenTest
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.slicer.model import Slice
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.batched_trials import Runs, Trial
from slicefunc.verifier.execution.executors.choose_executor import (
    Choice,
    choose,
    with_warm_executors,
)
from slicefunc.verifier.execution.executors.interface import Job, Outcome
from slicefunc.verifier.inputs.argument_pools import inputs_of
from slicefunc.verifier.mutation.mutants import Mutants, mutants_of
from slicefunc.verifier.mutation.mutated_block import block_of
from slicefunc.verifier.scoring.oracle.oracle_recording import STILL
from slicefunc.verifier.script.branch_coverage import BranchCoverage
from slicefunc.verifier.script.target_lines import traced_lines
from slicefunc.verifier.search.corpus.trial_result import TrialResult, quality
from slicefunc.verifier.search.drafts.drafts import Draft
from slicefunc.verifier.search.mutants.draft_selection import Selection

from ...common.records import opened
from ...common.report import (
    Progress,
    digest_of,
    machine,
    median,
    normalised,
    share,
    table,
    write_result,
)
from ...sources.sdists import DEFAULT_WORK
from ..data.examples import Example, find_home, read_examples

Record = dict[str, Any]
_SIDES = ("recorded", "own", "both")


def main(argv: list[str] | None = None) -> int:
    """Measure what is not yet recorded, and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    work = options.work.resolve()
    os.environ.setdefault("SLICE_FUNC_CACHE", str(work))
    examples = read_examples(options.data)
    if options.only:
        examples = tuple(e for e in examples if e.number in options.only)
    examples = examples[:: options.every][: options.limit]
    repositories = options.repos.resolve() if options.repos else None
    code = digest_of(
        "slicer",
        "mocker",
        "verifier",
        "driver",
        "llm",
        "benchmarks/repost/published/recorded_tests.py",
    )
    name = f"recorded-tests-{options.tag or code}.jsonl"
    progress = Progress("recorded tests", len(examples))
    found: list[Record] = []
    with opened(work / name) as records, with_warm_executors(choose()) as choice:
        bench = _Bench(choice, repositories, work, installs=not options.no_install)
        known = {record["number"]: record for record in records.found}
        for example in examples:
            if example.number not in known:
                known[example.number] = bench.record(example)
                records.add(known[example.number])
                if options.verbose:
                    print(_line(known[example.number]), flush=True)
            found.append(known[example.number])
            progress.advance()
    summary = _summary(found)
    result = {"summary": summary, "targets": found, **machine()}
    if options.write:
        write_result("recorded_tests", result)
    print(json.dumps(result, indent=1) if options.json else _markdown(summary, found))
    return 0


def answer_of(example: Example) -> WrittenTest | None:
    """The test of a published script, as a model answers; nothing of the rest of the script."""
    try:
        body = ast.parse(example.eval_script).body
    except SyntaxError:
        return None
    imports = [ast.unparse(n) for n in body if isinstance(n, ast.Import | ast.ImportFrom)]
    tests = [n for n in body if isinstance(n, ast.FunctionDef) and n.name.startswith("test")]
    return WrittenTest(imports=imports, test=ast.unparse(tests[-1])) if tests else None


def written_calls(test: WrittenTest, qualname: str) -> int:
    """How often a test names the target, by its own name: each time is a call of it, or a use."""
    name = qualname.rpartition(".")[2]
    nodes = ast.walk(ast.parse(test.test))
    return sum(name in (getattr(n, "id", None), getattr(n, "attr", None)) for n in nodes)


# ------------------------------------------------------------------------------- one target


@dataclass(frozen=True, slots=True)
class _Side:
    """What some drafts reach."""

    run: int
    """Drafts that return something, or raise what looks meant."""
    explored: tuple[TrialResult, ...]
    """Those of them that show something, and the same again."""
    killed: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Bench:
    """Where targets are measured."""

    choice: Choice
    repositories: Path | None
    work: Path
    installs: bool

    def record(self, example: Example) -> Record:
        """What is found out about one target; why nothing, where that is so."""
        home = find_home(example, self.repositories, self.work / "contexts")
        record: Record = {
            "number": example.number, "repository": example.repository,
            "target": example.target, "home": home.origin,
        }  # fmt: skip
        test = answer_of(example)
        if test is None:
            return {**record, "failure": "the script has no test"}
        started = time.monotonic()
        try:
            repository = Repository(home.folder)
            sliced, options, place = self._placed(repository, example.target)
            placed = time.monotonic()
            tests = RunTests(
                repository, sliced, _package(repository, example.target, options), place,
                self.choice,
            )  # fmt: skip
            found = self._measured(tests, tests.ran(test))
        except SliceFuncError as error:
            return {**record, "failure": f"{type(error).__name__}: {error}"}
        except Exception as error:  # noqa: BLE001 - one target must not end the run
            return {**record, "failure": f"internal: {error!r}"}
        times = {"placing": placed - started, "wall": time.monotonic() - placed}
        written = written_calls(test, example.qualname)
        return {**record, "failure": "", "written": written, **found, **times}

    def _placed(self, repository: Repository, target: str) -> tuple[Slice, Options, Provision]:
        """The slice where it runs; what cannot be had is stubbed, as an environment's is."""
        options = Options()
        sliced = compile_slice(repository, (target,), options)
        origin = origin_of(repository.path)
        while True:
            if self.installs:
                cases = first_cases(repository, sliced)
                errors = MissingTrial(sliced, cases, self.choice.make).errors
                place = provision(repository, sliced.manifest, origin, errors)
            else:
                place = current_interpreter(sliced.manifest)
            gone = (*options.stubs, *place.not_installable)
            options = replace(options, stubs=tuple(dict.fromkeys(gone)))
            stubbed = compile_slice(repository, (target,), options)
            if stubbed.source == sliced.source:
                break
            sliced = stubbed
        profile = importable_preload(self.choice.make, sliced.manifest, place.profile)
        return sliced, options, replace(place, profile=profile)

    def _measured(self, tests: RunTests, ran: ModelTestResult) -> Record:
        """What the drafts of a test reach, what our own cases do, and both together."""
        executor = self.choice.make()
        executor.start(tests.place.profile)

        def run(job: Job) -> Outcome:
            outcome = executor.run(job)
            if outcome.end == "infrastructure":
                raise SandboxError.of(outcome.detail)
            return outcome

        try:
            own = search_cases(tests.repository, tests.sliced, run)
            trying = _Trying.of(tests, run)
            sides = {"recorded": trying.side(ran.drafts), "own": trying.side(own.drafts)}
        finally:
            executor.close()
        return {
            "problem": ran.problem,
            "noted": ran.noted,
            "drafts": len(ran.drafts),
            "run": sides["recorded"].run,
            "cases": len(own.cases),
            "search": own.failure,
            **trying.compared(sides["recorded"], sides["own"]),
        }


def _package(repository: Repository, target: str, options: Options) -> Callable[[], Slice]:
    wanted = replace(options, emit="package")
    return cache(lambda: compile_slice(repository, (target,), wanted))


@dataclass(frozen=True, slots=True)
class _Trying:
    """Where drafts of one target are tried."""

    selection: Callable[[], Selection]
    mutants: Mutants

    @classmethod
    def of(cls, tests: RunTests, run: Runs) -> _Trying:
        """With the target's first block; its mutants are those of our own search."""
        inputs = inputs_of(tests.repository, tests.sliced)
        if inputs is None:
            raise SliceFuncError("the target is no function")
        traced, *_ = traced_lines(tests.repository.path, tests.sliced)
        block = block_of(traced, inputs.qualname)
        span = (traced.first, traced.last)
        trial = Trial(run, tests.sliced.source, inputs.qualname, span, traced.file, STILL)
        mutants = mutants_of(block)
        lines = {made.mutant.name: made.lines for made in mutants.records}
        return cls(lambda: Selection(trial, inputs, block, statements=lines), mutants)

    def side(self, drafts: Sequence[Draft]) -> _Side:
        """What some drafts reach."""
        selection = self.selection()
        tried = selection.explored(drafts, selection.trial) if drafts else []
        run = [each for each in tried if quality(each.trial) < 2]
        lasting = selection.lasting(run)
        selection.survivors(lasting, [made.mutant for made in self.mutants.records])
        killed = frozenset[str]().union(*map(selection.killed, lasting))
        return _Side(len(run), tuple(lasting), killed)

    def compared(self, recorded: _Side, own: _Side) -> Record:
        """The figures of both sides and of their union, and what only the recorded tests reach."""
        both = _Side(0, (*recorded.explored, *own.explored), recorded.killed | own.killed)
        sides = dict(zip(_SIDES, (recorded, own, both), strict=True))
        covered = {name: self.selection().coverage(s.explored) for name, s in sides.items()}
        left = {(each.line, each.to) for each in covered["both"].missing}
        added = [m for m in covered["own"].missing if (m.line, m.to) not in left]
        made = {each.mutant.name: each for each in self.mutants.records}
        names = sorted(recorded.killed - own.killed, key=int)
        return {
            "branches": covered["both"].branches,
            "mutants": len(made),
            **{name: _figures(side, covered[name]) for name, side in sides.items()},
            "added_branches": [str(each) for each in added],
            "added_mutants": [str(made[name]) for name in names],
        }


def _figures(side: _Side, coverage: BranchCoverage) -> Record:
    return {"taken": coverage.taken, "share": coverage.share, "killed": len(side.killed)}


# ------------------------------------------------------------------------------- the report


def _summary(found: list[Record]) -> Record:
    known = [r for r in found if not r["failure"]]
    return {
        "targets": len(found),
        "measured": len(known),
        "called": sum(bool(r["noted"]) for r in known),
        "to the end": sum(bool(r["noted"]) and not r["problem"] for r in known),
        "written": sum(r["written"] for r in known),
        "noted": sum(r["noted"] for r in known),
        "drafts": sum(r["drafts"] for r in known),
        "run": sum(r["run"] for r in known),
        "branches": sum(r["branches"] for r in known),
        "mutants": sum(r["mutants"] for r in known),
        **{side: _side_summary(known, side) for side in _SIDES},
        "adds branches": sum(bool(r["added_branches"]) for r in known),
        "adds mutants": sum(bool(r["added_mutants"]) for r in known),
        "seconds, median": median([r["wall"] for r in known]),
        "problems": dict(Counter(_kind(r["problem"]) for r in known if r["problem"]).most_common()),
        "failures": sorted(f"{r['number']}: {r['failure']}" for r in found if r["failure"]),
    }


def _side_summary(known: list[Record], side: str) -> Record:
    return {
        "taken": sum(r[side]["taken"] for r in known),
        "killed": sum(r[side]["killed"] for r in known),
        "at 100 %": sum(r[side]["share"] == 1 for r in known),
    }


def _kind(problem: str) -> str:
    head, _, rest = problem.partition(": ")
    return normalised(head, rest.partition(" (at `")[0])


def _markdown(summary: Record, found: list[Record]) -> str:
    n = summary["measured"]
    rows = [
        ["tests that call the target beside our slice", share(summary["called"], n)],
        ["that come to their end", share(summary["to the end"], n)],
        ["uses of the target written; calls noted; drafts",
         f"{summary['written']}; {summary['noted']}; {summary['drafts']}"],
        ["drafts that run", share(summary["run"], summary["drafts"])],
        ["targets to which they add branches", share(summary["adds branches"], n)],
        ["targets to which they add mutants", share(summary["adds mutants"], n)],
        ["seconds a target, median", f"{summary['seconds, median']:.1f}"],
    ]  # fmt: skip
    compared = [
        [name, share(summary[side]["at 100 %"], n),
         share(summary[side]["taken"], summary["branches"]),
         share(summary[side]["killed"], summary["mutants"])]
        for side, name in zip(_SIDES, ("recorded tests", "our cases", "both"), strict=True)
    ]  # fmt: skip
    lines = [
        table(["", "reached"], rows),
        "",
        table(["alone", "targets at 100 %", "branches", "mutants killed"], compared),
        "",
        *(f"- {count} x {why}" for why, count in summary["problems"].items()),
        *(f"- {each}" for each in summary["failures"]),
        "",
        *(f"    {_line(r)}" for r in found if not r["failure"]),
    ]
    return "\n".join(lines)


def _line(record: Record) -> str:
    head = f"{record['number']:>5} {record['target'][-45:]:45}"
    if record["failure"]:
        return f"{head} {record['failure']}"
    figures = "; ".join(
        f"{side} {record[side]['taken']}/{record['branches']} "
        f"{record[side]['killed']}/{record['mutants']}"
        for side in _SIDES
    )
    added = [*record["added_branches"], *record["added_mutants"]]
    more = f" adds {'; '.join(added[:2])}" if added else ""
    why = f" [{record['problem'][:80]}]" if record["problem"] else ""
    return (
        f"{head} {record['noted']:3} of {record['written']:3} {record['run']:3} run; "
        f"{figures}{why}{more}"
    )


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmarks.repost.published.recorded_tests", description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--data", type=Path, required=True, help="the data set, JSON lines")
    parser.add_argument("--repos", type=Path, help="folder of checkouts, as owner___name")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--only", nargs="*", default=[], metavar="NUMBER")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth target")
    parser.add_argument("--limit", type=int)
    parser.add_argument(
        "--no-install", action="store_true", help="run with the interpreter at hand"
    )
    parser.add_argument("--tag", help="names the record, whatever the code")
    parser.add_argument("--verbose", action="store_true", help="a line for each as it is done")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
