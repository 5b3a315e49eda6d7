"""What happened in one sample: the conversations with the model, and the verdicts in between.

A request whose messages go on from the last conversation extends it; any other begins a new one.
Messages are in the chat format that trainers read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...llm.client.questions import Message
from ...verifier.scoring.verdict import Score
from .sample_rows import Round


@dataclass(slots=True)
class Trajectory:
    """The record of one sample."""

    conversations: list[list[dict[str, Any]]] = field(default_factory=list[list[dict[str, Any]]])
    rounds: list[Round] = field(default_factory=list[Round])
    _last: str = ""
    """The last answer that was tried."""

    def asked(self, messages: Sequence[Message], answer: Message) -> None:
        """Add a question and its answer."""
        whole = [chat_message(each) for each in messages]
        last = self.conversations[-1] if self.conversations else []
        known = [{k: v for k, v in each.items() if k != "verdict"} for each in last]
        if last and whole[: len(last)] == known:
            last.extend(whole[len(last) :])
        else:
            self.conversations.append(whole)
        self.conversations[-1].append(chat_message(answer))

    def tried(self, answer: str, score: Score, *, is_final: bool) -> None:
        """Add the verdict on an answer; the last one that was tried may be the final one."""
        found = Round(score.verdict, score.cases_passed, score.hidden_passed or 0, is_final)
        if is_final and self.rounds and answer == self._last:
            self.rounds[-1] = found
        else:
            self.rounds.append(found)
        self._last = answer
        if self.conversations:
            self.conversations[-1][-1]["verdict"] = {
                "verdict": found.verdict,
                "cases_passed": found.passed,
                "cases": score.cases,
            }

    def to_json(self) -> str:
        """Return the conversations as one text."""
        return json.dumps(self.conversations, sort_keys=True, separators=(",", ":"))


def chat_message(message: Message) -> dict[str, Any]:
    """Return a message in the chat format."""
    found: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        found["tool_calls"] = [
            {
                "id": each.id,
                "type": "function",
                "function": {"name": each.name, "arguments": each.arguments},
            }
            for each in message.calls
        ]
    if message.call:
        found["tool_call_id"] = message.call
    return found
