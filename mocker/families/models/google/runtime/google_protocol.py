"""The protocol of Google's models: what each address answers."""

from __future__ import annotations

import json
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import replace
from .....world.network.model_http import ModelCall, serve_models, server_events
from .....world.network.model_values import counted, made_id, streamed, value_of_schema, vector_of

_PIXEL_OF_IMAGEN = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5"
    "ErkJggg=="
)


def answer_google(variants: dict[str, Any]) -> None:
    """Answer contents; a variant has `content`, `finish`, `calls`, `status` or `fails`."""
    serve_models(
        "google",
        variants,
        {
            r"/models/([^/:]+):(generateContent|streamGenerateContent)$": _contents,
            r"/models/([^/:]+):(embedContent|batchEmbedContents)$": _google_embeddings,
            r"/models/([^/:]+):countTokens$": _google_count,
            r"/models/([^/:]+):predict$": _predict,
            r"<google>.*/models(/[^/:]+)?$": _google_models,
        },
    )
    on_import("google.genai._api_client", _without_aiohttp)


def _without_aiohttp(module: Any) -> None:
    """Asynchronous requests go through httpx as well."""
    if hasattr(module.BaseApiClient, "_use_aiohttp"):
        replace(module.BaseApiClient, "_use_aiohttp", lambda _self: False)


def google_parts(body: dict[str, Any], variant: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts of the answer: the call of a function, or a text."""
    declared = [
        each
        for tool in body.get("tools") or ()
        for each in tool.get("functionDeclarations") or tool.get("function_declarations") or ()
    ]
    config = (body.get("toolConfig") or {}).get("functionCallingConfig") or {}
    turns = body.get("contents") or [{}]
    last = turns[-1].get("parts") or [] if isinstance(turns[-1], dict) else []
    is_answered = any("functionResponse" in part for part in last)
    if declared and not is_answered and (config.get("mode") == "ANY" or variant.get("calls")):
        schema = declared[0].get("parametersJsonSchema") or declared[0].get("parameters") or {}
        arguments = value_of_schema({"type": "object", **schema})
        return [{"functionCall": {"name": declared[0]["name"], "args": arguments}}]
    settings = body.get("generationConfig") or {}
    schema = settings.get("responseJsonSchema") or settings.get("responseSchema")
    if schema:
        return [{"text": json.dumps(value_of_schema(schema))}]
    return [{"text": variant.get("content", "")}]


def _contents(call: ModelCall) -> Any:
    call.said("generate_content", model=call.found[1])
    variant = call.chosen()
    parts = google_parts(call.body, variant)
    end = {"length": "MAX_TOKENS", "content_filter": "SAFETY"}.get(
        variant.get("finish", ""), "STOP"
    )
    asked, made = counted(call.body.get("contents")), counted(parts)
    usage = {
        "promptTokenCount": asked, "candidatesTokenCount": made, "totalTokenCount": asked + made,
    }  # fmt: skip
    rest = {"modelVersion": call.found[1], "responseId": made_id("", call.body)}

    def reply(some: list[dict[str, Any]], reason: str | None) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": some}, "index": 0}
        if end == "SAFETY":
            candidate = {"index": 0}
        if reason:
            candidate["finishReason"] = reason
        return {"candidates": [candidate], "usageMetadata": usage, **rest}

    if call.found[2] == "generateContent":
        return reply(parts, end)
    pieces = [{"text": piece} for piece in streamed(parts[0].get("text", ""))] or parts
    last = len(pieces) - 1
    events = [reply([piece], end if at == last else None) for at, piece in enumerate(pieces)]
    return server_events(events) if call.query.get("alt") == "sse" else events


def _google_embeddings(call: ModelCall) -> Any:
    call.said("embed_content", model=call.found[1])
    body = call.body

    def embedded(request: dict[str, Any]) -> dict[str, Any]:
        parts = (request.get("content") or {}).get("parts") or [{}]
        text = " ".join(str(part.get("text", "")) for part in parts)
        size = request.get("outputDimensionality") or 768
        return {"values": vector_of(text, size)}

    if call.found[2] == "embedContent":
        return {"embedding": embedded(body)}
    return {"embeddings": [embedded(request) for request in body.get("requests") or ()]}


def _google_count(call: ModelCall) -> Any:
    call.said("count_tokens", model=call.found[1])
    return {"totalTokens": counted(call.body.get("contents"))}


def _predict(call: ModelCall) -> Any:
    call.said("predict", model=call.found[1])
    given = call.body.get("instances") or [{}]
    if "embed" in call.found[1]:
        texts = [each.get("content", "") for each in given]
        return {"predictions": [{"embeddings": {"values": vector_of(t, 768)}} for t in texts]}
    image = {"mimeType": "image/png", "bytesBase64Encoded": _PIXEL_OF_IMAGEN}
    count = (call.body.get("parameters") or {}).get("sampleCount") or 1
    return {"predictions": [image] * count}


def _google_models(call: ModelCall) -> Any:
    call.said("models")
    name = (call.found[1] or "/gemini-2.5-flash")[1:]
    model = {
        "name": f"models/{name}", "version": "001", "displayName": name,
        "inputTokenLimit": 1_000_000, "outputTokenLimit": 8192,
        "supportedGenerationMethods": ["generateContent", "countTokens"],
    }  # fmt: skip
    return model if call.found[1] else {"models": [model]}
