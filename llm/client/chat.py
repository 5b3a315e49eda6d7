"""One turn of a conversation with a model, which answers with text or with calls of tools."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .model_service import NoReply, WireRequest
from .questions import Message, Problem, Reply, ToolCall, Usage, content_key

if TYPE_CHECKING:
    from .model_service import ModelService


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A conversation whose next turn is the model's."""

    messages: tuple[Message, ...]
    purpose: str
    """What the answer is for. It is not sent."""
    tools: tuple[dict[str, Any], ...] = ()
    """Tools that the model may call, in the form of OpenAI's `tools` parameter."""
    most_tokens: int = 4000
    """Maximum number of tokens of the answer."""
    temperature: float | None = None
    seed: int | None = None
    sample: int = 0
    """Number of this sample: the same question is asked once for each. It is not sent."""


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What the model says."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    problem: Problem | None = None
    """Why it says nothing usable; `truncated` comes with the text up to there."""
    detail: str = ""
    usage: Usage = field(default_factory=Usage)
    is_stored: bool = False
    """Whether the answer was stored before."""

    @property
    def message(self) -> Message:
        """Return it as a turn of the conversation."""
        return Message("assistant", self.text, self.calls)


def wire_request(request: ChatRequest, service: ModelService) -> WireRequest:
    """Return what is sent for a request."""
    key = content_key(
        {
            "model": service.settings.model,
            "messages": [message.to_json() for message in request.messages],
            "tools": request.tools,
            "most_tokens": request.most_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
            "sample": request.sample,
        }
    )
    texts = [message.text for message in request.messages]
    texts += [each.arguments for message in request.messages for each in message.calls]
    texts += [json.dumps(tool) for tool in request.tools]
    return WireRequest(
        key,
        request.messages,
        service.most_usage(texts, request.most_tokens),
        tools=request.tools,
        temperature=request.temperature,
        seed=request.seed,
    )


def chat_answer(reply: Reply | NoReply, usage: Usage, *, is_stored: bool) -> ChatAnswer:
    """Return the answer that a reply holds."""
    if isinstance(reply, NoReply):
        return ChatAnswer("", problem=reply.problem, detail=reply.detail)
    problem: Problem | None = None
    detail = ""
    if reply.refusal or reply.finish == "content_filter":
        problem, detail = "refused", " ".join(reply.refusal.split())[:300] or "its filter"
    elif reply.finish == "length":
        problem, detail = "truncated", "it reached the limit of tokens"
    return ChatAnswer(reply.text, reply.calls, problem, detail, usage, is_stored)
