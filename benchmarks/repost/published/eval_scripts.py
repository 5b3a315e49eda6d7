"""RepoST's published eval scripts in the executor, with the original as the candidate.

Each script gets an environment of what it imports, as it could be had when the data set was
published, and is run as a program: once with the repository's function in the candidate's place,
once with the script's own copy of it. Both are then run once more with the arcs collected, and the
coverage is held against the data set's. Installing is the only step with a network.

    python -m benchmarks.repost.published.eval_scripts --data FILE                      the tables
    python -m benchmarks.repost.published.eval_scripts --data FILE --find-links DIR     with wheels
    that lie there
    python -m benchmarks.repost.published.eval_scripts --data FILE --merged             and in
    merged environments
    python -m benchmarks.repost.published.eval_scripts --data FILE --write              also kept
    among the results

A run resumes where it stopped; its records are in the work folder.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path

from slicefunc.verifier.execution.environments import Policy
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Profile

from ...common.records import Records, opened
from ...common.report import Progress, digest_of, machine, write_result
from ...sources.sdists import DEFAULT_WORK
from ..data.examples import Example, read_examples
from .eval_bench import Bench, Record
from .eval_tables import markdown, summarise

PUBLISHED = "2025-03-31T00:00:00Z"
"""The month of the data set. It has no commit's date, which would bind the versions better."""


def main(argv: list[str] | None = None) -> int:
    """Run what is not yet recorded, and print; the exit status is 0 when all was done."""
    options = _arguments().parse_args(argv)
    examples = read_examples(options.data)[: options.limit]
    links = tuple(str(place.resolve()) for place in options.find_links)
    policy = Policy(exclude_newer=PUBLISHED, find_links=links)
    work = options.work.resolve()
    choice = choose(Profile(), wanted=options.executor)
    with opened(work / "records.jsonl") as records, closing(Bench(choice, work, policy)) as bench:
        run = _Run(bench, records, _digest_of_all(policy))
        found = list(run.scripts(examples))
        if options.merged:
            found = list(run.again_merged(examples, found))
    rates = _coverage_rates(options.data)
    found = [{**record, "recorded": rates[record["number"]]} for record in found]
    result = {
        "executor": choice.name,
        "lacks": choice.capabilities.missing_protections,
        "summary": summarise(found),
        "scripts": [{k: v for k, v in each.items() if k not in _UNWRITTEN} for each in found],
        **machine(),
        "verifier": digest_of("verifier"),
    }
    if options.write:
        write_result("repost_eval", result)
    print(json.dumps(result, indent=1) if options.json else markdown(result))
    return 0


_UNWRITTEN = frozenset({"digest", "lock"})


@dataclass(slots=True)
class _Run:
    """Does what is not recorded, and records it."""

    bench: Bench
    records: Records
    digest: str
    _known: dict[str, Record] = field(init=False)

    def __post_init__(self) -> None:
        self._known = {record["digest"]: record for record in self.records.found}

    def scripts(self, examples: Sequence[Example]) -> Iterator[Record]:
        """Each script in an environment of its own."""
        progress = Progress("eval scripts", len(examples))
        for example in examples:
            yield self._kept(_digest(self.digest, asdict(example)), self.bench.record, example)
            progress.advance()

    def again_merged(
        self, examples: Sequence[Example], found: Sequence[Record]
    ) -> Iterator[Record]:
        """The records, with the verdicts of the same scripts in merged environments."""
        locks = sorted({record["lock"] for record in found if "lock" in record})
        environments = self.bench.merged(locks)
        progress = Progress("merged environments", len(found))

        def verdicts(example: Example, lock: str) -> Record:
            return {"merged": self.bench.verdicts(example, environments[lock])}

        for example, record in zip(examples, found, strict=True):
            if "lock" in record:
                lock: str = record["lock"]
                digest = _digest(record["digest"], environments[lock].lock.digest)
                merged = self._kept(digest, verdicts, example, lock)["merged"]
                yield {**record, "merged": merged}
            else:
                yield record
            progress.advance()

    def _kept(self, digest: str, make: Callable[..., Record], *given: object) -> Record:
        if digest not in self._known:
            self._known[digest] = {"digest": digest, **make(*given)}
            self.records.add(self._known[digest])
        return self._known[digest]


def _coverage_rates(data: Path) -> dict[str, float]:
    lines = map(json.loads, data.read_text("utf-8").splitlines())
    return {line["idx"]: float(line["coverage_rate"]) for line in lines}


def _digest_of_all(policy: Policy) -> str:
    """Of what all records depend on, but for the index."""
    code = digest_of("verifier", "slicer/packaging/distributions.py", *_OWN)
    return _digest(code, [policy.exclude_newer, *policy.find_links])


def _digest(first: str, then: object) -> str:
    return hashlib.sha256(json.dumps([first, then]).encode()).hexdigest()[:16]


_OWN = (
    *("benchmarks/repost/data/examples.py", "benchmarks/repost/data/script_environments.py"),
    *(f"benchmarks/repost/published/eval_{part}.py" for part in ("candidate", "coverage", "bench")),
)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    add: Callable[..., object] = parser.add_argument
    add("--data", type=Path, required=True, metavar="FILE", help="the data set, JSON lines")
    add("--limit", type=int, metavar="N", help="only the first N scripts")
    add("--find-links", type=Path, action="append", default=[], metavar="DIR",
        help="folder with further wheels, as of PyTorch for the CPU only")  # fmt: skip
    add("--merged", action="store_true", help="run all once more in the few merged environments")
    add("--executor", choices=("embedded", "docker", "plain"), help="only this one")
    add("--work", type=Path, default=DEFAULT_WORK / "repost-eval", metavar="DIR",
        help="where environments and records are kept")  # fmt: skip
    add("--json", action="store_true", help="JSON instead of Markdown")
    add("--write", action="store_true", help="keep the result")
    return parser


if __name__ == "__main__":
    sys.exit(main())
