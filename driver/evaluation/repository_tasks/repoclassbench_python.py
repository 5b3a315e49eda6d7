"""RepoClassBench's public tasks in Python.

The repositories that it hands out have other letter cases in their names, and are not public with
their history. So each task is laid on the upstream commit that it names: its class is the one whose
name is the same but for letter cases, and its tests are those that it lists.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ....verifier.execution.commands.sandboxed_command import WORK
from ...datasets.building.plan import RepositoryPlan
from .class_tasks import class_draft
from .feature_tasks import LeftOut, checked_task, with_needs
from .grading import Grader
from .python.removal import class_code, without_classes
from .task_file import RepositoryTask
from .toolchains import run_of_tests


def python_task(
    row: dict[str, Any], origin: RepositoryPlan, grader: Grader
) -> RepositoryTask | LeftOut:
    """Return the task of a row, or why it is none.

    Raises:
        SliceFuncError: the repository or its toolchain cannot be had.
    """
    commit = str(row["repo_metadata"]["setup_details"]["base_commit"])
    path = str(row["file"]).partition("/")[2]
    listed = tuple(row["evaluation_metadata"]["test_directives"])
    run = run_of_tests(Path(), "python", listed)
    draft = class_draft(replace(origin, commit=commit), "python", path, str(row["class_name"]), run)
    file = grader.checkout(draft).folder / path
    if not file.is_file():
        return LeftOut(str(row["task_id"]), "its file is not in the upstream commit")
    text = file.read_text("utf-8")
    wanted = str(row["class_name"]).lower()
    found = [
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef) and node.name.lower() == wanted
    ]
    if len(found) != 1:
        return LeftOut(str(row["task_id"]), "its class is not in the upstream commit")
    (node,) = found
    start, imports = without_classes(text, [node], node)
    code = class_code(text, node)
    task = replace(
        draft,
        name=node.name,
        statements={
            kind: re.sub(
                rf"\b{re.escape(draft.name)}\b", node.name, str(row[f"{kind}_description"])
            )
            for kind in ("detailed", "sketchy")
        },
        start={path: start},
        gold={path: text},
        metadata={
            "class_name": node.name,
            "file": path,
            "repo_metadata": row["repo_metadata"],
            "ground_truth_class_body": code,
            "code": code,
            "imports": imports,
            "listed": listed,
        },
    )
    checked = checked_task(_with_known_tests(task, listed, grader), grader, only=listed)
    return checked or LeftOut(str(row["task_id"]), "none of its tests runs here")


_UNKNOWN = re.compile(rf"^ERROR: not found: {WORK}/(\S.*)$", re.M)


def _with_known_tests(
    task: RepositoryTask, listed: Sequence[str], grader: Grader
) -> RepositoryTask:
    """Return a task whose command names the listed tests that the upstream commit has."""
    left = list(listed)
    while left:
        run = run_of_tests(Path(), "python", left)
        found = replace(task, run=replace(run, needs=task.run.needs))
        found = with_needs(found, grader)
        output = grader.run(found, found.gold).outcome.output
        unknown = {line.strip() for line in _UNKNOWN.findall(output)}
        if unknown.isdisjoint(left):
            return found
        left = [each for each in left if each not in unknown]
        task = found
    return task
