"""What an evaluation asks, whatever it comes from: environments, or tests of repositories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ...llm.agents import CodingTask, Passage
from ...slicer.errors import SliceFuncError
from ...verifier.scoring.verdict import Score
from .contexts import Context


class RepositoryReader(Protocol):
    """A repository as an agent may read it."""

    def search(self, query: str, count: int) -> Sequence[Passage]:
        """Return the passages that fit a query best."""
        ...

    def call_tool(self, name: str, arguments: str) -> str:
        """Return what a repository tool answers, or what is wrong with the call."""
        ...


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """Something to write, and how an answer is judged."""

    id: str
    repo: str
    path: str
    qualname: str
    families: tuple[str, ...]
    """Mock families of an environment; of another task, its kind and language."""
    code: str
    """The original."""
    dependencies: int
    """Functions and classes that the slice holds beside the target."""
    files: int
    """Files of the repository that the slice has code of."""
    asked: CodingTask
    context: Context
    score: Callable[[str], Score]
    """Returns the verdict on an answer."""
    feedback: Callable[[Score], str]
    """Returns what a model may be told of a verdict."""
    candidate: Callable[[str], str]
    """Returns the code that an answer means."""
    place: RepositoryReader | None
    """Its repository, where the regime or the agent reads it."""

    @property
    def lines(self) -> int:
        """Return the number of lines of the original."""
        return self.code.strip("\n").count("\n") + 1


@dataclass(frozen=True, slots=True)
class TaskName:
    """What a task is called."""

    id: str
    repo: str


class TaskSource(Protocol):
    """Where the tasks of a run come from."""

    def names(self) -> Sequence[TaskName]:
        """Return the names of all tasks."""
        ...

    def task(self, name: TaskName) -> EvaluationTask:
        """Return a task.

        Raises:
            NoTaskError: none can be made of it.
            SliceFuncError: what it needs cannot be had.
        """
        ...


class NoTaskError(SliceFuncError):
    """Something of which this task cannot be made; the problem says why, for a count of reasons."""

    advice = "it is left out, and counted"
