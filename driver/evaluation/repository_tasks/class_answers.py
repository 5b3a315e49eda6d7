"""A class that a model has written, in the place of its file."""

from __future__ import annotations

from ..answer_code import code_of
from .java.removal import in_package
from .python.removal import PLACEHOLDER
from .task_file import RepositoryTask

LANGUAGE_NAMES = {"python": "Python", "java": "Java"}


def file_with_answer(task: RepositoryTask, start: str, answer: str) -> str:
    """Return the file of a task with an answer's class: in Java, the answer is the file."""
    code = code_of(answer)
    if task.language == "java":
        return in_package(code, start)
    return start.replace(PLACEHOLDER.format(name=task.name), code, 1)


def empty_class(task: RepositoryTask) -> str:
    """Return a class that does nothing."""
    if task.language == "java":
        return f"public class {task.name} {{\n}}\n"
    return f"class {task.name}:\n    pass\n"
