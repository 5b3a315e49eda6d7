"""Every function of whole repositories, sliced with mocks: does the script import?

    python -m benchmarks.mocks.mocked_functions --repos DIR [--sample N]

What all slices of a repository import is installed once, as of its commit, with what their runs
ask for; what cannot be installed or imported is stubbed. Each script is loaded in the sandbox, in a
process of its own, without network. A run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.driver.places.repository_origin import origin_of
from slicefunc.driver.places.script_environment import Provision, provision
from slicefunc.slicer import Repository, Slice, slice_function
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.verifier.execution.environments import InstallError
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Executor, Profile

from ..common.records import opened
from ..common.report import Progress, digest_of, machine, normalised, share, table, write_result
from ..sources.sdists import DEFAULT_WORK
from .run_mocked import run_child

Record = dict[str, Any]


def main(argv: list[str] | None = None) -> int:
    """Measure what is not yet recorded, and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    work = options.work.resolve()
    os.environ.setdefault("SLICE_FUNC_CACHE", str(work))
    folders = sorted(f for f in options.repos.resolve().iterdir() if f.is_dir())
    drawn = {folder: _drawn(folder, options.sample, options.seed) for folder in folders}
    progress = Progress("functions", sum(map(len, drawn.values())))
    key = digest_of("slicer", "mocker", "verifier", "driver")
    with opened(work / f"mocks-functions-{key}.jsonl") as records:
        known = {(r["repository"], r["target"]) for r in records.found}
        for folder, targets in drawn.items():
            missing = [t for t in targets if (folder.name, t) not in known]
            for record in _repository(folder, missing) if missing else ():
                records.add(record)
                progress.advance()
        wanted = {(folder.name, t) for folder, targets in drawn.items() for t in targets}
        found = [r for r in records.found if (r["repository"], r["target"]) in wanted]
    summary = _summary(found)
    result = {"summary": summary, "sample": options.sample, "functions": found, **machine()}
    if options.write:
        write_result("mocks_functions", result)
    print(json.dumps(result, indent=1) if options.json else _markdown(summary))
    return 0


def _drawn(folder: Path, sample: int | None, seed: int) -> list[str]:
    """All functions of a repository, or as many as are asked for, drawn with the seed."""
    targets = [str(target) for target in Repository(folder).targets()]
    if sample is None or len(targets) <= sample:
        return targets
    return sorted(random.Random(f"{seed} {folder.name}").sample(targets, sample))


def _repository(folder: Path, targets: Sequence[str]) -> list[Record]:
    repository = Repository(folder)
    stubs: tuple[str, ...] = ()
    slices, failed = _slices(repository, targets, stubs)
    place, problem = None, "nothing sliced"
    loads = Loads()
    while slices:
        place, problem = _place(repository, slices, loads)
        more = [name for name in (place.not_installable if place else ()) if name not in stubs]
        if not more:
            break
        stubs = (*stubs, *more)
        slices, failed = _slices(repository, targets, stubs)
    records = [{"repository": folder.name, "target": t, "error": e} for t, e in failed.items()]
    reports = loads.reports(place.profile, slices) if place else {}
    for target, sliced in slices.items():
        record: Record = {"repository": folder.name, "target": target}
        if place is None:
            records.append({**record, "error": problem})
            continue
        plain = slice_function(repository, target)
        record["verbatim"] = plain.manifest.definitions == sliced.manifest.definitions
        record["mocked"] = plain.source != sliced.source
        report = reports[target]
        records.append({**record, **{k: report[k] for k in ("imports", "why", "attempts")}})
    return records


def _slices(
    repository: Repository, targets: Sequence[str], stubs: tuple[str, ...]
) -> tuple[dict[str, Slice], dict[str, str]]:
    slices: dict[str, Slice] = {}
    failed: dict[str, str] = {}
    for target in targets:
        try:
            slices[target] = compile_slice(repository, (target,), Options(stubs=stubs))
        except SliceFuncError as error:
            failed[target] = str(error)
    return slices, failed


def _place(
    repository: Repository, slices: Mapping[str, Slice], loads: Loads
) -> tuple[Provision | None, str]:
    """One environment with what all of the slices import, and with what their runs ask for."""
    manifests = [sliced.manifest for sliced in slices.values()]
    manifest = replace(
        manifests[0],
        requirements=tuple(sorted({r for m in manifests for r in m.requirements})),
        externals=tuple(dict.fromkeys(e for m in manifests for e in m.externals)),
        mocks=tuple(dict.fromkeys(mocked for m in manifests for mocked in m.mocks)),
    )

    def errors(profile: Profile) -> str:
        reports = loads.reports(profile, slices).values()
        return "\n\n".join(dict.fromkeys(r["why"] for r in reports if not r["imports"]))

    try:
        return provision(repository, manifest, origin_of(repository.path), errors), ""
    except InstallError as error:
        return None, f"environment: {error}"


class Loads:
    """How scripts loaded, each once in every environment."""

    def __init__(self) -> None:
        self._known: dict[tuple[Profile, str], Record] = {}

    def reports(self, profile: Profile, slices: Mapping[str, Slice]) -> dict[str, Record]:
        """What is told of each slice in an environment."""
        executor = choose().make()
        executor.start(profile)
        try:
            return {t: self._report(executor, profile, each) for t, each in slices.items()}
        finally:
            executor.close()

    def _report(self, executor: Executor, profile: Profile, sliced: Slice) -> Record:
        key = (profile, sliced.source)
        if key not in self._known:
            self._known[key] = run_child(executor, sliced, {})
        return self._known[key]


def _summary(found: list[Record]) -> Record:
    made = [each for each in found if "imports" in each]
    return {
        "functions": len(found),
        "repositories": len({each["repository"] for each in found}),
        "errors": dict(Counter(normalised("", e["error"]) for e in found if "error" in e)),
        "made": len(made),
        "import": sum(each["imports"] for each in made),
        "mocked": sum(each["mocked"] for each in made),
        "mocked_import": sum(each["imports"] for each in made if each["mocked"]),
        "verbatim": sum(each["verbatim"] for each in made),
        "attempts": sum(bool(each["attempts"]) for each in made),
        "reasons": dict(Counter(_reason(e) for e in made if not e["imports"]).most_common()),
    }


def _reason(record: Record) -> str:
    name, _, message = record["why"].partition(": ")
    return f"{record['repository']}: {normalised(name, message)}"


def _markdown(summary: Record) -> str:
    made = summary["made"]
    rows = [
        ["functions", str(summary["functions"])],
        ["repositories", str(summary["repositories"])],
        *([f"left out: {text[:80]}", str(n)] for text, n in summary["errors"].items()),
        ["import", share(summary["import"], made)],
        ["of those with mocks: import", share(summary["mocked_import"], summary["mocked"])],
        ["kept definitions verbatim", share(summary["verbatim"], made)],
        ["reached for the network, or for files outside the box", str(summary["attempts"])],
        *([f"does not import: {text}", str(n)] for text, n in summary["reasons"].items()),
    ]
    return table(["", ""], rows)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mocks.mocked_functions",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--repos", type=Path, metavar="DIR", required=True, help="the clones")
    parser.add_argument("--sample", type=int, metavar="N", help="at most N functions of each")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--work", type=Path, default=DEFAULT_WORK / "mocks", metavar="DIR")
    parser.add_argument("--json", action="store_true", help="JSON instead of Markdown")
    parser.add_argument("--write", action="store_true", help="keep the result")
    return parser


if __name__ == "__main__":
    sys.exit(main())
