"""Cases of ours beside what other tools write without a model: coverage, mutants killed, time.

    python -m benchmarks.cases.case_peers --data FILE --repos DIR

The targets are RepoST-Eval's, each as the slice that our own search gets, with its mocks. Ours,
Pynguin (newest release, told to cover the target only) and Hypothesis' ghostwriter have the same
distributions, the same sandbox, and `--seconds` for searching; then as long again, ours for
surviving mutants and Pynguin for assertions. What a tool needs to start does not count. The tests
of all are measured alike: branches of the target by our tracer, and our mutants, swapped in by the
same code. `--recorded` adds the published tests of GPT-4o, from `recorded_strength`, on the targets
where the mutants are the same.

A run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from functools import partial
from keyword import iskeyword
from pathlib import Path
from random import Random
from typing import Any

from slicefunc.driver.pipeline.case_synthesis import first_cases, search_cases
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.driver.places.preloaded_modules import preload_profile
from slicefunc.driver.places.script_environment import Provision
from slicefunc.driver.settings.cache_folders import cache_folder
from slicefunc.mocker.contacts import MOCKS_BEGIN
from slicefunc.slicer import Repository, Slice
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.execution.environments import Cache
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.mutation.mutants import MutantRecord, mutants_of
from slicefunc.verifier.mutation.mutated_block import block_of
from slicefunc.verifier.script.branch_coverage import branch_coverage, parsed_arcs
from slicefunc.verifier.script.target_lines import TracedLines, traced_lines
from slicefunc.verifier.search.exploration import Budget

from ..common.report import digest_of, machine, median, share, table, write_result
from ..mocks.mocks import installed
from ..repost.data.examples import Example, find_home, read_examples
from ..repost.data.over_examples import Record, over_examples
from ..repost.published.recorded_strength import kind_of, same_mutants
from ..sources.sdists import DEFAULT_WORK
from .case_tools import PEERS, TOOLS, Bench, Subject, laid, with_tools

OURS, GPT = "ours", "GPT-4o's tests"
NO_MODEL = (OURS, *PEERS)


def main(argv: list[str] | None = None) -> int:
    """Measure what is not yet recorded, and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    if options.seed and options.limit and not options.only:
        numbers = [example.number for example in read_examples(options.data)]
        options.only = Random(options.seed).sample(numbers, min(options.limit, len(numbers)))
    code = digest_of("slicer", "mocker", "verifier", "driver")
    name = f"case-peers-{options.seconds:g}-{options.seed}-{options.tag or code}"
    found = over_examples(
        options,
        name,
        lambda e, repositories, work: _told(_record(e, repositories, work, options), options),
    )
    recorded = _read_recorded(options.recorded)
    result = {
        "seconds": options.seconds,
        "tools": TOOLS,
        "summary": summary(found),
        "beside": beside(found, recorded),
        "targets": found,
        **machine(),
    }
    if options.write:
        write_result("case_peers", result)
    print(json.dumps(result, indent=1) if options.json else markdown(result))
    return 0


# ------------------------------------------------------------------------ one target


def _record(
    example: Example, repositories: Path | None, work: Path, options: argparse.Namespace
) -> Record:
    home = find_home(example, repositories, work / "contexts")
    record: Record = {
        "number": example.number, "repository": example.repository, "target": example.target,
        "home": home.origin,
    }  # fmt: skip
    try:
        repository = Repository(home.folder)
        sliced = compile_slice(repository, (example.target,))
        sliced, place = installed(repository, sliced, (), partial(first_cases, repository))
        traced, made = _mutants(repository, sliced, example)
    except SliceFuncError as error:
        return {**record, "failure": f"not placed: {error}"}
    coverage = branch_coverage(traced.text, traced.first, traced.last, frozenset())
    return {
        **record,
        "failure": "",
        "branches": coverage.branches,
        "mutants": [str(each) for each in made],
        "same": same_mutants(made),
        "tools": {
            OURS: _ours(repository, sliced, place, options),
            **_peers(repository, example, sliced, place, work, same_mutants(made), options),
        },
    }


def _mutants(
    repository: Repository, sliced: Slice, example: Example
) -> tuple[TracedLines, tuple[MutantRecord, ...]]:
    (traced, *_) = traced_lines(repository.path, sliced)
    return traced, mutants_of(block_of(traced, example.qualname)).records


def _ours(
    repository: Repository, sliced: Slice, provision: Provision, options: argparse.Namespace
) -> Record:
    started = time.monotonic()
    executor = choose().make()
    try:
        executor.start(preload_profile(sliced.manifest, provision.profile))
        budget = Budget(options.drafts, seconds=options.seconds)
        made = search_cases(repository, sliced, executor.run, budget)
    except Exception as error:  # noqa: BLE001 - one target must not end the run
        return {"failure": f"internal: {error!r}", "seconds": time.monotonic() - started}
    finally:
        executor.close()
    counted = made.mutants.records if made.mutants else ()
    alive = {each.mutant.name for each in made.survived}
    applied = {*made.killed, *alive}
    return {
        "failure": "" if made.cases else made.failure or "no case was kept",
        "seconds": round(time.monotonic() - started, 2),
        "tests": len(made.cases),
        "passing": len(made.cases),
        "coverage": made.coverage.share if made.coverage and made.cases else 0.0,
        "killed": sorted(made.killed, key=int),
        "not_applied": [m.mutant.name for m in counted if m.mutant.name not in applied],
    }


def _peers(
    repository: Repository,
    example: Example,
    sliced: Slice,
    provision: Provision,
    work: Path,
    same: str,
    options: argparse.Namespace,
) -> Record:
    if provision.lock is None:
        return {tool: {"failure": "nothing is installed"} for tool in PEERS}
    environment = Cache(cache_folder() / "environments").find(provision.lock)
    try:
        sliced = as_module(repository, sliced)
        traced, made = _mutants(repository, sliced, example)
        own = work / "targets" / example.number
        subject = laid(sliced, traced, example.qualname, own / "module")
        assert environment is not None
        python, changed = with_tools(environment, work / "tools" / TOOLS[0])
    except (SliceFuncError, OSError) as error:
        return {tool: {"failure": f"not placed: {error}"} for tool in PEERS}
    if same_mutants(made) != same:
        return {tool: {"failure": "other mutants than ours"} for tool in PEERS}
    bench = Bench(
        subject, python, own, options.seconds, options.start, options.seed or 1, options.examples
    )
    return {tool: {**_peer(tool, bench, subject, made), "changed": changed} for tool in PEERS}


def as_module(repository: Repository, sliced: Slice) -> Slice:
    """The slice as tools take it: as a package, where the script holds mocks or other modules.

    Pynguin mutates and reloads all of its module. What cannot be imported by its path stays a
    script.
    """
    (target,) = sliced.manifest.targets
    names = target.path.removesuffix(".py").split("/")
    is_simple = sliced.manifest.layout == "flat" and MOCKS_BEGIN not in sliced.source
    if is_simple or not all(name.isidentifier() and not iskeyword(name) for name in names):
        return sliced
    stubs = {
        each.module.partition(".")[0]
        for each in sliced.manifest.externals
        if each.treatment == "stubbed"
    }
    return compile_slice(repository, (str(target),), Options("package", stubs=tuple(sorted(stubs))))


def _peer(tool: str, bench: Bench, subject: Subject, made: tuple[MutantRecord, ...]) -> Record:
    written = PEERS[tool](bench)
    if written["failure"]:
        return written
    found = bench.measured(Path(written["test"]), [each.mutant for each in made])
    if found["failure"]:
        return {**written, "failure": f"tests: {found['failure']}"}
    traced = subject.traced
    arcs = parsed_arcs(found.pop("arcs"))
    coverage = branch_coverage(traced.text, traced.first, traced.last, arcs)
    reason = "" if found["passing"] else f"no test passes: {(found['why'] or ['time is up'])[0]}"
    return {**written, **found, "failure": reason, "coverage": coverage.share}


def _told(record: Record, options: argparse.Namespace) -> Record:
    if options.verbose:
        print(line(record), flush=True)
    return record


# ------------------------------------------------------------------------ all of them


def counted(record: Record) -> set[str]:
    """The mutants of a target that count: those that no tool found to be none."""
    left_out = {name for tool in record["tools"].values() for name in tool.get("not_applied", ())}
    return {str(n) for n in range(len(record["mutants"]))} - left_out


def summary(found: list[Record]) -> Record:
    """The figures of each tool, over the targets whose slice could be placed."""
    placed = [record for record in found if not record["failure"]]
    return {
        "targets": len(found),
        "placed": len(placed),
        "branchy": sum(record["branches"] >= 2 for record in placed),
        "not placed": dict(Counter(kind_of(r["failure"]) for r in found if r["failure"])),
        "tools": {tool: _of_tool(tool, placed) for tool in NO_MODEL},
    }


def _of_tool(tool: str, placed: list[Record]) -> Record:
    pairs = [(record, record["tools"][tool]) for record in placed]
    branchy = [own.get("coverage", 0.0) for record, own in pairs if record["branches"] >= 2]
    shares = [own.get("coverage", 0.0) for _, own in pairs]
    kills = [(len(counted(r) & {*own.get("killed", ())}), len(counted(r))) for r, own in pairs]
    rated = [(killed, total) for killed, total in kills if total]
    made = [(k, r) for k, (r, own) in zip(kills, pairs, strict=True) if not own["failure"]]
    return {
        "with tests": len(made),
        "at 100 %": sum(share == 1 for share in shares),
        "at 80 %": sum(share >= 0.8 for share in shares),
        "branchy at 100 %": sum(share == 1 for share in branchy),
        "branchy at 80 %": sum(share >= 0.8 for share in branchy),
        "mutants": sum(total for _, total in kills),
        "killed": sum(killed for killed, _ in kills),
        "mutants where it has tests": sum(total for (_, total), _ in made),
        "killed where it has tests": sum(killed for (killed, _), _ in made),
        "rated": len(rated),
        "at 80 % killed": sum(killed >= 0.8 * total for killed, total in rated),
        "seconds, median": median([own["seconds"] for _, own in pairs if "seconds" in own]),
        "tests, median": median([own["passing"] for _, own in pairs if own.get("passing")]),
        "undecided": sum(len(own.get("open", ())) for _, own in pairs),
        "failures": dict(
            Counter(kind_of(own["failure"]) for _, own in pairs if own["failure"]).most_common()
        ),
    }


def beside(found: list[Record], recorded: dict[str, Record]) -> Record:
    """Ours and a model's published tests on the same mutants, where both are known."""
    both = [
        (r, recorded[r["number"]])
        for r in found
        if not r["failure"] and r["same"] == recorded.get(r["number"], {}).get("same")
    ]
    rows: dict[str, Any] = {"scripts": len(recorded), "targets": len(both)}
    names = [(counted(r), {*r["tools"][OURS].get("killed", ())}, {*g["alive"]}) for r, g in both]
    return {
        **rows,
        "mutants": sum(len(all_) for all_, _, _ in names),
        "killed": {
            OURS: sum(len(all_ & ours) for all_, ours, _ in names),
            GPT: sum(len(all_ - alive) for all_, _, alive in names),
        },
        "at 100 %": {
            OURS: sum(r["tools"][OURS].get("coverage") == 1 for r, _ in both),
            GPT: sum(g["coverage"] == 1 for _, g in both),
        },
    }


def _read_recorded(file: Path | None) -> dict[str, Record]:
    if file is None:
        return {}
    scripts: list[Record] = json.loads(file.read_text(encoding="utf-8"))["scripts"]
    return {script["number"]: script for script in scripts if not script["failure"]}


# ------------------------------------------------------------------------ what is printed


def markdown(result: Record) -> str:
    """The tables, then the reasons, then a line for each target."""
    found = result["summary"]
    tools: dict[str, Record] = found["tools"]
    n, branchy = found["placed"], found["branchy"]

    def row(title: str, part: str, whole: int | str) -> list[str]:
        cells = [
            share(own[part], own[whole] if isinstance(whole, str) else whole)
            for own in tools.values()
        ]
        return [title, *cells]

    rows = [
        row("targets with tests that pass", "with tests", n),
        row("100 % of the target's branches", "at 100 %", n),
        row("at least 80 %", "at 80 %", n),
        row("of those with two branches or more: 100 %", "branchy at 100 %", branchy),
        row("at least 80 %", "branchy at 80 %", branchy),
        row("mutants killed, all targets", "killed", "mutants"),
        row("mutants killed, targets with tests", "killed where it has tests",
            "mutants where it has tests"),
        row("targets with at least 80 % killed", "at 80 % killed", "rated"),
        ["seconds a target, median", *(f"{own['seconds, median']:.1f}" for own in tools.values())],
        ["tests a target, median", *(f"{own['tests, median']:g}" for own in tools.values())],
    ]  # fmt: skip
    head = f"{n} of {found['targets']} targets placed; {result['seconds']:g} s each"
    lines = [head, "", table(["", *tools], rows), ""]
    known = result["beside"]
    if known["targets"]:
        rows = [
            ["mutants killed", *(share(k, known["mutants"]) for k in known["killed"].values())],
            ["100 % of the target's branches",
             *(share(k, known["targets"]) for k in known["at 100 %"].values())],
        ]  # fmt: skip
        lines += [f"The same mutants, {known['targets']} of {known['scripts']} eval scripts:", ""]
        lines += [table(["", *known["killed"]], rows), ""]
    for tool, own in tools.items():
        lines += [f"- {tool}: {number}: {why}" for why, number in own["failures"].items()]
    lines += [f"- not placed: {number}: {why}" for why, number in found["not placed"].items()]
    return "\n".join([*lines, "", *(f"    {line(record)}" for record in result["targets"])])


def line(record: Record) -> str:
    """One target: coverage and mutants killed by each tool."""
    head = f"{record['number']:>5} {record['target'][-40:]:40}"
    if record["failure"]:
        return f"{head} {record['failure'][:80]}"
    names = counted(record)
    cells = [
        f"{tool[:7]:7} {own.get('coverage', 0):4.2f} "
        f"{len(names & {*own.get('killed', ())}):3}/{len(names):<3}{own.get('seconds', 0):5.0f} s"
        for tool, own in record["tools"].items()
    ]
    why = [f"{tool}: {own['failure'][:50]}" for tool, own in record["tools"].items()
           if own["failure"]]  # fmt: skip
    return " | ".join([head, *cells, *why])


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="benchmarks.cases.case_peers", description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK / "case-peers")
    parser.add_argument("--only", nargs="*", default=[], metavar="NUMBER")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--seed", type=int, default=0, help="of the tools; draws what --limit asks")
    parser.add_argument("--seconds", type=float, default=30.0, help="that each tool may search")
    parser.add_argument(
        "--start", type=float, default=150.0, help="seconds a tool may take before it searches"
    )
    parser.add_argument("--drafts", type=int, default=Budget().drafts, help="of ours")
    parser.add_argument("--examples", type=int, default=500, help="of Hypothesis, for each test")
    parser.add_argument("--recorded", type=Path, help="JSON of recorded_strength")
    parser.add_argument("--tag", help="names the record, whatever the code")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
