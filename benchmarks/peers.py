"""Other tools on the same work: time, memory and failures on whole packages, and their closures.

python -m benchmarks.peers                                     what pip can install
python -m benchmarks.peers --pycg CHECKOUT --r2e CHECKOUT      PyCG and R2E too, from their sources

Every tool gets a copy of the import root of flask, click and networkx, in an environment and a
process of its own. Call graphs are also asked whether they would have given the slicer's closure:
a slice's functions and methods against those that a call graph reaches from the target.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from slicefunc.slicer import Repository, SliceFuncError, slice_function
from slicefunc.slicer.callgraph import call_graph

from .graph_tools import CHILDREN, TOOLS, Record, Run, Tool, environment, run
from .report import machine, table, write_result
from .sdists import DEFAULT_WORK, fetch_sdist, sdist_named

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
    source="pycg",
)  # fmt: skip
R2E_REPAIRED = replace(R2E, name="R2E slicer, one function, crash repaired")
SAMPLE = 60
TIMEOUT = 300.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run all tools on all packages."""
    arguments = _arguments().parse_args(argv)
    result: dict[str, Any] = {"timeout": arguments.timeout, "packages": [], **machine()}
    for name in arguments.package or PACKAGES:
        folder = _import_root(name, arguments.work)
        result["packages"].append(measure(name, folder, arguments))
        if not arguments.package and arguments.limit is None:
            write_result("peers", result)
    print(json.dumps(result, indent=1) if arguments.json else markdown(result))
    return 0


def measure(name: str, folder: Path, arguments: argparse.Namespace) -> Record:
    """All tools on one package."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py"))
    lines = sum(len((folder / file).read_bytes().splitlines()) for file in files)
    tools: list[Record] = []
    graphs: dict[str, list[tuple[str, str]]] = {}
    for tool in (*READERS, *TOOLS, R2E, R2E_REPAIRED):
        print(f"{name}: {tool.name}", file=sys.stderr, flush=True)
        source = arguments.pycg if tool.source == "pycg" else None
        python = sys.executable if tool in (R2E, R2E_REPAIRED) else arguments.old_python
        interpreter = environment(tool, arguments.work, python, source)
        is_r2e = tool in (R2E, R2E_REPAIRED)
        if interpreter is None or (is_r2e and arguments.r2e is None):
            tools.append({"name": tool.name, "left_out": "not installed"})
            continue
        copy = arguments.work / "peers" / "copies" / name
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        path, function = ONE_FUNCTION[name]
        case = {"folder": str(copy), "files": files, "path": path, "name": function}
        variables = {"PEER_SOURCE": str(arguments.r2e.resolve() / "src")} if is_r2e else {}
        if tool is R2E_REPAIRED:
            variables["PEER_REPAIR"] = "1"
        done = run(interpreter, CHILDREN / tool.child, [case], arguments.timeout, variables)
        record = done.records[0] if done.records else {}
        if "edges" in record:
            graphs[tool.name] = [(source, target) for source, target in record["edges"]]
        tools.append(_told(tool, done, record))
    closures = compare_closures(name, folder, graphs, arguments.limit or SAMPLE)
    return {"name": name, "files": len(files), "lines": lines, "tools": tools, "closures": closures}


def _told(tool: Tool, done: Run, record: Record) -> Record:
    told = {
        "name": tool.name,
        "seconds": round(done.seconds, 2),
        "peak_mb": record.get("peak_mb"),
        "error": done.error or record.get("error", "" if record else "no answer"),
        "failed_files": len(record.get("failed", [])),
    }
    if "edges" in record:
        told["edges"] = len(record["edges"])
    if tool in (R2E, R2E_REPAIRED):
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
    targets = sorted((str(t.path), t.qualname) for t in repository.targets() if _counts(t.path))
    random.Random(f"0:{name}").shuffle(targets)
    whole = [(edge.source, edge.target) for edge in call_graph(repository).edges]
    graphs = {"slice-func, all kinds of edges": whole, **graphs}
    names = {_dotted(target.path, target.qualname) for target in repository.targets()}
    reaches = {tool: _outgoing(edges) for tool, edges in graphs.items()}
    sums = {tool: {"same": 0, "within": 0, "reached": 0, "extra": 0} for tool in graphs}
    needed_sum = sliced = variables = 0
    for path, qualname in targets[:count]:
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
        for tool, outgoing in reaches.items():
            reached = _reached(start, outgoing)
            own = (reached & names) - {start}
            sums[tool]["same"] += own == functions
            sums[tool]["within"] += functions <= own
            sums[tool]["reached"] += len(functions & own)
            sums[tool]["extra"] += len(own - functions)
    return {"targets": sliced, "functions_in_slices": needed_sum,
            "slices_with_variables": variables, "tools": sums}  # fmt: skip


def _counts(path: str) -> bool:
    return "/tests/" not in path


def _outgoing(edges: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    outgoing: dict[str, list[str]] = {}
    for source, target in edges:
        outgoing.setdefault(source, []).append(target)
    return outgoing


def _reached(start: str, outgoing: dict[str, list[str]]) -> set[str]:
    seen = {start}
    stack = [start]
    while stack:
        for target in outgoing.get(stack.pop(), ()):
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return seen


def _dotted(path: str, qualname: str) -> str:
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"{module}.{qualname}"


# ---------------------------------------------------------------------- sources


def _import_root(name: str, work: Path) -> Path:
    if name != "networkx":
        return fetch_sdist(name, work) / sdist_named(name).root
    folder = work / "sdists" / NETWORKX.replace("==", "-")
    if not folder.exists():
        _fetch_networkx(folder.parent)
    root = work / "peers" / "networkx-root"
    if not root.exists():  # the package alone, without the examples beside it
        shutil.copytree(folder / "networkx", root / "networkx")
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
    """A table of cost and one of closures."""
    packages = result["packages"]
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
    if tool["error"]:
        return "failed" if "not done" not in tool["error"] else tool["error"]
    more = f" ({tool['edges']} edges)" if "edges" in tool else ""
    more = f" ({tool['lines']} lines out)" if tool.get("lines") else more
    return f"{tool['seconds']} / {tool['peak_mb']}{more}"


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
                    package["name"],
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
    parser = argparse.ArgumentParser(prog="benchmarks.peers", description=__doc__)
    parser.add_argument("--package", action="append", choices=PACKAGES)
    parser.add_argument("--limit", type=int, help="slices compared for each package")
    parser.add_argument("--pycg", type=Path, help="a checkout of PyCG")
    parser.add_argument("--r2e", type=Path, help="a checkout of R2E")
    parser.add_argument(
        "--old-python", default="python3.11", help="interpreter for PyCG (before 3.12)"
    )
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="wall seconds a tool")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true", help="the default")
    return parser


if __name__ == "__main__":
    sys.exit(main())
