"""Retrieval once, with the unfinished code as query, then one question."""

from __future__ import annotations

from ..client.questions import Message
from .contract import CodingTask, Workbench
from .follow_ups import retrieved_question


def naive_rag(task: CodingTask, bench: Workbench) -> str:
    """Return the answer to the question with retrieved passages."""
    passages = bench.search(task.unfinished, task.shown)
    return bench.ask([Message("user", retrieved_question(task.question, passages))]).text
