"""A handler does the tasks of a supervised process, and gives the result of a task that is lost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from ..record.reason_codes import reason
from .entries import Entry, failed_entry

if TYPE_CHECKING:
    from ...slicer.model import Target

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Loss:
    """Why a task has no result of its own."""

    code: str
    detail: str = ""
    known: Entry | None = None
    """The part of the entry that is known already."""
    seconds: float = 0.0
    has_begun: bool = False
    """Whether the process was started, with all that the task needs."""

    def entry(self, target: Target) -> Entry:
        """Return the entry of the function that the task was about."""
        why = reason(self.code, target.path, None, self.detail)
        known = self.known or failed_entry(target, why)
        return replace(known, reasons=(why,), seconds=self.seconds)


class Handler(ABC, Generic[Task, Result]):
    """How tasks are done. A process has a copy of its own, and opens in it what tasks need."""

    @abstractmethod
    def seconds(self, task: Task, /) -> float:
        """Return the time limit of a task."""

    @abstractmethod
    def do(self, task: Task, report: Callable[[Entry], None], begin: Callable[[], None]) -> Result:
        """Return the result of a task, in the process.

        Args:
            task: the task.
            report: receives the known part of its entry before an installation.
            begin: called when the time of the task itself begins: after all is opened, and after
                an installation.
        """

    @abstractmethod
    def close(self) -> None:
        """Close what tasks have opened, in the process."""

    @abstractmethod
    def lost(self, task: Task, loss: Loss) -> Result:
        """Return the result of a task whose process was lost."""
