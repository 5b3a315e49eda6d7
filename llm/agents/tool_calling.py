"""A plain agent of native function calls: it reads the repository and runs tests as it likes.

Of one answer, the first 16 calls are executed; further ones are answered with a line that says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..client.questions import Message, ToolCall
from ..prompts.prompts import plain_text
from .contract import CodingTask, Workbench
from .follow_ups import feedback_text

_STEPS = 20
_MOST_CALLS = 16
"""Calls of one answer that are executed."""
RUN_TESTS: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": "run_tests",
        "description": "Run the tests on your code, and get the first that it does not pass.",
        "parameters": {
            "type": "object",
            "properties": {
                "code": {"type": "string", "description": "The whole definition."},
            },
            "required": ["code"],
            "additionalProperties": False,
        },
    },
}


def tool_calling(task: CodingTask, bench: Workbench) -> str:
    """Return the first answer without a call; if there is none, the last code that was tried."""
    tools = (*bench.tools, RUN_TESTS)
    messages = [Message("user", plain_text("tool_calling", {"question": task.question}))]
    last = ""
    for _ in range(task.rounds or _STEPS):
        answer = bench.ask(messages, tools)
        messages.append(answer.message)
        if not answer.calls:
            return answer.text
        for number, call in enumerate(answer.calls):
            if number >= _MOST_CALLS:
                said = f"error: only the first {_MOST_CALLS} calls of one answer are executed"
            elif call.name != "run_tests":
                said = bench.call_tool(call.name, call.arguments)
            elif (code := _code_to_test(call)) is None:
                said = "error: run_tests takes a JSON object with the text `code`"
            else:
                last, said = code, feedback_text(bench.try_out(code))
            messages.append(Message("tool", said, call=call.id))
    return last


def _code_to_test(call: ToolCall) -> str | None:
    """Return the code in a call of `run_tests`; `None` for a malformed call."""
    try:
        code: object = json.loads(call.arguments)["code"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return code if isinstance(code, str) else None
