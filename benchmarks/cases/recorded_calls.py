"""Functions that the tests of their repositories reach: whose calls are carved, and what becomes
of them.

    python -m benchmarks.cases.recorded_calls REPOSITORY … [--sample N] [--seed N] [--output FILE]

Each repository is recorded as a whole first. Of the functions that were called then a sample is
drawn by the seed, and an environment is made of each. One JSON line a function, and the totals at
the end.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from slicefunc.driver.pipeline.passes import Verification, compile_environment
from slicefunc.driver.pipeline.recording.repository_calls import Recording, recording_of
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import SliceFuncError
from slicefunc.slicer.model import Target
from slicefunc.verifier.evidence.recordings.carving import Script
from slicefunc.verifier.evidence.recordings.relevant_tests import is_test
from slicefunc.verifier.execution.executors.choose_executor import (
    Choice,
    choose,
    with_warm_executors,
)
from slicefunc.verifier.inputs.argument_pools import inputs_of


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one function."""

    repository: str
    target: str
    calls: int
    """Distinct calls that were recorded."""
    carved: int
    """Those of which every value can be written in the slice that cases are made for."""
    kept: int
    """Definitions that are in the slice because they were recorded."""
    cases: int
    is_environment: bool
    reasons: tuple[str, ...]
    cpu_seconds: float


def rows_of(place: Path, choice: Choice, number: int, seed: int) -> Iterator[Row]:
    """The rows of one repository."""
    repository = Repository(place)
    recording = recording_of(repository, choice)
    recording.run_all()
    targets = [target for target in repository.targets() if not is_test(target.path)]
    reached = [target for target in targets if recording.calls(target)]
    print(f"{place.name}: {len(reached)} of {len(targets)} functions reached", file=sys.stderr)
    for row in recording.failures():
        print(f"  {row}", file=sys.stderr)
    drawn = Random(f"{seed}:{place.name}").sample(reached, min(number, len(reached)))
    for target in sorted(drawn):
        yield _row(place.name, repository, recording, target, choice)


def _row(
    name: str, repository: Repository, recording: Recording, target: Target, choice: Choice
) -> Row:
    calls = recording.calls(target)
    before = _cpu()
    try:
        found = compile_environment(
            repository, str(target), verification=Verification(test=True), choice=choice
        )
    except SliceFuncError as error:
        reason = f"error: {error}"
        return Row(name, str(target), len(calls), 0, 0, 0, False, (reason,), _cpu() - before)
    script = Script(repository, found.sliced)
    is_function = inputs_of(repository, found.sliced) is not None
    carved = sum(is_function and script.is_expressible(call) for call in calls)
    kept = sum(d.reason == "recorded" for d in found.sliced.manifest.definitions)
    recorded = found.verified.oracle.recorded if found.verified.oracle else ()
    is_environment = found.environment is not None and not found.reasons
    reasons = tuple(each.code for each in found.reasons)
    return Row(
        name, str(target), len(calls), carved, kept, len(recorded), is_environment, reasons,
        round(_cpu() - before, 1),
    )  # fmt: skip


def _cpu() -> float:
    """Seconds of the processor, of this process and of those that it has waited for."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(each) for each in who]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=5, help="functions of each repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, help="file that takes one JSON line a function")
    given = parser.parse_args(arguments)
    rows: list[Row] = []
    with with_warm_executors(choose()) as choice:
        for place in given.repositories:
            for row in rows_of(place, choice, given.sample, given.seed):
                rows.append(row)
                line = json.dumps(asdict(row))
                print(line, flush=True)
                if given.output:
                    with given.output.open("a") as file:
                        file.write(line + "\n")
    carved = sum(row.carved > 0 for row in rows)
    good = sum(row.is_environment for row in rows)
    print(f"{len(rows)} functions: calls carved of {carved}, environments {good}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
