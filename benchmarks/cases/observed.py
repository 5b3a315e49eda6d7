"""What slices lack that their repositories run: each observed addition, by kind.

    python -m benchmarks.cases.observed --programs [--sample 60]        the small programs
    python -m benchmarks.cases.observed --repos DIR [--sample 40]       functions of repositories

`DIR` holds one repository in each folder. Functions are drawn with a seed. Each is sliced, and its
likeliest call (of small programs the only one) runs in the slice and in the repository. Where these
differ, the slice is mended with what ran there. Nothing is installed: modules that import what is
not at hand cannot be compared, and are counted so. What is printed are the misses of the static
analysis, so that they can be mended at their root.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from slicefunc.driver.pipeline.case_synthesis import first_cases
from slicefunc.driver.pipeline.recording.observed_repair import repair_slice
from slicefunc.driver.pipeline.recording.repository_runs import RepositoryRuns
from slicefunc.driver.pipeline.slice_passes import compile_slice
from slicefunc.driver.places.repository_origin import origin_of
from slicefunc.driver.places.script_environment import current_interpreter
from slicefunc.driver.settings.options import Options
from slicefunc.slicer import Repository, SliceFuncError
from slicefunc.slicer.repo.target_paths import walk_definitions
from slicefunc.verifier.evidence.faithfulness import single_run_oracle
from slicefunc.verifier.execution.executors.choose_executor import (
    Choice,
    choose,
    with_warm_executors,
)
from slicefunc.verifier.execution.executors.interface import Case
from slicefunc.verifier.scoring.oracle.oracle import Oracle
from slicefunc.verifier.scoring.oracle.oracle_recording import STILL

from ..common.report import share, write_result
from ..slices.small_programs import PROGRAMS

Found = dict[str, Any]


def examined(
    repository: Repository, target: str, cases: Sequence[Case] | None, choice: Choice
) -> Found:
    """What comes of comparing a function, and what is added to its slice.

    Args:
        repository: where it is.
        target: as `path::qualname`.
        cases: calls of it; the likeliest if not given.
        choice: the executor.
    """
    try:
        sliced = compile_slice(repository, target)
        tried = first_cases(repository, sliced) if cases is None else tuple(cases)
        place = current_interpreter(sliced.manifest)
        origin = origin_of(repository.path)
        runs = RepositoryRuns(repository, sliced, origin, place, choice, installs=False)
        path, _, qualname = target.partition("::")
        bare = Oracle(sliced.source, path, qualname, (), determinism=STILL)
        with runs.running() as run:
            oracle = single_run_oracle(run, bare, tried) if tried else bare
        if not oracle.recorded:
            return {"target": target, "outcome": "no case"}
        found = runs(oracle)
        if not found.compared:
            code = found.why_not.code if found.why_not else "unknown"
            return {"target": target, "outcome": "not comparable", "code": code}
        if not found.unlike:
            return {"target": target, "outcome": "same"}
        made = repair_slice(runs, tried, Options(), STILL)
    except SliceFuncError as error:
        return {"target": target, "outcome": "no slice", "code": type(error).__name__}
    differs = {"target": target, "difference": str(found)}
    if made is None:
        return {**differs, "outcome": "differs"}
    observed = [f"{e.kind} {e.path}:{e.first_line} {e.qualname}" for e in made[1].manifest.observed]
    return {**differs, "outcome": "mended", "observed": observed}


def _programs(sample: int, seed: int, choice: Choice) -> Iterator[Found]:
    groups: dict[str, dict[str, dict[str, str]]] = json.loads(PROGRAMS.read_text())
    every = [(f"{g}/{name}", files) for g, each in groups.items() for name, files in each.items()]
    drawn = random.Random(seed).sample(every, min(sample, len(every)))
    case = Case("c", "def c():\n    return f()\n")
    for name, files in drawn:
        with tempfile.TemporaryDirectory() as made:
            for path, text in files.items():
                Path(made, path).parent.mkdir(parents=True, exist_ok=True)
                Path(made, path).write_text(text, encoding="utf-8")
            yield {**examined(Repository(made), "m.py::f", [case], choice), "target": name}


def _functions(folder: Path, sample: int, seed: int, choice: Choice) -> Iterator[Found]:
    for place in sorted(each for each in folder.iterdir() if each.is_dir()):
        repository = Repository(place)
        targets: list[str] = []
        for path in repository.python_files():
            if any(part.startswith(("test", "doc")) for part in path.split("/")):
                continue
            try:
                body = repository.source(path).tree.body
            except SliceFuncError:
                continue
            targets += [
                f"{path}::{name}"
                for name, node in walk_definitions(body)
                if type(node).__name__ != "ClassDef"
            ]
        for target in random.Random(seed).sample(targets, min(sample, len(targets))):
            found = examined(repository, target, None, choice)
            yield {**found, "target": f"{place.name}/{target}"}


def summary(found: Sequence[Found]) -> Found:
    """Counts over all functions, with their denominators."""
    outcomes = Counter(each["outcome"] for each in found)
    compared = sum(outcomes[name] for name in ("same", "mended", "differs"))
    with_cases = compared + outcomes["not comparable"]
    return {
        "functions": len(found),
        "outcomes": dict(sorted(outcomes.items())),
        "why_not": dict(sorted(Counter(each["code"] for each in found if "code" in each).items())),
        "comparable": share(compared, with_cases),
        "same_in_place": share(outcomes["same"], compared),
        "observed": dict(
            sorted(
                Counter(
                    text.partition(" ")[0] for each in found for text in each.get("observed", ())
                ).items()
            )
        ),
    }


def main(argv: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="observed", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--programs", action="store_true", help="the small programs")
    parser.add_argument("--repos", type=Path, metavar="DIR", help="repositories, one a folder")
    parser.add_argument("--sample", type=int, default=40, help="programs, or functions of each")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", metavar="NAME", help="also benchmarks/results/NAME.json")
    asked = parser.parse_args(argv)
    found: list[Found] = []
    with with_warm_executors(choose()) as choice:
        parts: list[Iterator[Found]] = []
        if asked.programs:
            parts.append(_programs(asked.sample, asked.seed, choice))
        if asked.repos:
            parts.append(_functions(asked.repos, asked.sample, asked.seed, choice))
        for each in (one for part in parts for one in part):
            found.append(each)
            if each["outcome"] in ("mended", "differs"):
                print(json.dumps(each), file=sys.stderr, flush=True)
    told = summary(found)
    print(json.dumps(told, indent=2))
    if asked.write:
        write_result(asked.write, {**told, "entries": found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
