"""RepoCoder (Zhang et al., 2023): each answer is the next query, since it names what it needs.

The first query is the unfinished code. The tests are not asked.
"""

from __future__ import annotations

from ..client.questions import Message
from .contract import CodingTask, Workbench
from .follow_ups import retrieved_question

_ROUNDS = 1
"""Further rounds if none are asked for: the paper finds no more after the second retrieval."""


def repocoder(task: CodingTask, bench: Workbench) -> str:
    """Return the last answer of the rounds of retrieval and generation."""
    query, answer = task.unfinished, ""
    for _ in range(1 + (task.rounds or _ROUNDS)):
        passages = bench.search(query, task.shown)
        answer = bench.ask([Message("user", retrieved_question(task.question, passages))]).text
        query = f"{task.unfinished}\n{answer}"
    return answer
