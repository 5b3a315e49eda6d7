"""The protocol of OpenAI, which many services speak: what each address answers."""

from __future__ import annotations

import base64
import json
import re
import struct
from collections.abc import Iterator
from typing import Any

from .....world.network.model_http import ModelCall, ModelReply, serve_models, server_events
from .....world.network.model_values import (
    CREATED,
    counted,
    made_id,
    streamed,
    value_of_schema,
    vector_of,
)

_SIZES = {"text-embedding-3-large": 3072}
_PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5"
    "ErkJggg=="
)


def answer_openai(variants: dict[str, Any], services: dict[str, Any]) -> None:
    """Answer what speaks the protocol; a variant has `content`, `finish`, `status` or `fails`."""
    serve_models("openai", variants, services)


def openai_answer(call: ModelCall, schema: Any = None) -> str:
    """The text that a model answers: of the schema that the request asks for, if it does."""
    variant = call.chosen()
    if schema is not None and not variant.get("ignores_schema"):
        return json.dumps(value_of_schema(schema))
    return variant.get("content", "")


# ------------------------------------------------------------------- chat


def openai_called(body: dict[str, Any], variant: dict[str, Any]) -> dict[str, Any] | None:
    """The function that the model wants called: when it must, or the case has chosen so."""
    tools = [t.get("function", t) for t in body.get("tools") or body.get("functions") or ()]
    tools = [tool for tool in tools if isinstance(tool, dict) and tool.get("name")]
    choice = body.get("tool_choice") or body.get("function_call")
    name = None
    if isinstance(choice, dict):
        name = choice.get("function", choice).get("name")
    turns = body.get("messages") or body.get("input") or ()
    last = turns[-1] if isinstance(turns, list) and turns else {}
    is_answered = isinstance(last, dict) and (
        last.get("role") in ("tool", "function") or last.get("type") == "function_call_output"
    )
    wanted = variant.get("calls") and not is_answered
    if not tools or not (name or wanted or choice in ("required", "any")):
        return None
    tool = next((tool for tool in tools if tool["name"] == name), tools[0])
    arguments = value_of_schema(tool.get("parameters") or {"type": "object"})
    return {"name": tool["name"], "arguments": json.dumps(arguments)}


def _schema(body: dict[str, Any]) -> Any:
    asked = body.get("response_format") or (body.get("text") or {}).get("format") or {}
    if not isinstance(asked, dict) or asked.get("type") != "json_schema":
        return None
    return asked.get("schema") or asked.get("json_schema", {}).get("schema")


def _message(call: ModelCall) -> tuple[dict[str, Any], str]:
    body, variant = call.body, call.chosen()
    finish = variant.get("finish", "stop")
    called = openai_called(body, variant)
    if called and "functions" in body:
        message = {"role": "assistant", "content": None, "function_call": called}
        return message, "function_call"
    if called:
        one = {"id": made_id("call_", body), "type": "function", "function": called}
        return {"role": "assistant", "content": None, "tool_calls": [one]}, "tool_calls"
    content = openai_answer(call, _schema(body))
    if (body.get("response_format") or {}).get("type") == "json_object":
        content = _as_json(content)
    refusal = "I cannot help with that." if variant.get("refuses") else None
    return {
        "role": "assistant",
        "content": None if refusal else content,
        "refusal": refusal,
    }, finish


def _as_json(content: str) -> str:
    """What is promised to be JSON is."""
    try:
        json.loads(content)
    except ValueError:
        return json.dumps({"answer": content}) if content else content
    return content


def _usage(call: ModelCall, answer: object) -> dict[str, Any]:
    asked = counted(call.body.get("messages") or call.body.get("prompt") or "")
    made = counted(answer)
    return {"prompt_tokens": asked, "completion_tokens": made, "total_tokens": asked + made}


def openai_chat(call: ModelCall) -> Any:
    """Messages go on."""
    call.said("chat.completions")
    message, finish = _message(call)
    head = {
        "id": made_id("chatcmpl-", call.body.get("messages")), "created": CREATED,
        "model": call.body.get("model") or call.path.split("/deployments/")[-1].split("/")[0],
        "system_fingerprint": None, "service_tier": "default",
    }  # fmt: skip
    usage = _usage(call, message["content"] or message.get("tool_calls") or "")
    if call.body.get("stream"):
        return server_events(_chunks(call, head, message, finish, usage), end="[DONE]")
    choices = [
        {"index": index, "message": message, "finish_reason": finish, "logprobs": None}
        for index in range(call.body.get("n") or 1)
    ]
    return {**head, "object": "chat.completion", "choices": choices, "usage": usage}


def _chunks(
    call: ModelCall, head: dict[str, Any], message: dict[str, Any], finish: str, usage: Any
) -> Iterator[dict[str, Any]]:
    def chunk(delta: dict[str, Any], end: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": end, "logprobs": None}
        return {**head, "object": "chat.completion.chunk", "choices": [choice]}

    yield chunk({"role": "assistant", "content": ""})
    for index, one in enumerate(message.get("tool_calls") or ()):
        yield chunk({"tool_calls": [{"index": index, **one}]})
    if "function_call" in message:
        yield chunk({"function_call": message["function_call"]})
    for piece in streamed(message.get("content") or ""):
        yield chunk({"content": piece})
    yield chunk({}, finish)
    if (call.body.get("stream_options") or {}).get("include_usage"):
        yield {**head, "object": "chat.completion.chunk", "choices": [], "usage": usage}


def openai_completion(call: ModelCall) -> Any:
    """A text goes on."""
    call.said("completions")
    variant = call.chosen()
    text = openai_answer(call)
    prompts = call.body.get("prompt")
    count = len(prompts) if isinstance(prompts, list) and prompts else 1
    head = {
        "id": made_id("cmpl-", prompts), "object": "text_completion", "created": CREATED,
        "model": call.body.get("model"),
    }  # fmt: skip

    def part(index: int, piece: str, end: str | None) -> dict[str, Any]:
        return {"index": index, "text": piece, "finish_reason": end, "logprobs": None}

    end = variant.get("finish", "stop")
    if call.body.get("stream"):
        parts = [part(0, piece, None) for piece in streamed(text)]
        events = [{**head, "choices": [each]} for each in (*parts, part(0, "", end))]
        return server_events(events, end="[DONE]")
    total = count * (call.body.get("n") or 1)
    choices = [part(index, text, end) for index in range(total)]
    return {**head, "choices": choices, "usage": _usage(call, text)}


# ------------------------------------------------------------------- responses


def openai_response(call: ModelCall) -> Any:
    """The newer form of both."""
    body = call.body
    call.said("responses", **({"id": call.found[1][1:]} if call.found[1] else {}))
    called = openai_called(body, call.chosen())
    if called:
        made = made_id("call_", body)
        item = {"type": "function_call", "id": f"fc_{made[5:]}", "call_id": made, **called}
        text = ""
    else:
        text = openai_answer(call, _schema(body))
        if (body.get("text") or {}).get("format", {}).get("type") == "json_object":
            text = _as_json(text)
        part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        item = {"type": "message", "id": made_id("msg_", body), "role": "assistant"}
        item |= {"content": [part]}
    item["status"] = "completed"
    asked, made_tokens = counted(body.get("input") or ""), counted(text)
    usage = {
        "input_tokens": asked, "output_tokens": made_tokens, "total_tokens": asked + made_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip
    whole = {
        "id": made_id("resp_", body), "object": "response", "created_at": CREATED,
        "status": "completed", "error": None, "incomplete_details": None,
        "instructions": body.get("instructions"), "metadata": body.get("metadata") or {},
        "model": body.get("model", ""), "output": [item], "parallel_tool_calls": True,
        "temperature": body.get("temperature"), "tool_choice": body.get("tool_choice", "auto"),
        "tools": body.get("tools") or [], "top_p": body.get("top_p"), "usage": usage,
        "previous_response_id": body.get("previous_response_id"),
    }  # fmt: skip
    if body.get("stream"):
        return server_events(_response_events(whole, item, text), named=True)
    return whole


def _response_events(
    whole: dict[str, Any], item: dict[str, Any], text: str
) -> Iterator[dict[str, Any]]:
    begun = {**whole, "status": "in_progress", "output": []}
    place = {"output_index": 0, "item_id": item["id"]}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
    ]
    opened = {**item, "status": "in_progress"} | ({"content": []} if "content" in item else {})
    events.append({"type": "response.output_item.added", "output_index": 0, "item": opened})
    if "content" in item:
        inside = {**place, "content_index": 0}
        (part,) = item["content"]
        events.append(
            {"type": "response.content_part.added", **inside, "part": {**part, "text": ""}}
        )
        events += [
            {"type": "response.output_text.delta", **inside, "delta": piece, "logprobs": []}
            for piece in streamed(text)
        ]
        events.append({"type": "response.output_text.done", **inside, "text": text, "logprobs": []})
        events.append({"type": "response.content_part.done", **inside, "part": part})
    else:
        told = {"arguments": item["arguments"], "name": item["name"]}
        events.append({"type": "response.function_call_arguments.done", **place, **told})
    events.append({"type": "response.output_item.done", "output_index": 0, "item": item})
    events.append({"type": "response.completed", "response": whole})
    for number, event in enumerate(events):
        yield {**event, "sequence_number": number}


# ------------------------------------------------------------------- everything else


def openai_embeddings(call: ModelCall) -> Any:
    """Texts as vectors."""
    given = call.body.get("input")
    is_many = isinstance(given, list) and not all(isinstance(each, int) for each in given)
    texts: list[Any] = given if is_many and isinstance(given, list) else [given]
    model = call.body.get("model", "")
    size = call.body.get("dimensions") or _SIZES.get(model, 1536)
    # the SDKs ask for base64 by themselves when numpy is there: the same request to the reader
    is_packed = call.body.pop("encoding_format", "float") == "base64"
    call.said("embeddings")

    def packed(vector: list[float]) -> Any:
        if not is_packed:
            return vector
        return base64.b64encode(struct.pack(f"<{size}f", *vector)).decode()

    data = [
        {"object": "embedding", "index": index, "embedding": packed(vector_of(text, size))}
        for index, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": counted(texts), "total_tokens": counted(texts)}
    return {"object": "list", "data": data, "model": model, "usage": usage}


def openai_images(call: ModelCall) -> Any:
    """Pictures of what a text says."""
    call.said(f"images.{call.found[1]}")
    is_packed = call.body.get("response_format") == "b64_json" or str(
        call.body.get("model", "")
    ).startswith("gpt-image")
    made = made_id("img-", call.body)
    url = f"https://images.example/{made}.png"
    image = {"b64_json": _PIXEL} if is_packed else {"url": url}
    image["revised_prompt"] = str(call.body.get("prompt", ""))
    return {"created": CREATED, "data": [image] * int(call.body.get("n") or 1)}


def openai_audio(call: ModelCall) -> Any:
    """Speech to text, and text to speech."""
    what = call.found[1]
    call.said(f"audio.{what}")
    if what == "speech":
        return ModelReply(b"ID3" + bytes(29), kind="audio/mpeg")
    text = openai_answer(call)
    form = call.body.get("response_format", "json")
    if form == "verbose_json":
        words = text.split() or [""]
        segment = {
            "id": 0, "seek": 0, "start": 0.0, "end": float(len(words)), "text": text, "tokens": [],
            "temperature": 0.0, "avg_logprob": -0.1, "compression_ratio": 1.0,
            "no_speech_prob": 0.0,
        }  # fmt: skip
        spoken = [{"word": w, "start": float(i), "end": i + 1.0} for i, w in enumerate(words)]
        length = float(len(words))
        return {
            "task": "transcribe", "language": "english", "duration": length, "text": text,
            "segments": [segment], "words": spoken,
        }  # fmt: skip
    stamped = {
        "srt": f"1\n00:00:00,000 --> 00:00:01,000\n{text}\n",
        "vtt": f"WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n{text}\n",
        "text": text,
    }
    if form in stamped:
        return ModelReply(stamped[form].encode(), kind="text/plain")
    return {"text": text}


_HARMS = (
    "harassment harassment/threatening hate hate/threatening illicit illicit/violent self-harm "
    "self-harm/instructions self-harm/intent sexual sexual/minors violence violence/graphic"
).split()


def openai_moderations(call: ModelCall) -> Any:
    """Whether a text does harm."""
    call.said("moderations")
    is_bad = bool(call.chosen().get("flags"))
    result = {
        "flagged": is_bad,
        "categories": dict.fromkeys(_HARMS, is_bad),
        "category_scores": dict.fromkeys(_HARMS, 0.99 if is_bad else 0.01),
        "category_applied_input_types": {harm: ["text"] for harm in _HARMS},
    }
    given = call.body.get("input")
    count = len(given) if isinstance(given, list) else 1
    model = call.body.get("model", "omni-moderation-latest")
    return {"id": made_id("modr-", given), "model": model, "results": [result] * count}


def openai_models(call: ModelCall) -> Any:
    """Which models there are."""
    names = ["gpt-4o", "gpt-4o-mini", "text-embedding-3-small"]
    call.said("models", **({"id": call.found[1][1:]} if call.found[1] else {}))

    def model(name: str) -> dict[str, Any]:
        return {"id": name, "object": "model", "created": CREATED, "owned_by": "openai"}

    if call.found[1]:
        return model(call.found[1][1:])
    return {"object": "list", "data": [model(name) for name in names]}


_PREFIXES = {
    "files": "file-", "threads": "thread_", "messages": "msg_", "runs": "run_",
    "assistants": "asst_", "vector_stores": "vs_", "batches": "batch_", "jobs": "ftjob-",
}  # fmt: skip


def openai_objects(call: ModelCall) -> Any:
    """Files, assistants, threads, runs and the like: what was asked for exists, and is done."""
    parts = call.found[1].split("/")
    ids = [part for part in parts if part.startswith(tuple(_PREFIXES.values()))]
    names = ".".join(part for part in parts if part not in ids)
    call.said(f"{call.method} {names}", **call.query, **({"ids": ids} if ids else {}))
    last = parts[-1]
    kind = next((part for part in reversed(parts) if part in _PREFIXES), last)
    if last == "content":
        return ModelReply(openai_answer(call).encode(), kind="application/octet-stream")
    if call.method == "GET" and last == kind:
        data = [_object(call, kind, made_id(_PREFIXES.get(kind, "obj_"), parts), parts)]
        ends = {"first_id": data[0]["id"], "last_id": data[0]["id"], "has_more": False}
        return {"object": "list", "data": data, **ends}
    if last in (kind, "cancel", "submit_tool_outputs"):
        is_new = last == kind
        made = made_id(_PREFIXES.get(kind, "obj_"), parts, call.body) if is_new else parts[-2]
    else:
        made = last
    if call.method == "DELETE":
        return {"id": made, "object": f"{kind.rstrip('s')}.deleted", "deleted": True}
    return _object(call, kind, made, parts)


def _object(call: ModelCall, kind: str, made: str, parts: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"id": made, "object": re.sub(r"(?<!s)s$", "", kind)}
    found |= {"created_at": CREATED, "metadata": {}, "name": None}
    thread = {"thread_id": parts[1]} if parts[0] == "threads" and len(parts) > 1 else {}
    more: dict[str, dict[str, Any]] = {
        "files": {
            "filename": "file", "bytes": 0, "purpose": "assistants", "status": "processed",
        },
        "runs": {
            "object": "thread.run", "status": call.chosen().get("run", "completed"),
            "assistant_id": "asst_1", "model": "gpt-4o", "instructions": "", "tools": [],
            "required_action": None, "last_error": None, "usage": None, **thread,
            "parallel_tool_calls": True,
        },
        "messages": {
            "object": "thread.message", "role": "assistant", "status": "completed", **thread,
            "assistant_id": None, "run_id": None, "attachments": [],
        },
        "assistants": {
            "description": None, "instructions": None, "model": "gpt-4o", "tools": [],
        },
        "threads": {"object": "thread", "tool_resources": None},
        "vector_stores": {
            "object": "vector_store", "status": "completed", "usage_bytes": 0,
            "file_counts": dict.fromkeys(
                ("in_progress", "completed", "failed", "cancelled", "total"), 0
            ),
        },
        "batches": {
            "status": "completed", "endpoint": "/v1/chat/completions", "input_file_id": "file-1",
            "output_file_id": "file-2", "completion_window": "24h",
        },
        "jobs": {
            "object": "fine_tuning.job", "status": "succeeded", "model": "gpt-4o",
            "fine_tuned_model": "ft:gpt-4o:1", "training_file": "file-1",
        },
    }  # fmt: skip
    found |= more.get(kind, {"status": "completed"})
    given = dict(call.body)
    if "file" in given:
        given |= given.pop("file")
    if kind == "messages":
        said = given.get("content")
        text = said if isinstance(said, str) else openai_answer(call)
        given["content"] = [{"type": "text", "text": {"value": text, "annotations": []}}]
    return found | {k: v for k, v in given.items() if v is not None}
