"""Measures one example: slices it in every layout, runs the results, compares them.

The record of an example is plain JSON; `repost_report` adds records up.
"""

from __future__ import annotations

import ast
import hashlib
import symtable
import time
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from slicefunc.slicer import Repository, SliceFuncError, slice_function

from . import baselines
from .data.examples import Example, Home, ancestors, definitions, find_home, local_names, read_text
from .run_scripts import WAYS, Job, Outcome, Runner, Way

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slicefunc.slicer.model import Definition, Slice

Layout = Literal["script", "modules", "package"]
LAYOUTS: tuple[Layout, ...] = ("script", "modules", "package")
SCRIPT = "sliced.py"
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bench:
    """What every measurement needs."""

    runner: Runner
    repositories: Path | None
    contexts: Path
    layouts: tuple[Layout, ...]
    scripts: Path | None
    """Where to leave the emitted scripts for reading."""


def measure(example: Example, bench: Bench) -> Record:
    """Everything about one example."""
    home = find_home(example, bench.repositories, bench.contexts)
    local = local_names(example, home)
    original = _run_module(example, bench, Job((), "", example.name, tree=home.folder), local)
    return {
        "number": example.number,
        "repository": example.repository,
        "target": example.target,
        "origin": home.origin,
        "as_published": home.as_published,
        "context_files": len(example.fragments()),
        "context": _size(baselines.concatenated(example)),
        "original": original,
        "baselines": _baselines(example, bench, local),
        "published_tests": _tests(example, example.eval_script, bench, local),
        "layouts": {name: _layout(example, home, bench, local, name) for name in bench.layouts},
    }


def _baselines(example: Example, bench: Bench, local: frozenset[str]) -> Record:
    plain = baselines.concatenated(example)
    stripped = baselines.stripped(example, local)
    texts: tuple[tuple[str, str, Way], ...] = (
        ("concatenated", plain, "script"),
        ("stripped", stripped, "script"),
        ("published eval script", example.eval_script, "import"),
    )
    return {
        name: _run_ways(bench.runner, _script_job(example, text), local, (way,))[way]
        for name, text, way in texts
    }


def _tests(example: Example, candidate: str, bench: Bench, local: frozenset[str]) -> Record:
    """The published tests, with a candidate's function in the place of the new implementation."""
    files = ((SCRIPT, candidate.encode()), ("published.py", example.eval_script.encode()))
    job = Job(files, SCRIPT, example.name, "tests", qualname=example.qualname)
    return _run(bench.runner, job, local)


def _layout(
    example: Example, home: Home, bench: Bench, local: frozenset[str], layout: Layout
) -> Record:
    started = time.perf_counter()
    try:
        made = slice_function(_repository(home.folder), example.target, emit=layout)
    except SliceFuncError as error:
        return {"error": {"kind": type(error).__name__, "message": str(error)}}
    except Exception as error:  # noqa: BLE001 - a crash of the slicer is a result here
        return {"error": {"kind": f"crash: {type(error).__name__}", "message": str(error)}}
    seconds = time.perf_counter() - started
    if bench.scripts:
        _leave(bench.scripts / layout / example.number, made, layout)
    if layout == "package":
        files = tuple((f.path, f.content) for f in made.files)
        runs = _run_module(example, bench, Job(files, "", example.name), local)
    else:
        runs = _run_ways(bench.runner, _script_job(example, made.source), local, WAYS)
    if layout == "script":
        tests = {"published_tests": _tests(example, made.source, bench, local)}
    else:
        tests = {}
    return {
        **tests,
        "layout": made.manifest.layout,
        "layout_reason": made.manifest.layout_reason,
        "milliseconds": round(seconds * 1000, 1),
        "size": _size(made.source) if layout != "package" else _size_of_files(made),
        "definitions": len(made.manifest.definitions),
        "edits": [asdict(edit) for edit in made.manifest.edits],
        "gaps": [asdict(gap) for gap in made.gaps],
        "runs": runs,
        "undefined": _undefined(runs, home, example),
        **_identity(example, home, made),
        **_difference(example, made),
    }


def _script_job(example: Example, text: str) -> Job:
    return Job(((SCRIPT, text.encode("utf-8", "surrogateescape")),), SCRIPT, example.name)


def _run_ways(
    runner: Runner, job: Job, local: frozenset[str], ways: tuple[Way, ...]
) -> dict[str, Record]:
    return {way: _run(runner, replace(job, way=way), local) for way in ways}


def _run(runner: Runner, job: Job, local: frozenset[str]) -> Record:
    """As it is and, where that fails, with missing third-party modules stubbed."""
    plain = runner.run(job)
    failure = plain.failure
    if failure is None or failure.kind != "ModuleNotFoundError":
        return {"plain": _outcome(plain), "stubbed": _outcome(plain)}
    stubbed = runner.run(replace(job, stub=True, local=tuple(sorted(local))))
    return {"plain": _outcome(plain), "stubbed": _outcome(stubbed)}


def _run_module(
    example: Example, bench: Bench, job: Job, local: frozenset[str]
) -> dict[str, Record]:
    """Import a module of a tree by each dotted name that it may have; the best outcome counts."""
    best: Record | None = None
    for root in reversed(ancestors(example.path)):
        dotted = example.path.removesuffix(".py").removeprefix("" if root == "." else f"{root}/")
        name = dotted.removesuffix("/__init__").replace("/", ".")
        roots = tuple(dict.fromkeys((root, ".", "src")))
        found = _run(bench.runner, replace(job, entry=name, way="module", roots=roots), local)
        best = found if best is None or _rank(found) >= _rank(best) else best
        if _rank(best) == (True, True):
            break
    return {"module": best} if best else {}


def _rank(record: Record) -> tuple[bool, bool]:
    return (record["stubbed"]["executes"], record["plain"]["executes"])


def _outcome(outcome: Outcome) -> Record:
    names = hashlib.sha256(" ".join(outcome.names).encode()).hexdigest()[:12]
    return {"executes": outcome.executes, **asdict(outcome), "names": names}


@lru_cache(maxsize=1)
def _repository(folder: Path) -> Repository:
    """One repository at a time: examples of one repository stand together."""
    return Repository(folder)


# --- comparisons --------------------------------------------------------------------------------


def _undefined(runs: dict[str, Record], home: Home, example: Example) -> list[Record]:
    """Globals that nothing binds; `in_original` where the repository's file does not either."""
    found = {tuple(item) for run in runs.values() for item in run["stubbed"]["undefined"]}
    bound = _bound(read_text(home.folder / example.path))
    return [
        {"module": module, "function": function, "name": name, "in_original": name not in bound}
        for module, function, name in sorted(found)
    ]


def _bound(text: str) -> frozenset[str]:
    """Names that the top level of a file binds."""
    try:
        table = symtable.symtable(text, "<original>", "exec")
    except SyntaxError:
        return frozenset()
    bound = (s for s in table.get_symbols() if s.is_assigned() or s.is_imported())
    return frozenset(symbol.get_name() for symbol in bound)


def _identity(example: Example, home: Home, made: Slice) -> Record:
    """Whether the target and every kept function or method stand in the slice as in the repo."""
    texts = _texts(made)
    nodes = definitions(read_text(home.folder / example.path), example.qualname)
    trees = {ast.dump(node) for node in nodes}
    found = {ast.dump(n) for text in texts for n in definitions(text, example.qualname)}
    kept = [d for d in made.manifest.definitions if d.kind in {"function", "method"}]
    changed = [d for d in kept if not any(_lines(home, d) in text for text in texts)]
    return {
        "target_identical": bool(trees) and trees <= found,
        "functions_kept": len(kept),
        "functions_changed": [f"{d.path}::{d.qualname}" for d in changed],
    }


def _lines(home: Home, definition: Definition) -> str:
    lines = read_text(home.folder / definition.path).splitlines(keepends=True)
    return "".join(lines[definition.first_line - 1 : definition.last_line]).rstrip("\n")


def _texts(made: Slice) -> list[str]:
    """The texts of a slice: its files, and the module texts that a script carries as strings."""
    files = [f.content.decode("utf-8-sig", "replace").replace("\r\n", "\n") for f in made.files]
    return files + [text for file in files for text in _carried(file)]


def _carried(text: str) -> Iterator[str]:
    """Strings of several lines in a script; those of one tuple are the pieces of one text."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.Tuple):
            constants = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
            pieces = [v for v in constants if isinstance(v, str) and "\n" in v]
            if pieces:
                yield "".join(pieces)


def _difference(example: Example, made: Slice) -> Record:
    """Definitions that only the slice or only the published context has, by qualified name."""
    ours = {n for text in _texts(made) for n in _qualnames(text)}
    theirs = {n for text in example.fragments().values() for n in _qualnames(text)}
    return {"only_in_slice": sorted(ours - theirs), "only_in_context": sorted(theirs - ours)}


def _qualnames(text: str) -> set[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    names: set[str] = set()

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.add(prefix + child.name)
                if isinstance(child, ast.ClassDef):
                    visit(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.stmt):
                visit(child, prefix)

    visit(tree, "")
    return names


def _size(text: str) -> dict[str, int]:
    lines = [line for line in text.splitlines() if line.strip()]
    return {"bytes": len(text.encode("utf-8", "replace")), "lines": len(lines)}


def _size_of_files(made: Slice) -> dict[str, int]:
    sizes = [_size(f.content.decode("utf-8", "replace")) for f in made.files]
    return {key: sum(size[key] for size in sizes) for key in ("bytes", "lines")}


def _leave(folder: Path, made: Slice, layout: Layout) -> None:
    if layout != "package":
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.with_suffix(".py").write_text(made.source, "utf-8", "surrogateescape")
        return
    for file in made.files:
        (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.path).write_bytes(file.content)
