"""Rejection sampling whose counts are known: a simulated model, counted without its verdicts.

python -m benchmarks.training.rejection_sampling DATASET [--environments 200] [--samples 8]
    [--rate 0.5] [--work DIR] [-o FILE]

The simulated model `varied-RATE` is right with a known probability, in other words than the
original where it can. Which samples are right follows from its draws, and which of them are
distinct from their trees, so the counts of `train-data` can be computed without a verdict. What
stays is then held against fresh inputs, which took part in no verdict.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.deduplication.tree_digest import tree_digest
from slicefunc.driver.datasets.exports.answers import equivalent_definitions
from slicefunc.driver.datasets.storage.dataset import open_dataset
from slicefunc.driver.evaluation.metrics.intervals import wilson
from slicefunc.driver.evaluation.runs import read_run
from slicefunc.driver.evaluation.sample_rows import SampleRow

from benchmarks.evaluation.overhead import simulated

_PROGRAM = str(Path(sys.executable).with_name("slice-func"))
_SEED = 7
_PER_FUNCTION = 4


def draw_of(sample: SampleRow) -> float:
    """Return the number that the simulated model drew for a sample, from what it was asked."""
    (first, *_) = json.loads(sample.messages)
    asked = [{"role": each["role"], "content": each["content"]} for each in first[:1]]
    about = json.dumps([sample.environment, asked], sort_keys=True)
    digest = hashlib.sha256(f"{about}\0{_SEED + sample.sample}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def by_hand(samples: Sequence[SampleRow], dataset: str, rate: float) -> Counter[str]:
    """Return what must become of the samples, from the draws and the texts alone."""
    opened = open_dataset(dataset)
    rows = {row.id: row for row in opened.rows()}
    right: dict[str, list[str]] = {}
    for each in samples:
        draw = draw_of(each)
        right.setdefault(each.environment, [])
        if draw < rate:
            row = rows[each.environment]
            others = equivalent_definitions(row, opened.environment(row.id)) or [row.code]
            right[each.environment].append(others[int(draw * 1e6) % len(others)])
    found: Counter[str] = Counter()
    for identity, texts in right.items():
        original = tree_digest(rows[identity].code)
        trees = Counter(tree_digest(each) for each in texts)
        found["passed"] += len(texts)
        found["same as the original"] += trees.pop(original, 0)
        found["same as another"] += sum(trees.values()) - len(trees)
        found["kept"] += min(len(trees), _PER_FUNCTION)
        found["over the limit of a function"] += max(0, len(trees) - _PER_FUNCTION)
    return found


def train_data(dataset: str, run: Path, place: Path, *words: str) -> dict[str, Any]:
    """Return the report of rejection sampling."""
    command = [_PROGRAM, "train-data", dataset, str(run), "--recipe", "rft", "-o", str(place)]
    command += ["--per-function", str(_PER_FUNCTION), "--max-tokens", "1000000", "--json", *words]
    command += ["--similarity", "100"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def measured(given: argparse.Namespace, work: Path) -> dict[str, Any]:
    """Run the model, and return its counts beside those by hand."""
    run = work / "run"
    if not run.exists():
        with simulated(given.dataset) as url:
            words = [
                _PROGRAM, "eval", given.dataset, "--base-url", url, "--model",
                f"varied-{given.rate}", "-n", str(given.samples), "--seed", str(_SEED),
                "--llm-cache", str(work / "answers"), "--limit", str(given.environments),
                "--resume", "-o", str(run),
            ]  # fmt: skip
            environment = {**os.environ, "OPENAI_API_KEY": "none"}
            subprocess.run(words, check=True, env=environment, stdout=subprocess.DEVNULL)
    samples = read_run(str(run)).samples
    hand = by_hand(samples, given.dataset, given.rate)
    wrong_verdicts = [
        {"function": f"{each.repo} {each.path}::{each.qualname}", "sample": each.sample,
         "verdict": each.verdict, "reason": each.reason}
        for each in samples
        if each.is_passed != (draw_of(each) < given.rate)
    ]  # fmt: skip
    report = train_data(given.dataset, run, Path(tempfile.mkdtemp(dir=work)) / "plain")
    fresh = train_data(
        given.dataset, run, Path(tempfile.mkdtemp(dir=work)) / "fresh", "--fresh-inputs", "32"
    )
    counts = report["candidates"]
    found = {"passed": counts["passed"], "kept": counts["kept"], **counts["left_out"]}
    refuted = fresh["candidates"]["fresh"]["refuted"]
    distinct = counts["kept"] + counts["left_out"].get("over the limit of a function", 0)
    return {
        "environments": len({each.environment for each in samples}),
        "samples": len(samples),
        "rate": given.rate,
        "functions": report["functions"],
        "train_data": dict(sorted(found.items())),
        "by_hand": {name: number for name, number in sorted(hand.items()) if number},
        "verdicts_that_differ_from_the_draw": wrong_verdicts,
        "fresh": {
            "distinct_answers": distinct,
            **fresh["candidates"]["fresh"],
            "interval": wilson(refuted, distinct),
        },
    }


def main() -> None:
    """Measure, and print or write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("dataset")
    parser.add_argument("--environments", type=int, default=200)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--rate", type=float, default=0.5)
    parser.add_argument("--work", type=Path, default=Path(".work/rejection-sampling"))
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    found = measured(given, given.work.resolve())
    text = json.dumps(found, indent=1) + "\n"
    if given.output:
        given.output.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
