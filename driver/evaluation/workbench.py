"""The workbench of one sample: the model, the shown cases, the repository, and their record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...llm.agents.contract import Feedback, Passage
from ...llm.client.chat import ChatAnswer, ChatRequest
from ...llm.client.client import Client
from ...llm.client.cost_account import Account
from ...llm.client.questions import Message
from ...llm.errors import NoAnswerError
from ...verifier.scoring.verdict import Score
from .options import EvaluationOptions
from .repository_places import TOOL_SCHEMAS
from .tasks import EvaluationTask, RepositoryReader
from .trajectory import Trajectory

_NO_ANSWER = frozenset({"unavailable", "late", "over_budget", "not_cached"})
"""Problems that are not the model's."""


@dataclass(slots=True)
class SampleWorkbench:
    """What the agent of one sample works with."""

    client: Client
    options: EvaluationOptions
    sample: int
    purpose: str
    task: EvaluationTask
    account: Account
    tools: Sequence[Mapping[str, Any]] = TOOL_SCHEMAS
    trajectory: Trajectory = field(default_factory=Trajectory)

    def ask(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = ()
    ) -> ChatAnswer:
        """Return the model's next turn.

        Raises:
            NoAnswerError: there is none, and the sample counts as not taken.
        """
        options = self.options
        messages = [replace(each, text=_sendable(each.text)) for each in messages]
        seed = None if options.seed is None else options.seed + self.sample
        request = ChatRequest(
            tuple(messages),
            self.purpose,
            tuple(dict(tool) for tool in tools),
            options.answer_tokens,
            options.temperature,
            seed,
            self.sample,
        )
        answer = self.client.chat(request, self.account)
        if answer.problem in _NO_ANSWER:
            raise NoAnswerError(f"{self.purpose}: no answer: {answer.detail}")
        self.trajectory.asked(messages, answer.message)
        return answer

    def try_out(self, code: str) -> Feedback:
        """Run the shown cases on an answer; what the hidden ones say stays here."""
        score = self._scored(code)
        self.trajectory.tried(code, score, is_final=False)
        return Feedback(score.cases_passed, score.cases, self.task.feedback(score))

    def final(self, code: str) -> Score:
        """Return the score of the answer that counts."""
        score = self._scored(code)
        self.trajectory.tried(code, score, is_final=True)
        return score

    def search(self, query: str, count: int) -> Sequence[Passage]:
        """Return the passages of the repository that fit a query best, without the target."""
        return self._place.search(query, count)

    def call_tool(self, name: str, arguments: str) -> str:
        """Return what a repository tool answers, or what is wrong with the call."""
        return self._place.call_tool(name, arguments)

    @property
    def _place(self) -> RepositoryReader:
        assert self.task.place is not None, "the agent is one of READS_REPOSITORY"
        return self.task.place

    def _scored(self, code: str) -> Score:
        score = self.task.score(code)
        if score.verdict == "infrastructure":
            raise NoAnswerError(f"{self.purpose}: no verdict: {score.reason}")
        return score


_SURROGATE = re.compile("[\ud800-\udfff]")


def _sendable(text: str) -> str:
    """Return a text without lone surrogates, which stand for bytes of files that are no UTF-8."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
