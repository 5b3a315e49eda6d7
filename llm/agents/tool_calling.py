"""A plain agent of native function calls: it reads the repository and runs tests as it likes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..client.questions import Message, ToolCall
from ..prompts.prompts import plain_text
from .contract import CodingTask, Workbench
from .follow_ups import feedback_text

_STEPS = 20
_RUN_TESTS: Mapping[str, Any] = {
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
    tools = (*bench.tools, _RUN_TESTS)
    messages = [Message("user", plain_text("tool_calling", {"question": task.question}))]
    last = ""
    for _ in range(task.rounds or _STEPS):
        answer = bench.ask(messages, tools)
        messages.append(answer.message)
        if not answer.calls:
            return answer.text
        for call in answer.calls:
            code = _code_to_test(call)
            if code is None:
                messages.append(
                    Message("tool", bench.call_tool(call.name, call.arguments), call=call.id)
                )
            else:
                last = code
                said = feedback_text(bench.try_out(code))
                messages.append(Message("tool", said, call=call.id))
    return last


def _code_to_test(call: ToolCall) -> str | None:
    """Return the code of a well-formed call of `run_tests`; `None` for any other call."""
    if call.name != "run_tests":
        return None
    try:
        code: object = json.loads(call.arguments)["code"]
    except (ValueError, KeyError, TypeError):
        return ""
    return code if isinstance(code, str) else ""
