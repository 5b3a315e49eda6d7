"""Retrieve-Repotools-Reflect (Deshpande et al., 2024, algorithm 1).

The first guess has what the one tool finds that needs no guess. Then, as long as a shown case
differs: feedback, calls of tools, a reflection on both, and the next guess.
"""

from __future__ import annotations

import json

from ..client.questions import Message
from ..prompts.prompts import plain_text
from .contract import CodingTask, Workbench
from .follow_ups import answered_calls, feedback_text, with_snippets

_ROUNDS = 5


def rrr(task: CodingTask, bench: Workbench) -> str:
    """Return the first answer that passes the shown cases, or the last one."""
    wanted = json.dumps({"search_string": task.unfinished[-_LONGEST_SEARCH:]})
    snippets = bench.call_tool("get_related_snippets", wanted)
    messages = [Message("user", with_snippets(task.question, snippets))]
    answer = bench.ask(messages)
    for _ in range(task.rounds or _ROUNDS):
        found = bench.try_out(answer.text)
        if found.is_solved:
            break
        asked = plain_text("tool_request", {"feedback": feedback_text(found)})
        messages += [answer.message, Message("user", asked)]
        calls = bench.ask(messages, bench.tools)
        messages += [calls.message, *answered_calls(bench, calls)]
        messages.append(Message("user", plain_text("reflection", {})))
        thought = bench.ask(messages)
        messages += [thought.message, Message("user", plain_text("improvement", {}))]
        answer = bench.ask(messages)
    return answer.text


_LONGEST_SEARCH = 4000
"""Characters that the tool takes."""
