"""Slice every function of ten real packages, import each script, and compare it with the source.

python -m benchmarks.slices.packages                     all ten, hours on two cores; resumable
python -m benchmarks.slices.packages --package click     one of them
python -m benchmarks.slices.packages --limit 50          a seeded sample of each
python -m benchmarks.slices.packages --workers 2         with two processes that slice
python -m benchmarks.slices.packages --short             what CI runs: half a minute
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import json
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slicefunc.slicer import Repository

from ..common.records import opened
from ..common.report import Progress, digest_of, machine, write_result
from ..sources.functions import functions_of, module_name, sample
from ..sources.imports import Imported, Importer, importer, isolated
from ..sources.sdist import Sdist
from ..sources.sdists import DEFAULT_WORK, NAMES, SDISTS, environment, fetch_sdist
from ..sources.slicing import Sliced, slice_beside
from .kept_text import Known, check_identity
from .summary import goals_missed, markdown, summarise

IMPORT_SAMPLE = {"sympy": 2000}
"""Scripts of how many targets are imported and compared as trees; of the others, all."""
IMPORT_SECONDS = 600.0
"""How long an import may take; long, since the machine may be busy with other things."""
SHORT = {"click": 8, "requests": 8, "attrs": 6}
"""The packages that `--short` runs, and how many functions of each."""


MEASURED_WITH = (
    *("slicer", "mocker"),
    *(
        "benchmarks/sources/functions.py",
        "benchmarks/slices/kept_text.py",
        "benchmarks/sources/imports.py",
    ),
    *("benchmarks/sources/import_runner.py", "benchmarks/sources/import_codes.py"),
    *("benchmarks/slices/packages.py", "benchmarks/sources/sdists.py"),
    *(
        "verifier/same_code/ast_equivalence.py",
        "verifier/script/source_map.py",
        "verifier/script/module_statements.py",
    ),
)
"""Sources on which a record depends: where one has changed, no earlier run is resumed."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a run depends on besides the slicer."""

    emit: str
    mock: bool
    limit: int | None
    seed: int
    work: Path
    fresh: bool
    workers: int


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status is 1 where a goal is missed."""
    arguments = _arguments().parse_args(argv)
    limits = dict(SHORT) if arguments.short else dict.fromkeys(NAMES, arguments.limit)
    if arguments.package:
        limits = {name: limits.get(name, arguments.limit) for name in arguments.package}
    summaries: list[dict[str, object]] = []
    for sdist in SDISTS:
        if sdist.name in limits:
            options = Options(
                *(arguments.emit, arguments.mock == "auto", limits[sdist.name], arguments.seed),
                *(arguments.work.resolve(), arguments.fresh, arguments.workers),
            )
            summaries.append(run_package(sdist, options))
            _keep(summaries[-1], options)
    if arguments.json:
        print(json.dumps(summaries, indent=1))
    if arguments.markdown or not arguments.json:
        print(markdown(summaries))
    missed = goals_missed(summaries)
    for line in missed:
        print(f"benchmarks: {line}", file=sys.stderr)
    return 1 if missed else 0


def run_package(sdist: Sdist, options: Options) -> dict[str, object]:
    """Measure one package, going on where an earlier run with the same slicer stopped."""
    folder = fetch_sdist(sdist.name, options.work)
    functions = functions_of(sdist, folder)
    targets = sample(functions, options.limit, f"{options.seed}:{sdist.name}")
    imported = set(sample(targets, IMPORT_SAMPLE.get(sdist.name), f"{options.seed}:import"))
    run = _run_folder(sdist, options)
    with contextlib.ExitStack() as stack:
        records = stack.enter_context(opened(run / "targets.jsonl"))
        done = {(record["path"], record["qualname"]) for record in records.found}
        left = [target for target in targets if target not in done]
        progress = Progress(f"{sdist.name}, {options.emit}", len(targets))
        progress.advance(len(done))
        scripts = _Scripts(sdist, run, options, stack)
        known = Known()
        for sliced in slice_beside(
            options.workers, folder, left, emit=options.emit, mock=options.mock
        ):
            chosen = (sliced.path, sliced.qualname) in imported
            record = _record(folder, sliced, known, trees=chosen)
            if chosen and not sliced.error:
                record["import"] = scripts.imported(sliced)
            records.add(record)
            progress.advance()
    listed = {(target.path, target.qualname) for target in Repository(folder).targets()}
    return {
        **summarise(sdist, records.found),
        "functions": len(functions),
        "not_listed": [f"{p}::{q}" for p, q in functions if (p, q) not in listed],
        "emit": options.emit,
        "mock": options.mock,
        "seed": options.seed,
        "isolated": isolated(),
        **machine(),
    }


class _Scripts:
    """Imports scripts, and for those that fail the module that they come from."""

    def __init__(
        self, sdist: Sdist, run: Path, options: Options, stack: contextlib.ExitStack
    ) -> None:
        self._sdist = sdist
        self._run = run
        self._work = options.work
        self._fakes = options.mock
        self._stack = stack
        self._importers: dict[bool, Importer] = {}
        self._modules: dict[tuple[str, str], Imported] = {}

    def imported(self, sliced: Sliced) -> dict[str, object]:
        """Import one script; a script that fails is kept in `failed`."""
        spelled = f"{sliced.path}::{sliced.qualname}"
        script = self._run / f"s{hashlib.sha256(spelled.encode()).hexdigest()[:12]}.py"
        script.write_text(sliced.source, encoding="utf-8", newline="")
        name = sliced.qualname.split(".")[0]
        module = module_name(sliced.path, self._sdist.root)
        carries = sliced.manifest is not None and sliced.manifest.layout == "modules"
        own = module if carries else None
        started = self._importer(installed=False)
        result = started.script(script, name, own=own, timeout=IMPORT_SECONDS)
        if result.ok:
            script.unlink()
            return {
                "ok": True,
                "printed": result.printed[:200],
                "seconds": result.seconds,
                "own_name": result.own_name,
            }
        failed = self._run / "failed"
        failed.mkdir(exist_ok=True)
        script = script.rename(failed / script.name)
        original = self._module(module, name)
        return {
            **dataclasses.asdict(result),
            "printed": result.printed[:200],
            "script": script.name,
            # Where both leave the name unbound, its definition is not for this platform, or for
            # programs only. Where only the module unbinds it, with `del`, the script has failed
            # by its own.
            "own_module": original.ok
            or (original.error == "unbound" and not _is_unbound(result, name)),
            "own_error": f"{original.error}: {original.message}" if original.error else "",
        }

    def _module(self, module: str, name: str) -> Imported:
        if (module, name) not in self._modules:
            self._modules[module, name] = self._importer(installed=True).module(module, name)
        return self._modules[module, name]

    def _importer(self, *, installed: bool) -> Importer:
        if installed not in self._importers:
            place = environment(
                self._sdist.name, installed=installed, fakes=self._fakes, work=self._work
            )
            made = self._stack.enter_context(importer(place, self._work))
            self._importers[installed] = made
        return self._importers[installed]


def _is_unbound(result: Imported, name: str) -> bool:
    """Whether the script, or its module, does not bind the name."""
    return result.error == "unbound" or f"cannot import name {name!r}" in result.message


def _record(folder: Path, sliced: Sliced, known: Known, *, trees: bool) -> dict[str, object]:
    """What is kept of one target, as plain JSON values."""
    record: dict[str, object] = {
        "path": sliced.path,
        "qualname": sliced.qualname,
        "seconds": round(sliced.seconds, 6),
        "peak_mb": round(sliced.peak_mb, 1),
    }
    manifest = sliced.manifest
    if manifest is None:
        return {**record, "error": sliced.error, "message": sliced.message}
    kinds = Counter(definition.kind for definition in manifest.definitions)
    try:
        found = check_identity(folder, sliced.source, manifest, trees=trees, known=known)
        identity = dataclasses.asdict(found)
    except (SyntaxError, ValueError, RecursionError) as error:
        # The script itself does not parse: nothing in it can be called identical.
        text = f"the script does not parse: {error}"
        identity = {"target": False, "kept": 1, "identical": 0, "edited": 0, "different": [text]}
    return {
        **record,
        "layout": manifest.layout,
        "kinds": dict(kinds),
        "lines": sliced.source.count("\n"),
        "files_read": len(manifest.files_read),
        "gaps": dict(Counter(gap.kind for gap in manifest.gaps)),
        "edits": len(manifest.edits),
        "identity": identity,
        "trees": trees,
    }


def _run_folder(sdist: Sdist, options: Options) -> Path:
    """Where this run's records are: a folder for each slicer, package and set of options."""
    limit = "all" if options.limit is None else str(options.limit)
    key = f"{digest_of(*MEASURED_WITH)}-{options.emit}-{limit}-{options.seed}"
    key += "-mocks" if options.mock else ""
    folder = options.work / "runs" / key / sdist.folder
    if options.fresh:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _keep(summary: dict[str, object], options: Options) -> None:
    """Write a whole package's summary among the results; samples are only printed."""
    if options.limit is None:
        suffix = "" if options.emit == "script" else f"-{options.emit}"
        suffix += "-mocks" if options.mock else ""
        write_result(f"packages{suffix}-{summary['name']}", summary)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.slices.packages", description=__doc__
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--package", action="append", choices=NAMES, help="repeatable")
    parser.add_argument("--limit", type=int, help="functions of each package, a seeded sample")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--emit", choices=("script", "flat", "modules"), default="script")
    parser.add_argument("--mock", choices=("auto", "none"), default="none")
    parser.add_argument("--short", action="store_true", help="a sample of three packages")
    parser.add_argument("--fresh", action="store_true", help="do not resume an earlier run")
    parser.add_argument("--workers", type=int, default=1, help="processes that slice (1)")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK, help="cache folder")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
