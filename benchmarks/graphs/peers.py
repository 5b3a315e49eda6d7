"""Other tools on the same work: time, memory and failures on whole packages, and their closures.

python -m benchmarks.graphs.peers                                     what pip can install
python -m benchmarks.graphs.peers --pycg CHECKOUT --r2e CHECKOUT      PyCG and R2E too, from their
sources
python -m benchmarks.graphs.peers --part fixtures                     only our fixtures, or:
packages
python -m benchmarks.graphs.peers --package networkx                  one package; the others'
results stay

Every tool gets a copy of the import root of flask, click and networkx (without its tests), in an
environment and a process of its own, and then one of each fixture (`peers_fixtures`). Call graphs
are also asked whether they would have given the slicer's closure: a slice's functions and methods
against those that a call graph reaches from the target. A tool that is not asked, because `--keep`
names it or since its program is missing, keeps its older record, with the date of that.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from slicefunc.slicer import Repository, SliceFuncError, slice_function
from slicefunc.slicer.graph import call_graph

from ..common.report import RESULTS, machine, table, write_result
from ..sources.sdists import DEFAULT_WORK, fetch_sdist, sdist_named
from .graph_edges import outgoing, reached
from .graph_tools import CHILDREN, TOOLS, Record, Run, Tool, environment, run
from .peers_fixtures import PreparedTool, fixtures_markdown, measure_fixtures, module_of

NETWORKX = "networkx==3.4.2"
NETWORKX_SHA256 = "307c3669428c5362aab27c8a1260aa8f47c4e91d3891f48be0141738d8d053e1"
PACKAGES = ("flask", "click", "networkx")
ONE_FUNCTION = {
    "flask": ("flask/helpers.py", "url_for"),
    "click": ("click/utils.py", "echo"),
    "networkx": ("networkx/algorithms/shortest_paths/weighted.py", "dijkstra_path"),
}
"""The function for which slicers are timed."""
READERS = (
    Tool("ast.parse", "run_parse.py"),
    Tool("LibCST scopes and names", "run_libcst.py", ("libcst==1.9.0",)),
)
R2E = Tool(
    "R2E slicer, one function",
    "run_r2e.py",
    ("pydantic", "networkx", "gitpython", "tqdm", "pebble", "diskcache", "jsonlines", "fire",
     "pyyaml", "setuptools<81", "r2e-test-server"),
    slices=True,
)  # fmt: skip
R2E_REPAIRED = replace(R2E, name="R2E slicer, one function, crash repaired")
SAMPLE = 60
TIMEOUT = 300
WALL = 4
"""Wall seconds that a tool may take for each CPU second of its limit."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run all tools on all packages and fixtures."""
    arguments = _arguments().parse_args(argv)
    result = _older_results()
    names = () if arguments.part == "fixtures" else arguments.package or PACKAGES
    for name in names:
        folder = _import_root(name, arguments.work)
        record = measure(name, folder, arguments, result) | machine()
        packages = {one["name"]: one for one in result.get("packages", ())} | {name: record}
        result["packages"] = [packages[one] for one in PACKAGES if one in packages]
        if arguments.limit is None:
            write_result("peers", result)
    if arguments.part == "fixtures" or not (arguments.part or arguments.package):
        measured = measure_fixtures(_fixture_tools(arguments), arguments.work)
        result["fixtures"] = measured | machine()
        write_result("peers", result)
    print(json.dumps(result, indent=1) if arguments.json else markdown(result))
    return 0


def measure(
    name: str, folder: Path, arguments: argparse.Namespace, older: Mapping[str, Any]
) -> Record:
    """All tools on one package."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py"))
    lines = sum(len((folder / file).read_bytes().splitlines()) for file in files)
    tools: list[Record] = []
    graphs: dict[str, list[tuple[str, str]]] = {}
    for tool in (*READERS, *TOOLS, R2E, R2E_REPAIRED):
        print(f"{name}: {tool.name}", file=sys.stderr, flush=True)
        kept = tool.name in arguments.keep
        interpreter = None if kept else _interpreter(tool, arguments)
        if interpreter is None:
            tools.append(older_record(older, name, lines, tool.name))
            continue
        copy = arguments.work / "peers" / "copies" / name
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        path, function = ONE_FUNCTION[name]
        case = {"folder": str(copy), "files": files, "path": path, "name": function,
                "limit": arguments.timeout}  # fmt: skip
        wall = WALL * arguments.timeout
        done = run(interpreter, CHILDREN / tool.child, [case], wall, _variables(tool, arguments))
        record = done.records[0] if done.records else {}
        if "edges" in record:
            graphs[tool.name] = [(source, target) for source, target in record["edges"]]
        tools.append(_told(tool, done, record))
    closures = compare_closures(name, folder, graphs, arguments.limit or SAMPLE)
    return {"name": name, "files": len(files), "lines": lines, "timeout": arguments.timeout,
            "tools": tools, "closures": closures}  # fmt: skip


def older_record(older: Mapping[str, Any], package: str, lines: int, tool: str) -> Record:
    """The record of an earlier run, with its date, and its size where that was another."""
    for one in older.get("packages", ()):
        for record in one["tools"] if one["name"] == package else ():
            if record["name"] == tool and "left_out" not in record:
                kept = {"measured": one.get("date", older.get("date", "")), **record}
                return kept if one["lines"] == lines else {"of_lines": one["lines"], **kept}
    return {"name": tool, "left_out": "not installed"}


def _older_results() -> dict[str, Any]:
    file = RESULTS / "peers.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def _fixture_tools(arguments: argparse.Namespace) -> Iterator[PreparedTool]:
    for tool in (READERS[1], *TOOLS, R2E, R2E_REPAIRED):
        yield tool, _interpreter(tool, arguments), _variables(tool, arguments)


def _interpreter(tool: Tool, arguments: argparse.Namespace) -> str | None:
    if not tool.slices:
        return environment(tool, arguments.work, arguments.old_python, arguments.pycg)
    if arguments.r2e is None:  # its sources are read where they are
        return None
    return environment(tool, arguments.work, sys.executable, None)


def _variables(tool: Tool, arguments: argparse.Namespace) -> dict[str, str]:
    if not tool.slices or arguments.r2e is None:
        return {}
    repair = {"PEER_REPAIR": "1"} if tool is R2E_REPAIRED else {}
    return {"PEER_SOURCE": str(arguments.r2e.resolve() / "src"), **repair}


def _told(tool: Tool, done: Run, record: Record) -> Record:
    told = {
        "name": tool.name,
        "seconds": round(done.seconds, 2),  # of an unfinished tool: at the limit
        "peak_mb": record.get("peak_mb"),
        "error": done.error or record.get("error", "" if record else "no answer"),
        "failed_files": len(record.get("failed", [])),
    }
    if "edges" in record:
        told["edges"] = len(record["edges"])
    if tool.slices:
        told["lines"] = record.get("lines")
    return told


# --------------------------------------------------------------------- closures


def compare_closures(
    name: str, folder: Path, graphs: dict[str, list[tuple[str, str]]], count: int
) -> Record:
    """How much of our slices the call graphs reach, and how much more.

    Only functions and methods are compared: names, bindings and mutations are in no call graph.
    """
    repository = Repository(folder)
    wanted = sorted((str(t.path), t.qualname) for t in repository.targets() if _counts(t.path))
    random.Random(f"0:{name}").shuffle(wanted)
    whole = [(edge.source, edge.target) for edge in call_graph(repository).edges]
    graphs = {"slice-func, all kinds of edges": whole, **graphs}
    names = {_dotted(target.path, target.qualname) for target in repository.targets()}
    reaches = {tool: outgoing(edges) for tool, edges in graphs.items()}
    sums = {tool: {"same": 0, "within": 0, "reached": 0, "extra": 0} for tool in graphs}
    needed_sum = sliced = variables = 0
    for path, qualname in wanted[:count]:
        try:
            manifest = slice_function(repository, f"{path}::{qualname}").manifest
        except SliceFuncError:
            continue
        sliced += 1
        start = _dotted(path, qualname)
        functions = {
            _dotted(d.path, d.qualname)
            for d in manifest.definitions
            if d.kind in ("function", "method")
        } - {start}
        variables += any(d.kind in ("variable", "statement") for d in manifest.definitions)
        needed_sum += len(functions)
        for tool, targets in reaches.items():
            own = (reached([start], targets) & names) - {start}
            sums[tool]["same"] += own == functions
            sums[tool]["within"] += functions <= own
            sums[tool]["reached"] += len(functions & own)
            sums[tool]["extra"] += len(own - functions)
    return {"targets": sliced, "functions_in_slices": needed_sum,
            "slices_with_variables": variables, "tools": sums}  # fmt: skip


def _counts(path: str) -> bool:
    return "/tests/" not in path


def _dotted(path: str, qualname: str) -> str:
    return f"{module_of(path)}.{qualname}"


# ---------------------------------------------------------------------- sources


def _import_root(name: str, work: Path) -> Path:
    if name != "networkx":
        return fetch_sdist(name, work) / sdist_named(name).root
    folder = work / "sdists" / NETWORKX.replace("==", "-")
    if not folder.exists():
        _fetch_networkx(folder.parent)
    root = work / "peers" / "networkx-without-tests"
    if not root.exists():  # the package alone, without the examples beside it
        skip = shutil.ignore_patterns("tests")  # 70,440 lines that no other package has here
        shutil.copytree(folder / "networkx", root / "networkx", ignore=skip)
    return root


def _fetch_networkx(folder: Path) -> None:
    import hashlib

    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:",
               "-d", str(folder), NETWORKX]  # fmt: skip
    subprocess.run(command, check=True)
    archive = folder / f"{NETWORKX.replace('==', '-')}.tar.gz"
    if hashlib.sha256(archive.read_bytes()).hexdigest() != NETWORKX_SHA256:
        raise SystemExit(f"{archive}: not the pinned file")
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")


# ----------------------------------------------------------------------- output


def markdown(result: dict[str, Any]) -> str:
    """Tables of cost and closures, for packages and for fixtures."""
    parts: list[str] = []
    if result.get("packages"):
        parts += [_packages_markdown(result["packages"])]
    if "fixtures" in result:
        parts += [fixtures_markdown(result["fixtures"])]
    return "\n\n".join(parts)


def _packages_markdown(packages: Sequence[Record]) -> str:
    head = ["tool", *(f"{p['name']}, {p['lines']} lines: CPU s / MB" for p in packages), "failures"]
    names = [tool["name"] for tool in packages[0]["tools"]]
    rows: list[list[object]] = []
    for index, name in enumerate(names):
        tools = [package["tools"][index] for package in packages]
        rows.append([name, *map(_cost, tools), "; ".join(_failures(packages, tools)) or "none"])
    parts = [table(head, rows), "", *_closure_tables(packages)]
    return "\n".join(parts)


def _cost(tool: Record) -> str:
    if "left_out" in tool:
        return tool["left_out"]
    older = _age(tool)
    if tool["error"]:
        return ("failed" if "not done" not in tool["error"] else tool["error"]) + older
    more = f" ({tool['edges']} edges)" if "edges" in tool else ""
    more = f" ({tool['lines']} lines out)" if tool.get("lines") else more
    return f"{tool['seconds']} / {tool['peak_mb']}{more}{older}"


def _age(record: Record) -> str:
    """What an older record was measured on, and when."""
    size = f", {record['of_lines']} lines" if "of_lines" in record else ""
    return f"{size}, {record['measured']}" if "measured" in record else size


def _failures(packages: Sequence[Record], tools: Sequence[Record]) -> Iterator[str]:
    for package, tool in zip(packages, tools, strict=True):
        if tool.get("error"):
            yield f"{package['name']}: {tool['error'][:80]}"
        elif tool.get("failed_files"):
            yield f"{package['name']}: {tool['failed_files']} files"


def _closure_tables(packages: Sequence[Record]) -> Iterator[str]:
    head = ["package", "call graph of", "slices", "same functions", "nothing missing",
            "functions reached", "functions not in the slice"]  # fmt: skip
    rows: list[list[object]] = []
    for package in packages:
        closures = package["closures"]
        for name, sums in closures["tools"].items():
            rows.append(
                [
                    package["name"] + _age(closures),
                    name,
                    closures["targets"],
                    sums["same"],
                    sums["within"],
                    f"{sums['reached']} of {closures['functions_in_slices']}",
                    sums["extra"],
                ]
            )
    yield table(head, rows)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.graphs.peers", description=__doc__)
    parser.add_argument("--package", action="append", choices=PACKAGES)
    parser.add_argument("--part", choices=("packages", "fixtures"), help="only this")
    parser.add_argument(
        "--keep", action="append", default=[], help="a tool whose older records are kept"
    )
    parser.add_argument("--limit", type=int, help="slices compared for each package")
    parser.add_argument("--pycg", type=Path, help="a checkout of PyCG")
    parser.add_argument("--r2e", type=Path, help="a checkout of R2E")
    parser.add_argument(
        "--old-python", default="python3.11", help="interpreter for PyCG (before 3.12)"
    )
    parser.add_argument("--timeout", type=int, default=TIMEOUT, help="CPU seconds a tool")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true", help="the default")
    return parser


if __name__ == "__main__":
    sys.exit(main())
