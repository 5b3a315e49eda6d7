"""The protocol of Ollama, and the one of Cohere: what each address answers."""

from __future__ import annotations

import json
from typing import Any

from .....world.network.model_http import ModelCall, ModelReply, serve_models
from .....world.network.model_values import counted, made_id, streamed, value_of_schema, vector_of

_WHEN = "2024-01-01T00:00:00Z"


def answer_ollama(variants: dict[str, Any]) -> None:
    """Answer a server of Ollama; a variant has `content`, `calls`, `status` or `fails`."""
    serve_models(
        "ollama",
        variants,
        {
            r"/api/chat$": _ollama_chat,
            r"/api/generate$": _ollama_generate,
            r"/api/embed(dings)?$": _ollama_embeddings,
            r"<ollama>/api/(tags|ps|show|pull|push|create|copy|delete|version)$": _ollama_other,
            r"/api/(tags|ps|show|pull)$": _ollama_other,
        },
    )


def _lines(values: list[dict[str, Any]]) -> ModelReply:
    pieces = [json.dumps(value).encode() + b"\n" for value in values]
    return ModelReply(pieces, kind="application/x-ndjson")


def _ollama_text(call: ModelCall) -> str:
    asked = call.body.get("format")
    if isinstance(asked, dict):
        return json.dumps(value_of_schema(asked))
    content = call.chosen().get("content", "")
    if asked == "json":
        try:
            json.loads(content)
        except ValueError:
            return json.dumps({"answer": content})
    return content


def _ollama_end(call: ModelCall, text: str) -> dict[str, Any]:
    asked = counted(call.body.get("messages") or call.body.get("prompt") or "")
    durations = ("total_duration", "load_duration", "prompt_eval_duration", "eval_duration")
    return {
        "done": True, "done_reason": call.chosen().get("finish", "stop"),
        "prompt_eval_count": asked, "eval_count": counted(text), **dict.fromkeys(durations, 1),
    }  # fmt: skip


def _ollama_chat(call: ModelCall) -> Any:
    call.said("chat")
    head = {"model": call.body.get("model"), "created_at": _WHEN}
    tools = call.body.get("tools") or []
    turns = call.body.get("messages") or [{}]
    if tools and call.chosen().get("calls") and turns[-1].get("role") != "tool":
        function = tools[0]["function"]
        value = value_of_schema(function.get("parameters") or {"type": "object"})
        called = {"function": {"name": function["name"], "arguments": value}}
        message = {"role": "assistant", "content": "", "tool_calls": [called]}
        whole = {**head, "message": message, **_ollama_end(call, "")}
        return _lines([whole]) if call.body.get("stream", True) else whole
    text = _ollama_text(call)

    def turn(content: str) -> dict[str, Any]:
        return {"message": {"role": "assistant", "content": content}}

    end = _ollama_end(call, text)
    if not call.body.get("stream", True):
        return {**head, **turn(text), **end}
    parts = [{**head, **turn(piece), "done": False} for piece in streamed(text)]
    return _lines([*parts, {**head, **turn(""), **end}])


def _ollama_generate(call: ModelCall) -> Any:
    call.said("generate")
    text = _ollama_text(call)
    head = {"model": call.body.get("model"), "created_at": _WHEN}
    end = _ollama_end(call, text)
    if not call.body.get("stream", True):
        return {**head, "response": text, **end, "context": [1]}
    parts = [{**head, "response": piece, "done": False} for piece in streamed(text)]
    return _lines([*parts, {**head, "response": "", **end, "context": [1]}])


def _ollama_embeddings(call: ModelCall) -> Any:
    call.said("embed")
    if call.found[1]:
        return {"embedding": vector_of(call.body.get("prompt", ""), 768)}
    given = call.body.get("input", "")
    texts = given if isinstance(given, list) else [given]
    return {
        "model": call.body.get("model"), "embeddings": [vector_of(text, 768) for text in texts],
        "total_duration": 1, "load_duration": 1, "prompt_eval_count": counted(texts),
    }  # fmt: skip


def _ollama_other(call: ModelCall) -> Any:
    what = call.found[1]
    call.said(what)
    details = {
        "format": "gguf", "family": "llama", "families": ["llama"], "parent_model": "",
        "parameter_size": "8B", "quantization_level": "Q4_0",
    }  # fmt: skip
    if what in ("tags", "ps"):
        model = {
            "name": "llama3:latest", "model": "llama3:latest", "modified_at": _WHEN, "size": 1,
            "digest": made_id(""), "details": details,
        }  # fmt: skip
        return {"models": [model]}
    if what == "show":
        return {"details": details, "modelfile": "", "template": "", "parameters": ""}
    done = {"status": "success", "version": "0.6.0"}
    return _lines([done]) if call.body.get("stream") else done


# ------------------------------------------------------------------- Cohere


def answer_cohere(variants: dict[str, Any]) -> None:
    """Answer Cohere's own addresses."""
    serve_models(
        "cohere",
        variants,
        {
            r"<cohere>/v1/(chat|generate)$": _cohere_one,
            r"<cohere>/v2/chat$": _cohere_two,
            r"<cohere>/v([12])/embed$": _cohere_embed,
            r"<cohere>/v[12]/rerank$": _cohere_rerank,
        },
    )


def _cohere_one(call: ModelCall) -> Any:
    call.said(call.found[1])
    text, made = call.chosen().get("content", ""), made_id("", call.body)
    if call.found[1] == "generate":
        return {"id": made, "generations": [{"id": made, "text": text}], "prompt": ""}
    whole = {"text": text, "generation_id": made, "finish_reason": "COMPLETE", "chat_history": []}
    if not call.body.get("stream"):
        return whole
    events = [{"event_type": "text-generation", "text": piece} for piece in streamed(text)]
    end = {"event_type": "stream-end", "finish_reason": "COMPLETE", "response": whole}
    return _lines([*events, end])


def _cohere_two(call: ModelCall) -> Any:
    call.said("chat")
    asked = call.body.get("response_format") or {}
    schema = asked.get("json_schema") or asked.get("schema")
    text = json.dumps(value_of_schema(schema)) if schema else call.chosen().get("content", "")
    message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    return {"id": made_id("", call.body), "finish_reason": "COMPLETE", "message": message}


def _cohere_embed(call: ModelCall) -> Any:
    call.said("embed")
    texts = call.body.get("texts") or []
    vectors = [vector_of(text, 1024) for text in texts]
    is_typed = call.found[1] == "2" or call.body.get("embedding_types")
    kind = "embeddings_by_type" if is_typed else "embeddings_floats"
    found = {"float": vectors} if is_typed else vectors
    made = made_id("", call.body)
    return {"id": made, "texts": texts, "embeddings": found, "response_type": kind}


def _cohere_rerank(call: ModelCall) -> Any:
    call.said("rerank")
    documents = call.body.get("documents") or []
    words = set(str(call.body.get("query", "")).lower().split())

    def score(document: Any) -> float:
        found = set(json.dumps(document).lower().replace('"', " ").split())
        return round(len(words & found) / (len(words) or 1), 4)

    ranked = sorted(enumerate(map(score, documents)), key=lambda pair: (-pair[1], pair[0]))
    count = call.body.get("top_n") or len(ranked)
    results = [{"index": at, "relevance_score": score} for at, score in ranked[:count]]
    return {"id": made_id("", call.body), "results": results}
