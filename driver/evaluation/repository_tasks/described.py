"""Descriptions of classes and changes by a model, added to their tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ....llm.client.client import Client
from ....llm.client.cost_account import Account
from ....llm.client.questions import AnswerT, Request
from ....llm.stages.task_descriptions import change_request, descriptions_request, is_usable
from .task_file import RepositoryTask


@dataclass(frozen=True, slots=True)
class ModelDescriptions:
    """Asks a model for descriptions: of a class DETAILED and SKETCHY, of a change one."""

    client: Client
    account: Account
    diff: Callable[[RepositoryTask], str]
    """Returns the solution of a task as a diff."""
    report: Callable[[str], None]

    def __call__(self, task: RepositoryTask) -> RepositoryTask:
        """Return a task with the descriptions that can be used; none quotes the solution.

        Raises:
            ModelServiceError: the service rejects all requests.
        """
        purpose = f"description of {task.name}"
        settings = self.client.settings
        if task.family == "class":
            code = str(task.metadata["code"])
            question = descriptions_request(task.name, code, purpose, settings)
            found = self._asked(question)
            made = {"detailed": found.detailed, "sketchy": found.sketchy} if found else {}
        else:
            code = self.diff(task)
            about = self._asked(change_request(task.statements["message"], code, purpose, settings))
            made = {"detailed": about.description} if about else {}
            code = "\n".join(line[1:] for line in code.splitlines())
        usable = {kind: text for kind, text in made.items() if is_usable(text, code)}
        return replace(task, statements={**task.statements, **usable})

    def _asked(self, question: Request[AnswerT]) -> AnswerT | None:
        answer = self.client.ask(question, self.account)
        if answer.value is None:
            self.report(f"{question.purpose}: none: {answer.problem}: {answer.detail}")
        return answer.value
