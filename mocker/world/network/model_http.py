"""Requests to model services, answered below httpx: whichever SDK sends them, and however."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from ..core.on_import import on_import
from ..core.world import chosen, record, replace, undo_with
from .model_values import ANSWER

MODEL_HOSTS = {
    "api.openai.com": "openai", "api.anthropic.com": "anthropic", "api.groq.com": "groq",
    "api.together.xyz": "together", "api.together.ai": "together", "api.mistral.ai": "mistral",
    "api.deepseek.com": "deepseek", "openrouter.ai": "openrouter", "api.x.ai": "xai",
    "generativelanguage.googleapis.com": "google", "api.cohere.com": "cohere",
    "api.cohere.ai": "cohere", "api.perplexity.ai": "perplexity", "api.fireworks.ai": "fireworks",
    "api.cerebras.ai": "cerebras", "api.voyageai.com": "voyage", "127.0.0.1:11434": "ollama",
    "localhost:11434": "ollama", "router.huggingface.co": "huggingface",
    "api-inference.huggingface.co": "huggingface",
}  # fmt: skip
_services: list[tuple[str, re.Pattern[str], Callable[[Any], Any]]] = []
_variants: dict[str, dict[str, Any]] = {}
_NOT_SAID = ("stream", "stream_options")


class ModelCall:
    """One request to a model service."""

    def __init__(self, place: str, method: str, url: str, headers: Any, content: bytes) -> None:
        parts = urlsplit(url)
        self.place = place
        self.method = method
        self.path = unquote(parts.path)
        self.host = parts.netloc
        self.query = dict(parse_qsl(parts.query))
        self.body = _read(content, headers.get("content-type", ""))
        self.found: Any = None
        """What the pattern of the service has matched in the path."""

    @property
    def provider(self) -> str:
        """The service's name; its host where it is not widely known."""
        if self.host.endswith(".openai.azure.com"):
            return "azure openai"
        if "aiplatform.googleapis.com" in self.host:
            return "google"
        return MODEL_HOSTS.get(self.host, self.host)

    def said(self, what: str, **named: Any) -> None:
        """Note the request, the same whether its answer is streamed or not."""
        body = {k: v for k, v in self.body.items() if k not in _NOT_SAID}
        record("request", f"{self.provider} {what}", **{**body, **named})

    def chosen(self) -> dict[str, Any]:
        """The variant of the answer that the case has chosen."""
        return dict(chosen(self.place, _variants[self.place]))


class ModelFailure(Exception):  # noqa: N818
    """The service does not answer: `timeout`, or `connection`."""


class ModelReply:
    """An answer: JSON, bytes, or the pieces of a stream."""

    def __init__(self, content: Any, status: int = 200, kind: str = "application/json") -> None:
        self.status = status
        self.kind = kind
        if isinstance(content, bytes):
            self.pieces = [content]
        elif isinstance(content, list) and all(isinstance(each, bytes) for each in content):
            self.pieces = content or [b""]
        else:
            self.pieces = [json.dumps(content).encode()]


def server_events(events: Any, *, named: bool = False, end: str = "") -> ModelReply:
    """A reply of server-sent events."""
    pieces: list[bytes] = []
    for event in events:
        head = f"event: {event['type']}\n" if named else ""
        pieces.append(f"{head}data: {json.dumps(event)}\n\n".encode())
    if end:
        pieces.append(f"data: {end}\n\n".encode())
    return ModelReply(pieces, kind="text/event-stream")


def serve_models(
    place: str, variants: dict[str, Any], service: dict[str, Callable[[Any], Any]]
) -> None:
    """Answer requests whose path ends as one of the patterns says, by the variants of a place.

    A pattern that begins with the name of a service in `<>` holds for its host alone.
    """
    if not _services:
        on_import("httpx", _patch_transports)
        on_import("httpx2", _patch_transports)
    if place in _variants:
        # asked for by a second SDK: what is known of the slice's reading goes first
        first, second = _variants[place], variants
        is_plain = first["default"].get("content") == ANSWER
        _variants[place] = {**first, **second} if is_plain else {**second, **first}
        return
    _variants[place] = variants
    for pattern, function in service.items():
        _services.append((place, re.compile(pattern), function))


def model_reply(method: str, url: str, headers: Any, content: bytes) -> ModelReply | None:
    """The reply to a request; `None` where it is not for a model service."""
    parts = urlsplit(url)
    is_known = (
        parts.netloc in MODEL_HOSTS
        or "x-stainless-lang" in headers
        or parts.netloc.endswith((".openai.azure.com", "aiplatform.googleapis.com"))
        or "ollama-python" in headers.get("user-agent", "")
        or parts.path.endswith(("/chat/completions", "/api/chat", "/api/generate"))
    )
    if not is_known:
        return None
    for place, pattern, function in _services:
        found = pattern.search(f"<{MODEL_HOSTS.get(parts.netloc, '')}>{unquote(parts.path)}")
        if found:
            call = ModelCall(place, method, url, headers, content)
            call.found = found
            return _answered(call, function)
    return None


def _answered(call: ModelCall, function: Callable[[Any], Any]) -> ModelReply:
    reply = function(call)
    variant = call.chosen()
    if "fails" in variant:
        raise ModelFailure(variant["fails"])
    if "status" in variant:
        status = variant["status"]
        message = {401: "Incorrect API key provided", 429: "Rate limit reached"}
        kind = {401: "authentication_error", 429: "rate_limit_error"}.get(status, "api_error")
        error = {"message": message.get(status, "The server had an error"), "type": kind}
        error |= {"code": status, "status": kind.upper(), "param": None}
        return ModelReply({"type": "error", "error": error}, status)
    return reply if isinstance(reply, ModelReply) else ModelReply(reply)


def _read(content: bytes, kind: str) -> dict[str, Any]:
    """The body of a request as a dictionary: JSON, or the fields and names of files of a form."""
    if "multipart/form-data" in kind:
        return dict(_fields_of_form(content, kind))
    try:
        body = json.loads(content or b"{}")
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {"body": body}


def _fields_of_form(content: bytes, kind: str) -> Iterator[tuple[str, Any]]:
    import email

    whole = b"Content-Type: " + kind.encode() + b"\r\n\r\n" + content
    for part in email.message_from_bytes(whole).get_payload():
        name = str(part.get_param("name", header="content-disposition"))
        data = part.get_payload(decode=True) or b""
        if part.get_filename():
            yield name, {"filename": part.get_filename(), "bytes": len(data)}
        else:
            yield name, data.decode("utf-8", "replace")


# ------------------------------------------------------------------- below httpx


def _patch_transports(httpx: Any) -> None:
    """Answer in the transports that every client of httpx sends through."""
    sync, with_await = httpx.HTTPTransport.handle_request, httpx.AsyncHTTPTransport
    asynchronous = with_await.handle_async_request

    class Stream(httpx.SyncByteStream, httpx.AsyncByteStream):
        def __init__(self, pieces: list[bytes]) -> None:
            self.pieces = pieces

        def __iter__(self) -> Iterator[bytes]:
            yield from self.pieces

        async def __aiter__(self) -> Any:
            for piece in self.pieces:
                yield piece

    def answered(request: Any) -> Any:
        url = str(request.url)
        try:
            reply = model_reply(request.method, url, request.headers, request.content)
        except ModelFailure as failure:
            if str(failure) == "timeout":
                raise httpx.ReadTimeout("The read operation timed out", request=request) from None
            raise httpx.ConnectError("Connection refused", request=request) from None
        if reply is None:
            return None
        headers = {"content-type": reply.kind, "x-request-id": "req_1"}
        return httpx.Response(reply.status, headers=headers, stream=Stream(reply.pieces))

    def handle_request(self: Any, request: Any) -> Any:
        request.read()
        return answered(request) or sync(self, request)

    async def handle_async_request(self: Any, request: Any) -> Any:
        await request.aread()
        return answered(request) or await asynchronous(self, request)

    replace(httpx.HTTPTransport, "handle_request", handle_request)
    replace(with_await, "handle_async_request", handle_async_request)


def at_once(*packages: str) -> None:
    """Have the SDKs that are built alike try again without a pause."""

    def patch(module: Any) -> None:
        base = getattr(module, "BaseClient", None)
        if hasattr(base, "_calculate_retry_timeout"):
            replace(base, "_calculate_retry_timeout", lambda *_args, **_named: 0.0)

    for package in packages:
        on_import(f"{package}._base_client", patch)


def supply_keys(*names: str) -> None:
    """Have keys in the environment, where the user has none."""
    import os

    for name in names:
        if not os.environ.get(name):
            os.environ[name] = f"{name.lower().replace('_', '-')}-of-nobody"
            undo_with(os.environ.pop, name, None)
