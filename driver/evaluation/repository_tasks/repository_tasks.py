"""Repository tasks as tasks of an evaluation."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from ....llm.agents import CodingTask
from ....llm.prompts.prompts import plain_text
from ....verifier.scoring.verdict import Score
from ...datasets.exports.task_files import fenced
from ..answer_code import code_of
from ..contexts import Context, bounded_context
from ..options import EvaluationOptions
from ..patches import Hunk, Unapplied, hunks_of, patched
from ..tasks import EvaluationTask, NoTaskError, TaskName
from .class_answers import LANGUAGE_NAMES, file_with_answer
from .grading import EditError, Edits, Grader
from .place import open_place, shown_text
from .task_file import RepositoryTask

_UNAPPLIED = "the patch does not apply"


@dataclass(slots=True)
class RepositoryTasks:
    """The tasks of a folder."""

    tasks: Mapping[str, RepositoryTask]
    """By id."""
    options: EvaluationOptions
    grader: Grader
    description: str = "detailed"
    """Which statement is shown, where a task has several."""

    def names(self) -> list[TaskName]:
        """Return the names of all tasks."""
        return [TaskName(identity, task.repo) for identity, task in self.tasks.items()]

    def task(self, name: TaskName) -> EvaluationTask:
        """Return the task of a name.

        Raises:
            NoTaskError: the task has not the description that is asked for.
            SliceFuncError: its repository cannot be had.
        """
        task, options = self.tasks[name.id], self.options
        statement = _statement(task, self.description)
        place = open_place(task, self.grader, options)
        around = _around(task, self.grader, options)
        found = place.search(statement, options.shown) if options.context == "retrieved" else ()
        passages = "".join(f"# {each.path}\n{each.text.rstrip()}\n\n" for each in found)
        context = bounded_context(passages + around, task.name, options.context_tokens)
        question = _question(task, statement, context)

        def edits(answer: str) -> Edits | Unapplied:
            return edits_of(task, start_files(self.grader, task), answer)

        def score(answer: str) -> Score:
            changed = edits(answer)
            try:
                if not isinstance(changed, Unapplied):
                    return self.grader.score(task, changed)
                reason = changed.reason
            except EditError as error:
                reason = error.problem
            shown, hidden = len(task.shown), len(task.hidden)
            return Score(task.name, "error", 0, shown, 0, hidden, None, reason, 0.0)

        return EvaluationTask(
            id=name.id,
            repo=task.repo,
            path=task.path,
            qualname=task.name,
            families=(f"{task.family}, {task.language}",),
            code=str(task.metadata.get("code", "")),
            dependencies=len(task.metadata.get("dependencies", ())),
            files=len(task.gold),
            asked=CodingTask(question, statement, options.rounds, options.shown),
            context=context,
            score=score,
            feedback=lambda score: score.reason or "All tests that may be told of pass.",
            candidate=code_of,
            place=place,
        )


@dataclass(frozen=True, slots=True)
class _Files(Mapping[str, str]):
    grader: Grader
    task: RepositoryTask

    def __getitem__(self, path: str) -> str:
        changed = self.task.start.get(path)
        if changed is not None:
            return changed
        folder = self.grader.checkout(self.task).folder
        try:
            file = (folder / path).resolve()
            if not file.is_relative_to(folder.resolve()) or not file.is_file():
                raise KeyError(path)
            return file.read_text("utf-8", "surrogateescape")
        except (OSError, ValueError, RuntimeError):  # too long, with NUL, a loop of links
            raise KeyError(path) from None

    def __iter__(self):  # noqa: ANN204 - of a mapping
        return iter(self.task.start)

    def __len__(self) -> int:
        return len(self.task.start)


def start_files(grader: Grader, task: RepositoryTask) -> Mapping[str, str]:
    """Return the texts of the files at the start that an answer may change."""
    return _Files(grader, task)


def solution_diff(grader: Grader, task: RepositoryTask) -> str:
    """Return the solution of a task as a unified diff of the files at the start."""
    files = start_files(grader, task)
    parts: list[str] = []
    for path, text in sorted(task.gold.items()):
        before, after = _lines(files.get(path)), _lines(text)
        old = f"a/{path}" if path in files else "/dev/null"
        new = f"b/{path}" if text is not None else "/dev/null"
        parts += difflib.unified_diff(before, after, old, new, lineterm="")
    return "".join(f"{line}\n" for line in parts)


def _lines(text: str | None) -> list[str]:
    return [] if not text else text.removesuffix("\n").split("\n")


def _statement(task: RepositoryTask, wanted: str) -> str:
    if task.family == "feature":
        return task.statements.get(wanted) or task.statements["message"]
    found = task.statements.get(wanted) or task.statements.get("skeleton")
    if found is None:
        raise NoTaskError(f"it has no description {wanted}")
    return found


def _around(task: RepositoryTask, grader: Grader, options: EvaluationOptions) -> str:
    """Return the files that a model sees: none, or those that the solution changes."""
    if options.context == "none":
        return ""
    files = _Files(grader, task)
    shown = (path for path, text in sorted(task.gold.items()) if text is not None)
    texts = ((path, shown_text(task, path, files[path])) for path in shown if path in files)
    return "\n".join(f"# {path}\n{text}" for path, text in texts)


def _question(task: RepositoryTask, statement: str, context: Context) -> str:
    parts = {
        "name": task.name,
        "language": LANGUAGE_NAMES.get(task.language, task.language),
        "path": task.path,
        "repo": task.repo,
        "statement": statement,
        "context": fenced(context.text, task.language)
        if context.text.strip()
        else "(no code is shown)",
    }
    kind = "class_from_words" if task.family == "class" else "feature"
    return plain_text(kind, parts) + "\n"


def edits_of(task: RepositoryTask, files: Mapping[str, str], answer: str) -> Edits | Unapplied:
    """Return the changes that an answer means: a class for its place, or a patch.

    Args:
        task: the task.
        files: texts of files at the start.
        answer: the model's answer.
    """
    if task.family == "class":
        return {task.path: file_with_answer(task, files[task.path], answer)}
    by_path: dict[str, list[Hunk]] = {}
    for hunk in hunks_of(answer):
        by_path.setdefault(hunk.path, []).append(hunk)
    changed: dict[str, str | None] = {}
    for path, hunks in by_path.items():
        if any(hunk.deletes for hunk in hunks):
            changed[path] = None
            continue
        source = hunks[0].source
        is_renamed = source != path and source in files and path not in files
        text = patched(files.get(source if is_renamed else path, ""), hunks)
        if isinstance(text, Unapplied):
            return Unapplied(f"{_UNAPPLIED} to {path}: {text.reason}")
        if is_renamed:
            changed[source] = None
        changed[path] = text
    return changed or Unapplied(f"{_UNAPPLIED}: there is none in the answer")
