"""Mutants that synthesised cases leave alive: a sample for people to judge, and the judgements.

    python -m benchmarks.cases.survivors --records FILE [--number 100] [--seed 0]

`FILE` is the record of a run of `benchmarks.cases.synthesis`. The sample is drawn with the seed
from all
survivors of it together. `results/survivors.json` holds what people said of each: whether any input
could tell it from the original, and why; with `--write` the sample goes there, judgements of the
same mutants kept, and the rest waits for somebody. Without, it is counted.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..common.report import RESULTS, machine, share, table, write_result

Survivor = dict[str, Any]
VERDICTS = ("equivalent", "not equivalent", "not judged")


def main(argv: list[str] | None = None) -> int:
    """Draw or count; the exit status is 0 when every survivor of the sample was judged."""
    options = _arguments().parse_args(argv)
    held = _read(RESULTS / "survivors.json")
    if options.records:
        records = [json.loads(line) for line in options.records.read_text("utf-8").splitlines()]
        held = sample(records, held, options.number, options.seed)
    if options.write:
        write_result("survivors", {"survivors": held, **machine()})
    print(json.dumps(held, indent=1) if options.json else markdown(held))
    return int(any(each["verdict"] == "not judged" for each in held))


def sample(
    records: Sequence[dict[str, Any]], judged: Sequence[Survivor], number: int, seed: int
) -> list[Survivor]:
    """Survivors drawn from all together, with what was said of the same ones before.

    Args:
        records: one for each target, with `repository`, `target` and the texts of `survived`.
        judged: of an earlier sample.
        number: how many.
        seed: of the draw.
    """
    every = [
        {"repository": r["repository"], "target": r["target"], "mutant": mutant}
        for r in records
        for mutant in r.get("survived", ())
    ]
    drawn = random.Random(seed).sample(every, min(number, len(every)))
    known = {_key(each): each for each in judged}
    fresh = {"verdict": "not judged", "why": ""}
    return [{**each, **fresh, **known.get(_key(each), {})} for each in drawn]


def markdown(found: Sequence[Survivor]) -> str:
    """The counts, and each survivor with what was said of it."""
    counts = [sum(each["verdict"] == verdict for each in found) for verdict in VERDICTS]
    head = table(
        ["survivors", "share"],
        [[v, share(n, len(found))] for v, n in zip(VERDICTS, counts, strict=True)],
    )
    rows = [
        [f"{e['repository']} {e['target']}", e["mutant"], e["verdict"], e["why"]] for e in found
    ]
    return f"{head}\n\n{table(['target', 'mutant', 'verdict', 'why'], rows)}"


def _key(survivor: Survivor) -> tuple[str, str, str]:
    return survivor["repository"], survivor["target"], survivor["mutant"]


def _read(path: Path) -> list[Survivor]:
    return json.loads(path.read_text("utf-8"))["survivors"] if path.exists() else []


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cases.survivors", description=__doc__
    )
    parser.add_argument("--records", type=Path, help="of a run of benchmarks.cases.synthesis")
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser


if __name__ == "__main__":
    sys.exit(main())
