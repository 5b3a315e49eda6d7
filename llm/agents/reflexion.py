"""Reflexion (Shinn et al., 2023): a failed try leaves a note on what was wrong.

The notes are all that the next try knows of earlier ones.
"""

from __future__ import annotations

from ..client.questions import Message
from ..prompts.prompts import plain_text
from .contract import CodingTask, Workbench
from .follow_ups import repair_question

_ROUNDS = 3
_NOTES = 3
"""Notes that are kept, as in the paper: the newest."""


def reflexion(task: CodingTask, bench: Workbench) -> str:
    """Return the first answer that passes the shown cases, or the last one."""
    notes: list[str] = []
    messages = [Message("user", task.question)]
    answer = bench.ask(messages)
    for _ in range(task.rounds or _ROUNDS):
        found = bench.try_out(answer.text)
        if found.is_solved:
            break
        asked = f"{repair_question(found)}\n\n{plain_text('reflection', {})}"
        notes.append(bench.ask([*messages, answer.message, Message("user", asked)]).text)
        parts = {"question": task.question, "reflections": "\n\n".join(notes[-_NOTES:])}
        messages = [Message("user", plain_text("next_try", parts))]
        answer = bench.ask(messages)
    return answer.text
