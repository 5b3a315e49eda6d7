"""Seconds and memory of `train-data` for many environments and candidates.

python -m benchmarks.training.large_data [--environments 10000] [--samples 20] [-o FILE]

The functions are those of the interpreter's own library, from two to sixty lines, each with a
question of its own; half of the samples pass, with trees of their own. Ids, verdicts and records
are made up: nothing is run.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import random
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from slicefunc.driver.datasets.storage.columns import EnvironmentRow
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.datasets.storage.write_dataset import (
    Content,
    environment_order,
    write_dataset,
)
from slicefunc.driver.evaluation.runs import SCHEMA, write_run
from slicefunc.driver.evaluation.sample_rows import Round, SampleRow

_LINES = range(2, 61)
_RECIPES = ("sft", "rft", "dpo", "grpo")


@dataclass(frozen=True, slots=True)
class Found:
    """A function of an installed file."""

    repo: str
    path: str
    name: str
    code: str


def installed_functions() -> Iterator[Found]:
    """Yield the functions of the interpreter's library, methods included, by path."""
    place = Path(sysconfig.get_paths()["stdlib"])
    for file in sorted(place.rglob("*.py")):
        parts = file.relative_to(place).parts
        if "site-packages" in parts:
            continue
        try:
            text = file.read_text("utf-8")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
        except (OSError, ValueError, SyntaxError, RecursionError):
            continue
        lines = text.splitlines(keepends=True)
        for node in _functions(tree.body):
            code = dedent("".join(lines[node.lineno - 1 : node.end_lineno]))
            if code.startswith("def ") and code.count("\n") in _LINES:
                yield Found(
                    "/".join(parts[:2]).removesuffix(".py"), "/".join(parts), node.name, code
                )


def _functions(body: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


def row_of(found: Found) -> EnvironmentRow:
    """Return the row of a function, as a build would write it."""
    identity = hashlib.sha256(f"{found.path}\0{found.code}".encode()).hexdigest()
    head = found.code.partition("\n")[0]
    prompt = f"import os\n\n\n{head}\n    ...\n"
    record = {
        "prompt": {"available": ["os"], "context": prompt, "file_with_hole": prompt},
        "cases": [],
        "metrics": {"mutants": None},
    }
    return EnvironmentRow(
        id=identity, repo=found.repo, commit=None, licence=None, created=None, path=found.path,
        qualname=found.name, split="train", signature=head, docstring=None, prompt=prompt,
        code=found.code, layout="flat", python="3.11", requirements=(), mocks=(),
        branch_coverage=1.0, kill_rate=1.0, unseen_kill_rate=1.0, mutants=1, cases=5, hidden=32,
        compared=5, same=5, lines=found.code.count("\n"), tool_version="0",
        record=json.dumps(record), files=(),
    )  # fmt: skip


def sample_of(row: EnvironmentRow, number: int, random: random.Random) -> SampleRow:
    """Return a sample of its own tree, which passes in half of the cases."""
    passes = number % 2 == 0
    indent = " " * 4
    code = f"{row.code.rstrip()}\n{indent}_ = {number}\n"
    verdict = "passed" if passes else "failed"
    hidden = 32 if passes else random.randrange(32)
    return SampleRow(
        environment=row.id, sample=number, repo=row.repo, path=row.path, qualname=row.qualname,
        families=(), lines=row.lines, dependencies=0, files=1,
        messages=json.dumps([[{"role": "user", "content": row.prompt * 4}]]),
        completion=f"```python\n{code}```\n", code=code, verdict=verdict, reward=float(passes),
        cases_passed=5 if random.random() < 0.8 else 3, cases=5, hidden_passed=hidden, hidden=32,
        reason="", rounds=(Round(verdict, 5, hidden, is_final=True),), exact_match=False,
        edit_similarity=0.9, codebleu=0.9, context_tokens=100, context_cut=0, requests=1,
        input_tokens=100, output_tokens=100, cost=0.0, seconds=1.0,
    )  # fmt: skip


def write(place: Path, environments: int, samples: int) -> int:
    """Write a dataset and a run; return the number of environments."""
    rows: dict[str, EnvironmentRow] = {}
    for found in installed_functions():
        row = row_of(found)
        rows.setdefault(row.id, row)
    chosen = random.Random(0).sample(list(rows.values()), min(environments, len(rows)))
    chosen.sort(key=environment_order)
    write_dataset(
        Store.at(str(place / "dataset")),
        Content(chosen, (), (), lambda _name: b"", {"name": "made"}),
    )
    draws = random.Random(1)
    run = [sample_of(row, number, draws) for row in chosen for number in range(samples)]
    settings = {"schema": SCHEMA, "model": "made-up", "samples": samples, "agent": "basic"}
    write_run(Store.at(str(place / "run")), settings, run)
    return len(chosen)


def measured(place: Path, recipe: str) -> dict[str, Any]:
    """Return seconds, memory and the report of one command."""
    words = [
        str(Path(sys.executable).with_name("slice-func")),
        "train-data",
        str(place / "dataset"),
    ]
    words += [] if recipe == "sft" else [str(place / "run")]
    words += ["--recipe", recipe, "-o", str(place / recipe), "--json"]
    start = time.monotonic()
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE)
    seconds = time.monotonic() - start
    report = json.loads(done.stdout)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # of all commands so far
    return {
        "seconds": round(seconds, 1),
        "largest_process_mb": most // 1024,
        "rows": report["examples"]["rows"],
        "functions": report["functions"],
        "candidates": {k: v for k, v in report["candidates"].items() if k != "by_source"},
    }


def main() -> None:
    """Measure each recipe, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--environments", type=int, default=10_000)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--recipe", action="append", choices=_RECIPES)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="large-data-") as made:
        place = Path(made)
        count = write(place, given.environments, given.samples)
        found: dict[str, Any] = {"environments": count, "samples_each": given.samples}
        for recipe in given.recipe or _RECIPES:
            found[recipe] = measured(place, recipe)
            print(recipe, json.dumps(found[recipe]), flush=True)
    if given.output:
        given.output.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
