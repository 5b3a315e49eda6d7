"""The loop of RepoForge: a query, retrieval, a proposal, the tests, and a better query.

Of all proposals the one that passes most shown cases is returned.
"""

from __future__ import annotations

from ..client.questions import Message
from ..prompts.prompts import plain_text
from .contract import CodingTask, Workbench
from .follow_ups import feedback_text, retrieved_question

_ROUNDS = 4


def repoforge(task: CodingTask, bench: Workbench) -> str:
    """Return the proposal that passes most shown cases, the first of equal ones."""
    query, best, most = task.unfinished, "", -1
    feedback = ""
    for left in reversed(range(1 + (task.rounds or _ROUNDS))):
        question = f"{task.question}\n\n{feedback}" if feedback else task.question
        passages = bench.search(query, task.shown)
        messages = [Message("user", retrieved_question(question, passages))]
        answer = bench.ask(messages)
        found = bench.try_out(answer.text)
        if found.passed > most:
            best, most = answer.text, found.passed
        if found.is_solved or not left:
            break
        feedback = feedback_text(found)
        asked = plain_text("search_query", {"feedback": feedback})
        refined = bench.ask([*messages, answer.message, Message("user", asked)]).text
        query = f"{refined}\n{answer.text}"
    return best
