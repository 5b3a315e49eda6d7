"""The messages of Anthropic: what each address answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .....world.network.model_http import ModelCall, serve_models, server_events
from .....world.network.model_values import counted, made_id, streamed, value_of_schema


def answer_anthropic(variants: dict[str, Any]) -> None:
    """Answer messages; a variant has `content`, `finish`, `calls`, `status` or `fails`."""
    serve_models(
        "anthropic",
        variants,
        {
            r"/messages$": _messages,
            r"/v1/complete$": _complete,
            r"/messages/count_tokens$": _count,
            r"<anthropic>/v1/models(/.+)?$": _anthropic_models,
        },
    )


def _messages(call: ModelCall) -> Any:
    call.said("messages")
    body, variant = call.body, call.chosen()
    tool = _called(body, variant)
    if tool:
        made = made_id("toolu_", body)
        value = value_of_schema(tool.get("input_schema") or {"type": "object"})
        block = {"type": "tool_use", "id": made, "name": tool["name"], "input": value}
        reason = "tool_use"
    else:
        block = {"type": "text", "text": _anthropic_text(body, variant), "citations": None}
        reason = {"length": "max_tokens", "content_filter": "refusal"}.get(
            variant.get("finish", ""), "end_turn"
        )
    usage = {
        "input_tokens": counted(body.get("messages")) + counted(body.get("system") or ""),
        "output_tokens": counted(block.get("text") or block.get("input")),
    }
    whole = {
        "id": made_id("msg_", body.get("messages")), "type": "message", "role": "assistant",
        "model": body.get("model"), "content": [block], "stop_reason": reason,
        "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    if body.get("stream"):
        return server_events(_events(whole, block), named=True)
    return whole


def _anthropic_text(body: dict[str, Any], variant: dict[str, Any]) -> str:
    """The text; of the schema that is asked for, and going on from what is put in its mouth."""
    asked = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    if isinstance(asked, dict) and asked.get("schema"):
        return json.dumps(value_of_schema(asked["schema"]))
    text = variant.get("content", "")
    turns = body.get("messages") or [{}]
    begun = turns[-1].get("content") if turns[-1].get("role") == "assistant" else None
    return text.removeprefix(begun) if isinstance(begun, str) and begun else text


def _called(body: dict[str, Any], variant: dict[str, Any]) -> dict[str, Any] | None:
    tools = [tool for tool in body.get("tools") or () if isinstance(tool, dict)]
    choice = body.get("tool_choice") or {}
    turns = body.get("messages") or [{}]
    last = turns[-1].get("content")
    is_answered = isinstance(last, list) and any(
        isinstance(part, dict) and part.get("type") == "tool_result" for part in last
    )
    must = choice.get("type") in ("any", "tool")
    if not tools or not (must or (variant.get("calls") and not is_answered)):
        return None
    return next((tool for tool in tools if tool.get("name") == choice.get("name")), tools[0])


def _events(whole: dict[str, Any], block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    usage = {**whole["usage"], "output_tokens": 0}
    begun = {**whole, "content": [], "stop_reason": None, "usage": usage}
    yield {"type": "message_start", "message": begun}
    place = {"index": 0}
    if block["type"] == "text":
        empty = {"type": "text", "text": ""}
        deltas = [{"type": "text_delta", "text": piece} for piece in streamed(block["text"])]
    else:
        empty = {**block, "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"])}]
    yield {"type": "content_block_start", **place, "content_block": empty}
    for delta in deltas:
        yield {"type": "content_block_delta", **place, "delta": delta}
    yield {"type": "content_block_stop", **place}
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    tokens = {"output_tokens": whole["usage"]["output_tokens"]}
    yield {"type": "message_delta", "delta": end, "usage": tokens}
    yield {"type": "message_stop"}


def _complete(call: ModelCall) -> Any:
    call.said("completions")
    whole = {
        "type": "completion", "id": made_id("compl_", call.body), "model": call.body.get("model"),
        "completion": call.chosen().get("content", ""), "stop_reason": "stop_sequence",
    }  # fmt: skip
    return server_events([whole], named=True) if call.body.get("stream") else whole


def _count(call: ModelCall) -> Any:
    call.said("messages.count_tokens")
    return {"input_tokens": counted(call.body.get("messages"))}


def _anthropic_models(call: ModelCall) -> Any:
    call.said("models")
    name = (call.found[1] or "/claude-sonnet-4-5")[1:]
    made = "2025-01-01T00:00:00Z"
    model = {"type": "model", "id": name, "display_name": name, "created_at": made}
    if call.found[1]:
        return model
    return {"data": [model], "has_more": False, "first_id": name, "last_id": name}
