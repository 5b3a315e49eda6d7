"""The peers on our fixtures: edges against the calls that run, closures against our slices.

Each fixture's own calls are evaluated under observation; a fixture whose calls cannot run here is
left out, and counted. Every tool gets a copy of the fixture's import root.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slicefunc.slicer import Repository, slice_function

from tests.fixture_format import ExpectedTarget, Fixture, all_fixtures

from ..common.report import ROOT, Progress, table
from .graph_edges import (
    Edge,
    Names,
    comparable,
    judged_closure,
    judged_edges,
    kept_by,
    outgoing,
    reached,
    started,
)
from .graph_tools import CHILDREN, Record, Run, Tool, run

OBSERVER = Path(__file__).with_name("observed_calls.py")
EVALUATOR = ROOT / "tests" / "observe_calls.py"
SECONDS = 60
"""For the calls of one target."""
TOOL_SECONDS = 10
"""CPU seconds for a tool on one fixture; most take a tenth of one."""
PreparedTool = tuple[Tool, str | None, Mapping[str, str]]
"""A tool with the interpreter that has it, and the variables that it needs."""


class LeftOutError(Exception):
    """Why a fixture tells nothing about the tools."""


@dataclass(frozen=True, slots=True)
class Closure:
    """One target of a fixture: what is asked, what ran, and what our slice keeps."""

    path: str
    qualname: str
    starts: frozenset[str]
    below: frozenset[str]
    ran: frozenset[str]
    ours: frozenset[str]


@dataclass(frozen=True, slots=True)
class Observed:
    """What a fixture's calls told."""

    name: str
    folder: Path
    """The copied import root."""
    files: tuple[str, ...]
    names: Names
    direct: frozenset[Edge]
    by_library: frozenset[Edge]
    closures: tuple[Closure, ...]


def measure_fixtures(tools: Iterable[PreparedTool], work: Path) -> Record:
    """All tools on all fixtures."""
    place = work / "peers" / "fixtures"
    shutil.rmtree(place, ignore_errors=True)
    fixtures = all_fixtures()
    observed: list[Observed] = []
    left_out: dict[str, str] = {}
    progress = Progress("calls of fixtures", len(fixtures))
    for fixture in fixtures:
        try:
            observed.append(_observed(fixture, place / fixture.name))
        except LeftOutError as error:
            left_out[fixture.name] = str(error)
        progress.advance()
    told: Record = {
        "fixtures": len(fixtures),
        "left_out": left_out,
        "closures": sum(len(one.closures) for one in observed),
        "edges": sum(len(one.direct) for one in observed),
        "edges_by_library": sum(len(one.by_library) for one in observed),
        "tools": [_our_slices(observed)],
    }
    for tool, interpreter, variables in tools:
        print(f"fixtures: {tool.name}", file=sys.stderr, flush=True)
        if interpreter is None:
            told["tools"].append({"name": tool.name, "left_out": "not installed"})
        else:
            told["tools"].append(_measured(tool, interpreter, variables, observed))
    return told


# --------------------------------------------------------------------- observed


def _observed(fixture: Fixture, place: Path) -> Observed:
    if not fixture.runs_here:
        raise LeftOutError("for another Python")
    if len(fixture.import_roots) != 1:
        raise LeftOutError("several import roots")
    asked = [target for target in fixture.targets if not target.error]
    if not asked:
        raise LeftOutError("no slice is asked of it")
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(fixture.repository(Path(scratch)), place, symlinks=True)
    (root,) = fixture.import_roots
    folder = (place / root).resolve()
    files = tuple(
        sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.py") if p.is_file())
    )
    modules = {file: module_of(file) for file in files}
    names = Names()
    for file, module in modules.items():
        names.read(module, (folder / file).read_bytes())
    direct: set[Edge] = set()
    by_library: set[Edge] = set()
    closures: list[Closure] = []
    for target in asked:
        starts = {dotted(t, root) for t in (*target.target, *target.keep)}
        told = _told(fixture, target, folder, modules, starts)
        direct |= {(source, callee) for source, callee in told["direct"]}
        by_library |= {(source, callee) for source, callee in told["by_library"]}
        closures.append(_closure(fixture, target, place, names, starts, told))
    direct = comparable(direct, names)
    by_library = comparable(by_library, names) - direct
    return Observed(
        fixture.name, folder, files, names, frozenset(direct), frozenset(by_library),
        tuple(closures),
    )  # fmt: skip


def _told(
    fixture: Fixture,
    target: ExpectedTarget,
    folder: Path,
    modules: Mapping[str, str],
    starts: Iterable[str],
) -> Record:
    """What the observer tells of the target's calls, which must end as the fixture says."""
    wanted = [t.split("::") for t in (*target.target, *target.keep)]
    request = {
        "names": {qualname.split(".")[0]: fixture.module_of(path) for path, qualname in wanted},
        "load": "import",
        "path": [str(folder)],
        "calls": [*target.calls, *target.raises],
    }
    if not request["calls"]:
        raise LeftOutError("no calls")
    settings = {
        "request": request,
        "evaluator": str(EVALUATOR),
        "modules": {str(folder / file): module for file, module in modules.items()},
        "targets": sorted(starts),
    }
    command = [sys.executable, "-I", "-B", str(OBSERVER), json.dumps(settings)]
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8",
            cwd=scratch, timeout=SECONDS, check=False,
        )  # fmt: skip
    lines = done.stdout.splitlines()
    if done.returncode or len(lines) < 2:
        raise LeftOutError("the observed process fails")
    outcomes = json.loads(lines[0])
    if "import_failed" in outcomes:
        raise LeftOutError("does not import")
    if [o["call"] for o in outcomes if "value" in o] != list(target.calls):
        raise LeftOutError("calls do not end as they should")
    return json.loads(lines[-1])


def _closure(
    fixture: Fixture,
    target: ExpectedTarget,
    place: Path,
    names: Names,
    starts: set[str],
    told: Record,
) -> Closure:
    (root,) = fixture.import_roots
    repository = Repository(place, roots=fixture.roots)
    manifest = slice_function(repository, target.target, keep=target.keep).manifest
    ours = kept_names(((d.path, d.qualname) for d in manifest.definitions), root, names)
    path, qualname = target.target[0].split("::")
    return Closure(
        path.removeprefix(f"{root}/"),
        qualname,
        frozenset(starts),
        frozenset(kept_by(told["ran_below"], names)),
        frozenset(kept_by(told["ran"], names)),
        frozenset(kept_by(ours, names)),
    )


def kept_names(definitions: Iterable[tuple[str, str]], root: str, names: Names) -> set[str]:
    """What a manifest's definitions hold: all names of a statement, all of a class in a class."""
    kept: set[str] = set()
    for path, qualname in definitions:
        first, *others = qualname.split(", ")
        scope = first[: first.rfind(".") + 1]
        for bound in (first, *(scope + name for name in others)):
            name = dotted(f"{path}::{bound}", root)
            kept.add(name)
            if name in names.classes and "." in bound:
                kept |= started([name], names)
    return kept


def module_of(file: str) -> str:
    """The dotted name of a file below an import root."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def dotted(target: str, root: str) -> str:
    """`root/pkg/mod.py::C.m` as `pkg.mod.C.m`."""
    path, qualname = target.split("::")
    return f"{module_of(path.removeprefix(f'{root}/'))}.{qualname}"


# --------------------------------------------------------------------- measured


def _our_slices(observed: Sequence[Observed]) -> Record:
    sums: Counter[str] = Counter()
    for one in observed:
        for c in one.closures:
            sums.update(judged_closure(set(c.ours), set(c.ours), set(c.below), set(c.ran)))
    return {"name": "slice-func, its slices", "done": len(observed), "closures": dict(sums)}


def _measured(
    tool: Tool, interpreter: str, variables: Mapping[str, str], observed: Sequence[Observed]
) -> Record:
    """One tool on the fixtures whose calls were observed."""
    asked = [(one, closure) for one in observed for closure in one.closures]
    if tool.slices:
        cases = [
            _case(one) | {"path": closure.path, "name": closure.qualname} for one, closure in asked
        ]
    else:
        cases = [_case(one) for one in observed]
    done = run(interpreter, CHILDREN / tool.child, cases, SECONDS * 30, variables)
    if tool.slices:
        return _sliced(tool, done, asked)
    records = _padded(done.records, len(observed))
    failed = {
        one.name: problem
        for one, record in zip(observed, records, strict=True)
        if (problem := _problem(record, done))
    }
    summary = _summary(tool, done, len(observed), failed)
    if not any("edges" in record for record in records):
        return summary
    edges: Counter[str] = Counter()
    closures: Counter[str] = Counter()
    for one, record in zip(observed, records, strict=True):
        found = {(source, target) for source, target in record.get("edges", ())}
        edges.update(
            judged_edges(comparable(found, one.names), set(one.direct), set(one.by_library))
        )
        if "edges" not in record:  # a failure covers nothing, not even what a target itself is
            closures["closures"] += len(one.closures)
            continue
        targets = outgoing(found)
        for c in one.closures:
            own = kept_by(reached(started(c.starts, one.names), targets), one.names)
            closures.update(judged_closure(own, set(c.ours), set(c.below), set(c.ran)))
    return summary | {"edges": dict(edges), "closures": dict(closures)}


def _sliced(tool: Tool, done: Run, asked: Sequence[tuple[Observed, Closure]]) -> Record:
    """A slicer that names the top-level definitions of its text, without their modules."""
    closures: Counter[str] = Counter()
    failed: dict[str, str] = {}
    for (one, c), record in zip(asked, _padded(done.records, len(asked)), strict=True):
        if problem := _problem(record, done):
            failed[f"{one.name}: {c.qualname}"] = problem
            closures["closures"] += 1
            continue
        top = _top_of(one.names)
        own = set(record["names"])
        closures.update(judged_closure(own, top(c.ours), top(c.below), top(c.ran)))
    return _summary(tool, done, len(asked), failed) | {"closures": dict(closures)}


def _padded(records: Sequence[Record], count: int) -> list[Record]:
    """One record for each case, also for those without an answer."""
    return [*records, *[{} for _ in range(count - len(records))]]


def _problem(record: Record, done: Run) -> str:
    if not record:
        return done.error or "no answer"
    text = str(record.get("error") or "; ".join(record.get("failed", ())))
    return re.sub(r"(?<![\w.])/[^'\"]*/", ".../", text)[:120]  # no paths of this machine


def _top_of(names: Names) -> Callable[[Iterable[str]], set[str]]:
    def top(functions: Iterable[str]) -> set[str]:
        found: set[str] = set()
        for function in functions:
            name = function
            while (outer := name.rpartition(".")[0]) in names.classes or outer in names.functions:
                name = outer
            found.add(name.rpartition(".")[2])
        return found

    return top


def _case(one: Observed) -> Record:
    return {"folder": str(one.folder), "files": list(one.files), "limit": TOOL_SECONDS}


def _summary(tool: Tool, done: Run, asked: int, failed: Mapping[str, str]) -> Record:
    return {
        "name": tool.name,
        "done": asked - len(failed),
        "failed": dict(failed),
        "seconds": round(done.seconds, 1),
    }


# ----------------------------------------------------------------------- output


def fixtures_markdown(result: Record) -> str:
    """A table of edges and one of closures."""
    measured = result["fixtures"] - len(result["left_out"])
    reasons = Counter(result["left_out"].values())
    told = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    edges: list[list[object]] = []
    closures: list[list[object]] = []
    for tool in result["tools"]:
        if "left_out" in tool:
            edges.append([tool["name"], tool["left_out"], *["-"] * 5])
            continue
        if "failed" in tool:
            row = _edge_cells(tool["edges"]) if "edges" in tool else ["-"] * 3
            edges.append([tool["name"], tool["done"], len(tool["failed"]), *row, tool["seconds"]])
        if sums := tool.get("closures"):
            keys = ("closures", "covers_below", "covers_all", "same", "extra")
            failed = len(tool.get("failed", ()))
            closures.append([tool["name"], failed, *(sums.get(key, 0) for key in keys)])
    head = ["tool", "done", "failed", "calls found", "through a library found",
            "edges not observed", "CPU s, all"]  # fmt: skip
    closure_head = ["functions kept or reached by", "failed", "targets", "covers what ran below",
                    "covers all that ran", "same as our slice",
                    "functions that did not run"]  # fmt: skip
    left = f"{measured} of {result['fixtures']} fixtures; left out: {told or 'none'}."
    return "\n\n".join([left, table(head, edges), table(closure_head, closures)])


def _edge_cells(edges: Mapping[str, int]) -> list[str]:
    direct = edges["found"] + edges["missed"]
    library = edges["found_by_library"] + edges["missed_by_library"]
    return [f"{edges['found']} of {direct}", f"{edges['found_by_library']} of {library}",
            str(edges["not_observed"])]  # fmt: skip
