"""Over RepoST's examples, one record each: what is known is not measured again."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...common.records import opened
from ...common.report import Progress
from .examples import Example, read_examples

Record = dict[str, Any]


def over_examples(
    options: argparse.Namespace,
    name: str,
    measure: Callable[[Example, Path | None, Path], Record],
) -> list[Record]:
    """The record of each example that was asked for.

    Args:
        options: with `data`, `repos`, `work`, `only` and `limit`.
        name: of the file of records in the work folder.
        measure: makes the record of an example, given the folder of the repositories and the work
            folder.
    """
    work = options.work.resolve()
    os.environ.setdefault("SLICE_FUNC_CACHE", str(work))
    examples = read_examples(options.data)
    if options.only:
        examples = tuple(e for e in examples if e.number in options.only)
    examples = examples[: options.limit]
    repositories = options.repos.resolve() if options.repos else None
    progress = Progress("examples", len(examples))
    found: list[Record] = []
    with opened(work / f"{name}.jsonl") as records:
        known = {record["number"]: record for record in records.found}
        for example in examples:
            if example.number not in known:
                known[example.number] = measure(example, repositories, work)
                records.add(known[example.number])
            found.append(known[example.number])
            progress.advance()
    return found
