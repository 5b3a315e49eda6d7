"""Environments of RepoST-Eval's targets, with cases that `benchmarks.cases.synthesis` found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slicefunc.driver.pipeline.passes import Verification, compile_environment
from slicefunc.driver.record.environment_files import RECORD, write_environment
from slicefunc.slicer import Repository
from slicefunc.slicer.errors import SliceFuncError

from ..common.report import Progress
from ..repost.data.examples import Example, find_home, read_examples

Record = dict[str, Any]
_FAILURE = "failure.txt"


def make_environments(
    root: Path, data: Path, repositories: Path | None, records: Path, limit: int | None
) -> None:
    """Write what is not there yet: a folder for each target, or why it has none.

    Args:
        root: of these folders.
        data: the data set.
        repositories: folder of checkouts.
        records: of a run of `benchmarks.cases.synthesis`.
        limit: of targets, if not all.
    """
    examples = {example.number: example for example in read_examples(data)}
    found = [record for record in _recorded(records) if record["number"] in examples][:limit]
    progress = Progress("made", len(found))
    for record in found:
        place = root / record["number"]
        if not (place / RECORD).exists() and not (place / _FAILURE).exists():
            _make(place, examples[record["number"]], record["cases"], repositories)
        progress.advance()


def _recorded(records: Path) -> Iterator[Record]:
    for line in records.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record.get("cases"):
            yield record


def _make(place: Path, example: Example, cases: list[str], repositories: Path | None) -> None:
    root = place.parent
    home = find_home(example, repositories, root / "contexts")
    written = root / "cases" / f"{example.number}.py"
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_text("\n\n".join(cases), encoding="utf-8")
    verification = Verification(cases=str(written))
    try:
        made = compile_environment(
            Repository(home.folder), example.target, verification=verification
        )
        if made.environment is not None and made.verified.passed:
            write_environment(place, made.environment)
            return
        reason = "; ".join(str(each) for each in made.verified.checks if not each.passed)
    except SliceFuncError as error:
        reason = f"{type(error).__name__}: {error}"
    place.mkdir(parents=True, exist_ok=True)
    (place / _FAILURE).write_text(reason + "\n", encoding="utf-8")
