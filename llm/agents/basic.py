"""One question, one answer; then, if asked for, repairs of it by what the shown cases say.

Self-repair is that of RepoST (Xie et al., 2025, section 5): the model sees its own code and the
first difference, and writes the code again.
"""

from __future__ import annotations

from ..client.questions import Message
from .contract import CodingTask, Workbench
from .follow_ups import repair_question


def basic(task: CodingTask, bench: Workbench) -> str:
    """Return the first answer that passes the shown cases, or the last one."""
    messages = [Message("user", task.question)]
    answer = bench.ask(messages)
    for _ in range(task.rounds):
        found = bench.try_out(answer.text)
        if found.is_solved:
            break
        messages += [answer.message, Message("user", repair_question(found))]
        answer = bench.ask(messages)
    return answer.text
