"""RepoClassBench's public tasks in Java.

They name no commit. So each task is laid on the commit of the clone: its class is what the
clone's file holds now, its tests are those of the file that the task lists, and the metadata say
whether the class is still as the benchmark has it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...datasets.building.plan import RepositoryPlan
from .class_tasks import class_draft
from .feature_tasks import LeftOut, checked_task
from .grading import Grader
from .java.removal import without_java_class
from .java.run import java_run
from .java.source import java_file, name_of
from .task_file import RepositoryTask, RunOfTests


def java_task(
    row: dict[str, Any], origin: RepositoryPlan, grader: Grader
) -> RepositoryTask | LeftOut:
    """Return the task of a row, or why it is none.

    Raises:
        SliceFuncError: the repository or its toolchain cannot be had.
    """
    label, name = str(row["task_id"]), str(row["class_name"])
    listed = row["evaluation_metadata"]["test_file"]
    path, test = (str(each).partition("/")[2] for each in (row["file"], listed))
    draft = class_draft(origin, "java", path, name, RunOfTests((), ""))
    folder = grader.checkout(draft).folder
    if not (folder / path).is_file():
        return LeftOut(label, "its file is not in the clone's commit")
    if not (folder / test).is_file():
        return LeftOut(label, "its tests are not in the clone's commit")
    file, tests = (
        java_file(each, (folder / each).read_text("utf-8", "surrogateescape"))
        for each in (path, test)
    )
    if name not in map(name_of, file.types):
        return LeftOut(label, "its class is not in the clone's commit")
    body = str(row["ground_truth_class_body"])
    task = replace(
        draft,
        run=java_run(folder, [tests.full_name(node) for node in tests.types]),
        statements={kind: str(row[f"{kind}_description"]) for kind in ("detailed", "sketchy")},
        start={path: without_java_class(file.package, name)},
        gold={path: file.text},
        metadata={
            "class_name": name,
            "file": path,
            "repo_metadata": row["repo_metadata"],
            "ground_truth_class_body": file.text,
            "code": file.text,
            "imports": "",
            "listed": (test,),
            "has_changed_since": body.split() != file.text.split(),
        },
    )
    return checked_task(task, grader) or LeftOut(label, "none of its tests runs here")
