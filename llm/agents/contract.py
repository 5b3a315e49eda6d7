"""The contract of an agent: a loop that is given a task and a workbench, and returns code.

An agent asks the model, tries code out, searches the repository and calls its tools only through
the workbench. So budgets, the cache, the sandbox and the record of what happened are the same for
all, and a test can hand it a scripted model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..client.chat import ChatAnswer
from ..client.questions import Message


@dataclass(frozen=True, slots=True)
class CodingTask:
    """What is to be written."""

    question: str
    """What is asked, with the context that the regime gives, in Markdown."""
    unfinished: str
    """The code around what is to be written, with which retrieval begins."""
    rounds: int = 0
    """Maximum number of tries after the first."""
    shown: int = 5
    """Number of retrieved passages in a prompt."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """The result of the shown cases; nothing of the hidden ones."""

    passed: int
    cases: int
    text: str
    """What differs first, for the model."""

    @property
    def is_solved(self) -> bool:
        """Whether all shown cases pass."""
        return self.passed == self.cases


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of the repository."""

    path: str
    first: int
    last: int
    text: str


class Workbench(Protocol):
    """What an agent can do."""

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """The repository tools, in the form of OpenAI's `tools` parameter."""
        ...

    def ask(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = ()
    ) -> ChatAnswer:
        """Return the model's next turn.

        Raises:
            NoAnswerError: there is none, and the sample counts as not taken.
        """
        ...

    def try_out(self, code: str) -> Feedback:
        """Run the shown cases on an answer, which may be code or Markdown."""
        ...

    def search(self, query: str, count: int) -> Sequence[Passage]:
        """Return the passages of the repository that fit a query best, without the target."""
        ...

    def call_tool(self, name: str, arguments: str) -> str:
        """Return what a repository tool answers; a wrong call is answered with what is wrong.

        Args:
            name: name of the tool.
            arguments: a JSON object.
        """
        ...


Agent = Callable[[CodingTask, Workbench], str]
"""Returns the answer that is to be scored: code, or Markdown with one block of code."""
