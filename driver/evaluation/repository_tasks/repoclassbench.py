"""RepoClassBench's public tasks, on clones of the repositories that they are from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ....slicer.errors import OptionError, SliceFuncError
from ...datasets.building.plan import RepositoryPlan
from .feature_tasks import LeftOut
from .grading import Grader
from .repoclassbench_java import java_task
from .repoclassbench_python import python_task
from .task_file import RepositoryTask

_FILES = "name its python_data.json or java_data.json"


def read_rows(file: str | Path) -> list[dict[str, Any]]:
    """Return the rows of a file of the benchmark.

    Raises:
        OptionError: it is none.
    """
    try:
        rows: object = json.loads(Path(file).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise OptionError(f"{file}: {error}", _FILES) from None
    found = cast("list[dict[str, Any]]", rows) if isinstance(rows, list) else []
    if not found or not all("class_name" in row for row in found):
        raise OptionError(f"{file}: no tasks of classes", _FILES)
    return found


def repoclassbench_tasks(
    rows: Sequence[dict[str, Any]], origins: Sequence[RepositoryPlan], grader: Grader
) -> Iterator[RepositoryTask | LeftOut]:
    """Yield the benchmark's tasks whose repositories are at hand.

    Args:
        rows: the benchmark.
        origins: clones.
        grader: runs tests.
    """
    for row in rows:
        label = str(row["task_id"])
        origin = _origin(row["repo_metadata"], origins)
        if origin is None:
            yield LeftOut(label, "its repository is not at hand")
            continue
        make = java_task if str(row["file"]).endswith(".java") else python_task
        try:
            yield make(row, origin, grader)
        except SliceFuncError as error:
            yield LeftOut(label, error.problem.splitlines()[0])


def _origin(about: Mapping[str, Any], origins: Sequence[RepositoryPlan]) -> RepositoryPlan | None:
    """Return the clone of a row: Python's name an owner too, Java's do not."""
    setup: Mapping[str, Any] = about.get("setup_details") or {}
    full, short = setup.get("repo"), about.get("repo_name")
    return next(
        (each for each in origins if each.repo == full or each.repo.split("/")[-1] == short), None
    )
