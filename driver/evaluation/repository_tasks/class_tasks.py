"""Classes from natural language, after RepoClassBench (Deshpande et al., 2024, sections 3 and E).

A class is a task if it is global, has at most 3,000 tokens and two methods or more that tests call
directly and that refer to the rest of the repository, and if tests fail without it and pass with
it. It is taken out with the imports that only it uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ....slicer import Repository
from ....slicer.errors import SliceFuncError
from ...datasets.building.plan import RepositoryPlan
from ..contexts import token_estimate
from .class_facts import LEAST_METHODS, MOST_TOKENS, Classes, ClassFacts
from .feature_tasks import LeftOut, checked_task
from .grading import Grader
from .java.classes import JavaClasses
from .python.classes import PythonClasses
from .task_file import RepositoryTask, RunOfTests


def class_tasks(
    origin: RepositoryPlan, grader: Grader, limit: int, *, removes_relatives: bool = False
) -> Iterator[RepositoryTask | LeftOut]:
    """Yield the tasks of a repository at its commit, in Python and Java.

    Args:
        origin: the repository and its commit.
        grader: runs tests.
        limit: number of classes that are tried.
        removes_relatives: whether classes with the same bases in the same file go as well.
    """
    probe = class_draft(origin, "", "", "", RunOfTests((), ""))
    folder = grader.checkout(probe).folder
    languages: tuple[Classes, ...] = (
        PythonClasses(Repository(folder), removes_relatives),
        JavaClasses(folder),
    )
    tried = 0
    has_classes = False
    for found in languages:
        for facts in found.classes():
            has_classes = True
            label = f"{facts.path}::{facts.name}"
            why = _why_not(facts)
            if why:
                yield LeftOut(label, why)
                continue
            if tried >= limit:
                return
            tried += 1
            try:
                task = checked_task(_task(origin, found, facts), grader)
            except SliceFuncError as error:
                yield LeftOut(label, error.problem.splitlines()[0])
                continue
            yield task or LeftOut(label, "no test fails without it and passes with it, twice")
    if not has_classes:
        yield LeftOut(origin.repo, "it has no class in Python or Java")


def class_draft(
    origin: RepositoryPlan, language: str, path: str, name: str, run: RunOfTests
) -> RepositoryTask:
    """Return the task of a class of the origin's commit, without its texts and tests."""
    return RepositoryTask(
        family="class",
        language=language,
        repo=origin.repo,
        source=origin.source,
        commit=origin.commit or "",
        path=path,
        name=name,
        statements={},
        start={},
        tests={},
        gold={},
        run=run,
        expected=(),
        kept=(),
    )


def _task(origin: RepositoryPlan, classes: Classes, facts: ClassFacts) -> RepositoryTask:
    files = classes.files(facts)
    # the fields of RepoClassBench's table of metadata
    metadata: dict[str, Any] = {
        "class_name": facts.name,
        "file": facts.path,
        "repo_metadata": {"repo": origin.repo, "commit_id": origin.commit},
        "ground_truth_class_body": facts.code,
        "code": facts.code,
        "tested_methods": facts.tested,
        "referring_methods": facts.referring,
        "dependencies": sorted({each for used in facts.used.values() for each in used}),
        "relatives_removed": list(files.relatives),
        "imports": files.imports,
    }
    return replace(
        class_draft(origin, classes.language, facts.path, facts.name, classes.run(facts)),
        statements={"skeleton": files.skeleton},
        start={facts.path: files.start},
        gold={facts.path: files.gold},
        metadata=metadata,
    )


def _why_not(facts: ClassFacts) -> str:
    """Return why a class is no task before any test runs; empty if it may be one."""
    if token_estimate(facts.code) > MOST_TOKENS:
        return f"over {MOST_TOKENS} tokens"
    if not facts.tests:
        return "no test names it"
    if len(facts.tested) < LEAST_METHODS:
        return "tests call fewer than two of its methods"
    if len(facts.referring) < LEAST_METHODS:
        return "fewer than two tested methods refer to the rest of the repository"
    return ""
