"""Descriptions of classes by a model, added to their tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ....llm.client.client import Client
from ....llm.client.cost_account import Account
from ....llm.stages.class_descriptions import descriptions_request, is_usable
from .task_file import RepositoryTask


@dataclass(frozen=True, slots=True)
class ModelDescriptions:
    """Asks a model for DETAILED and SKETCHY descriptions."""

    client: Client
    account: Account
    report: Callable[[str], None]

    def __call__(self, task: RepositoryTask) -> RepositoryTask:
        """Return a task with the descriptions that can be used; features have their messages.

        Raises:
            ModelServiceError: the service rejects all requests.
        """
        if task.family != "class":
            return task
        code = str(task.metadata["code"])
        purpose = f"descriptions of {task.name}"
        question = descriptions_request(task.name, code, purpose, self.client.settings)
        answer = self.client.ask(question, self.account)
        if answer.value is None:
            self.report(f"{task.name}: no description: {answer.problem}: {answer.detail}")
            return task
        made = {"detailed": answer.value.detailed, "sketchy": answer.value.sketchy}
        usable = {kind: text for kind, text in made.items() if is_usable(text, code)}
        return replace(task, statements={**task.statements, **usable})
