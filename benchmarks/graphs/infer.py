"""Is jedi worth its time? What it says about the calls that our graph leaves open.

python -m benchmarks.graphs.infer                          click and requests, every open call
python -m benchmarks.graphs.infer --limit 200              of each, 200 open calls drawn with seed 0
python -m benchmarks.graphs.infer --data DIR               PyCG's `micro-benchmark/snippets` instead
python -m benchmarks.graphs.infer --truth                  and run the suites to see what is really
called
python -m benchmarks.graphs.infer --package flask          another of the packages (repeatable)

Records of earlier runs stay in the result file until they are measured anew. An answer is *inside*
when it is a definition of the repository: only these can add an edge.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import json
import multiprocessing
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from slicefunc.slicer import Repository
from slicefunc.slicer.graph import CallGraph, OpenCall, adjacency, call_graph
from slicefunc.slicer.graph.receivers import AnsweredCall, Budget, Inference, infer_calls

from ..common.report import RESULTS, Progress, machine, median, table, write_result
from ..replay.sandbox import command, variables
from ..sources.sdists import DEFAULT_WORK, NAMES, environment, fetch_sdist, sdist_named
from .pycg import expected_edges, find_cases

PACKAGES = ("click", "requests")
BUDGET = Budget(seconds=900.0, seconds_each=2.0)
SUITE_SECONDS = 900
Record = dict[str, Any]
Truth = Mapping[tuple[str, int, int], frozenset[tuple[str, int, str]]]
"""File, line and column where a call ends → file, line and name of what it calls."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A repository whose open calls are asked about."""

    name: str
    folder: Path
    package: tuple[str, ...] = ()
    """Folders of the package inside it; none where it is the package's import root itself."""
    tests: bool = False
    """Whether the calls outside these folders are asked about, and not those inside."""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, write the result and print it."""
    arguments = _arguments().parse_args(argv)
    jobs: list[Callable[[], Record]] = []
    for name in arguments.package or (PACKAGES if arguments.data is None else ()):
        truth = suite_calls(name, arguments.work) if arguments.truth else None
        for subject in subjects(name, arguments.work):
            seen = truth if subject.package else None  # the paths are those of the whole tree
            jobs.append(partial(measured, subject, arguments.limit, seen))
    if arguments.data is not None:
        cases = find_cases(arguments.data.resolve())
        jobs.append(partial(micro_benchmark, cases))
    records = in_fresh_processes(jobs)
    result = {"limit": arguments.limit, "subjects": records, **machine()}
    if arguments.limit is None:
        result["subjects"] = with_earlier(records)
        write_result("infer", result)
    print(json.dumps(result, indent=1) if arguments.json else markdown(result))
    return 0


def with_earlier(records: Sequence[Record]) -> list[Record]:
    """These records, and those of the result file that have not been measured anew."""
    file = RESULTS / "infer.json"
    earlier: list[Record] = json.loads(file.read_text("utf-8"))["subjects"] if file.exists() else []
    known = {(one["subject"], one["tool"]): one for one in [*earlier, *records]}
    return list(known.values())


def in_fresh_processes(jobs: Sequence[Callable[[], Record]]) -> list[Record]:
    """The record of each job, none of which finds what another has read."""
    progress = Progress("asking", len(jobs))
    records: list[Record] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context, max_tasks_per_child=1) as pool:
        for future in [pool.submit(job) for job in jobs]:
            records.append(future.result())
            progress.advance()
    return records


def subjects(name: str, work: Path) -> Iterator[Subject]:
    """Calls of the package and of its tests in its whole tree; those of its import root alone."""
    sdist = sdist_named(name)
    folder = fetch_sdist(name, work)
    yield Subject(f"{name}, in its whole tree", folder, sdist.packages)
    yield Subject(f"{name}'s tests and examples", folder, sdist.packages, tests=True)
    if sdist.root != ".":
        yield Subject(f"{name}, alone", folder / sdist.root)


def measured(subject: Subject, limit: int | None, truth: Truth | None) -> Record:
    """What jedi says about the open calls of a repository."""
    repository = Repository(subject.folder)
    graph = call_graph(repository)
    calls = [call for call in graph.open_calls if _is_meant(call, subject)]
    if limit is not None and limit < len(calls):
        calls = sorted(random.Random(0).sample(calls, limit))
    asked_about = dataclasses.replace(graph, open_calls=tuple(calls))
    started = time.perf_counter()
    done = infer_calls(repository, asked_about, BUDGET)
    seconds = time.perf_counter() - started
    record = {"subject": subject.name, "tool": "jedi", **_told(graph, calls, done, seconds)}
    if truth is not None:
        record["truth"] = compared(repository, graph, done.asked, truth)
    return record


def _is_meant(call: OpenCall, subject: Subject) -> bool:
    inside = any(call.path.startswith(f"{folder}/") for folder in subject.package)
    return not subject.package or inside is not subject.tests


def _told(graph: CallGraph, calls: Sequence[OpenCall], done: Inference, seconds: float) -> Record:
    """Counts of one run; calls on what a library gave are told apart from the others."""
    record: Record = {"calls_edges": sum(edge.kind == "calls" for edge in graph.edges)}
    for kind, library in (("unknown", False), ("library_results", True)):
        asked = [one for one in done.asked if one.call.library is library]
        record[kind] = {
            "open": sum(call.library is library for call in calls),
            "outcomes": dict(sorted(Counter(one.outcome for one in asked).items())),
            "inside": sum(any(answer.path for answer in one.answers) for one in asked),
        }
    return {
        **record,
        "new_edges": [
            f"{edge.source} {edge.kind} {edge.target}"
            for edge in done.graph.edges
            if edge.inferred_by is not None
        ],
        "left_over": len(done.left_over),
        "seconds": round(seconds, 2),
        "median_ms": round(1000 * median([one.seconds for one in done.asked]), 1),
        "mean_ms": round(1000 * seconds / max(len(done.asked), 1), 1),
    }


# ------------------------------------------------------------------------------ PyCG's programs


def micro_benchmark(cases: Sequence[Path]) -> Record:
    """Open calls of PyCG's small programs, whose edges are known."""
    totals: Counter[str] = Counter()
    seconds = 0.0
    times: list[float] = []
    for case in cases:
        repository = Repository(case)
        graph = call_graph(repository)
        if graph.open_calls:
            started = time.perf_counter()
            done = infer_calls(repository, graph, BUDGET)
            seconds += time.perf_counter() - started
            times += [one.seconds for one in done.asked]
            totals.update(_judged(case, graph, done))
    return {
        "subject": f"PyCG's micro-benchmark, {len(cases)} programs",
        "tool": "jedi",
        "unknown": _small(totals, "unknown"),
        "library_results": _small(totals, "library"),
        "edges_right": totals["right"],
        "edges_wrong": totals["wrong"],
        "seconds": round(seconds, 2),
        "median_ms": round(1000 * median(times), 1),
        "mean_ms": round(1000 * seconds / max(len(times), 1), 1),
    }


def _small(totals: Counter[str], kind: str) -> Record:
    outcomes = {name: totals[f"{kind} {name}"] for name in ("answered", "unknown", "given up")}
    return {"open": totals[kind], "outcomes": outcomes, "inside": totals[f"{kind} inside"]}


def _judged(case: Path, graph: CallGraph, done: Inference) -> Counter[str]:
    counts: Counter[str] = Counter()
    for one in done.asked:
        kind = "library" if one.call.library else "unknown"
        counts[kind] += 1
        counts[f"{kind} {one.outcome}"] += 1
        counts[f"{kind} inside"] += any(answer.path for answer in one.answers)
    new = _pairs(done.graph) - _pairs(graph)
    counts["right"] += len(new & expected_edges(case))
    counts["wrong"] += len(new - expected_edges(case))
    return counts


def _pairs(graph: CallGraph) -> set[tuple[str, str]]:
    return {(caller, callee) for caller, callees in adjacency(graph).items() for callee in callees}


# ---------------------------------------------------------------------------- what really happens


def suite_calls(name: str, work: Path) -> Truth | None:
    """What the calls of a package call while its own test suite runs; kept on disk."""
    sdist = sdist_named(name)
    if sdist.tests is None:
        return None
    folder = work / "infer" / sdist.folder
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / "calls.json"
    if not output.exists():
        tree = fetch_sdist(name, work)
        settings = {
            "folder": str(tree),
            "root": sdist.root,
            "output": str(output),
            "arguments": ["-p", "no:cacheprovider", sdist.tests],
        }
        place = environment(name, installed=True, tests=True, work=work)
        with (folder / "pytest.log").open("w") as log:
            subprocess.run(
                command(place, "graphs.infer_truth", json.dumps(settings), writable=folder),
                env=variables(TMPDIR="/tmp"),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                timeout=SUITE_SECONDS,
                check=False,
            )
    if not output.exists():
        print(f"infer: no recording of {name}, see {folder / 'pytest.log'}", file=sys.stderr)
        return None
    found: dict[tuple[str, int, int], set[tuple[str, int, str]]] = {}
    for place, callee in json.loads(output.read_text("utf-8")):
        found.setdefault(tuple(place), set()).add(tuple(callee))
    return {place: frozenset(callees) for place, callees in found.items()}


def compared(
    repository: Repository, graph: CallGraph, asked: Sequence[AnsweredCall], truth: Truth
) -> Record:
    """Of the calls that the suite makes into the repository, which jedi found."""
    counts = dict.fromkeys(("into_repository", "found", "missed", "other_inside"), 0)
    counts["not_seen_inside"] = 0
    places = {n.id: (n.path, (n.qualname or "").rpartition(".")[2]) for n in graph.nodes}
    for one in asked:
        seen = truth.get(_call_end(repository, one.call) or ("", 0, 0), frozenset())
        inside = {places[callee] for callee in one.callees}
        if not seen:
            counts["not_seen_inside"] += bool(inside)
            continue
        counts["into_repository"] += 1
        ran = {(path, name) for path, _, name in seen}
        counts["found"] += bool(inside & ran)
        counts["missed"] += not inside
        counts["other_inside"] += bool(inside) and not inside & ran
    return counts


def _call_end(repository: Repository, call: OpenCall) -> tuple[str, int, int] | None:
    """Where the whole call ends, in bytes, of one that is known by its callee's place."""
    source = repository.source(call.path)
    name = len(call.name or "")
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and node.func.end_lineno == call.line:
            text = source.lines[call.line - 1].encode()[: node.func.end_col_offset]
            if len(text.decode(errors="replace")) == call.column + name:
                return call.path, node.end_lineno or 0, node.end_col_offset or 0
    return None


# ----------------------------------------------------------------------------------------- report


def markdown(result: Record) -> str:
    """A table with a row for each repository and library."""
    head = [
        "repository", "library", "open calls: unknown + library's result", "answered", "inside",
        "new edges", "given up", "s", "ms a call: median", "mean",
    ]  # fmt: skip
    rows = [_row(record) for record in result["subjects"]]
    parts = [table(head, rows)]
    seen = [record for record in result["subjects"] if "truth" in record]
    if seen:
        head = [
            "repository", "library", "open calls that the suite sees enter the repository",
            "callee found", "not found", "another found", "answers inside that were not seen",
        ]  # fmt: skip
        rows = [[record["subject"], record["tool"], *record["truth"].values()] for record in seen]
        parts.append(table(head, rows))
    return "\n\n".join(parts)


def _row(record: Record) -> list[object]:
    kinds = [record["unknown"], record["library_results"]]
    new = record.get("new_edges")
    edges = len(new) if new is not None else (
        f"{record['edges_right']} right, {record['edges_wrong']} wrong"
    )  # fmt: skip
    return [
        record["subject"],
        record["tool"],
        " + ".join(str(kind["open"]) for kind in kinds),
        sum(kind["outcomes"].get("answered", 0) for kind in kinds),
        sum(kind["inside"] for kind in kinds),
        edges,
        sum(kind["outcomes"].get("given up", 0) for kind in kinds),
        record["seconds"],
        record["median_ms"],
        record["mean_ms"],
    ]


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.graphs.infer",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--package", action="append", choices=NAMES, help="only this (repeatable)")
    parser.add_argument(
        "--limit", type=int, help="open calls of each repository, drawn with seed 0"
    )
    parser.add_argument("--data", type=Path, help="the folder `snippets` of PyCG's micro-benchmark")
    parser.add_argument("--truth", action="store_true", help="run the packages' test suites")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
