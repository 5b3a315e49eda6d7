"""Build the tasks of repositories, and say what became of everything that was tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....slicer.errors import OptionError
from .class_tasks import class_tasks
from .feature_tasks import LeftOut, feature_tasks
from .grading import Grader
from .local_repository import local_repository
from .paraphrase import paraphrased_task, require_python
from .repoclassbench import repoclassbench_tasks
from .task_file import RepositoryTask, is_task_folder, write_tasks

Describe = Callable[[RepositoryTask], RepositoryTask]
"""Returns a task with further descriptions."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What is built."""

    family: str
    limit: int
    """Commits or classes of each repository that are tried."""
    removes_relatives: bool = False
    rows: Sequence[dict[str, Any]] = ()
    """Rows of RepoClassBench, from which tasks are made instead."""
    paraphrases: bool = False
    """Whether names of the repository get other letter cases."""


def build_tasks(
    sources: Sequence[str],
    folder: Path,
    options: BuildOptions,
    report: Callable[[str], None],
    describe: Describe | None = None,
) -> Counter[str]:
    """Write the tasks of some clones; return how many candidates became none, by reason.

    Args:
        sources: folders of clones.
        folder: where the tasks go.
        options: what is built.
        report: prints a line for people.
        describe: asks a model for descriptions of a task.

    Raises:
        OptionError: the folder holds tasks.
        SliceFuncError: a folder is no clone, or names of its language cannot be paraphrased.
    """
    if is_task_folder(folder):
        raise OptionError(f"{folder} holds tasks already", "name a new folder")
    made: list[RepositoryTask] = []
    reasons: Counter[str] = Counter()
    with closing(Grader()) as grader:
        for source in sources:
            with local_repository(source) as (origin, git):
                if options.paraphrases:
                    require_python(origin, grader)
                if options.rows:
                    found = repoclassbench_tasks(options.rows, [origin], grader)
                elif options.family == "feature":
                    found = feature_tasks(origin, git, grader, options.limit)
                else:
                    found = class_tasks(
                        origin,
                        grader,
                        options.limit,
                        removes_relatives=options.removes_relatives,
                    )
                for each in found:
                    if isinstance(each, LeftOut):
                        reasons[each.reason] += 1
                        continue
                    task = describe(each) if describe else each
                    if options.paraphrases:
                        changed = paraphrased_task(task, grader)
                        if changed is None:
                            reasons["its tests fail with other names"] += 1
                            continue
                        task = changed
                    made.append(task)
                    count = len(task.expected)
                    report(f"{task.repo}: {task.name}: {count} tests decide, {len(task.kept)} stay")
                    write_tasks(folder, made)
    return reasons
