"""The library openai as it was before version 1: its functions, answered by the same protocol."""

from __future__ import annotations

import json
from typing import Any

from .....world.network.model_http import ModelFailure, model_reply


class OpenAIObject(dict):
    """A part of an answer: keys are attributes as well."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def to_dict(self) -> dict[str, Any]:
        """The plain dictionary."""
        return json.loads(json.dumps(self))

    to_dict_recursive = to_dict


class OpenAIError(Exception):
    """An error of the library."""

    def __init__(self, message: str = "", http_status: int | None = None, **named: Any) -> None:
        super().__init__(message)
        self.user_message = self._message = message
        self.http_status = http_status
        self.__dict__.update(named)


_errors: dict[str, type[OpenAIError]] = {}


def old_openai_error(name: str) -> type[OpenAIError]:
    """The class of an error, by its name."""
    if name not in _errors:
        _errors[name] = type(name, (OpenAIError,), {"__module__": "openai.error"})
    return _errors[name]


def _old_object(value: Any) -> Any:
    if isinstance(value, dict):
        return OpenAIObject({k: _old_object(v) for k, v in value.items()})
    return [_old_object(each) for each in value] if isinstance(value, list) else value


_UNSAID = ("api_key", "api_base", "api_type", "api_version", "organization", "request_timeout",
           "timeout", "headers")  # fmt: skip


def _old_call(path: str, body: dict[str, Any]) -> Any:
    said = {k: v for k, v in body.items() if k not in _UNSAID}
    said["model"] = said.pop("engine", None) or said.pop("deployment_id", None) or said.get("model")
    content = json.dumps({k: v for k, v in said.items() if v is not None}, default=str).encode()
    try:
        reply = model_reply("POST", f"https://api.openai.com/v1/{path}", {}, content)
    except ModelFailure as failure:
        name = "Timeout" if str(failure) == "timeout" else "APIConnectionError"
        raise old_openai_error(name)(str(failure)) from None
    assert reply is not None
    if reply.status != 200:
        name = {401: "AuthenticationError", 429: "RateLimitError"}.get(reply.status, "APIError")
        raise old_openai_error(name)(name, reply.status)
    if reply.kind != "text/event-stream":
        return _old_object(json.loads(reply.pieces[0]))
    events = (piece.decode().partition("data: ")[2].strip() for piece in reply.pieces)
    return (_old_object(json.loads(event)) for event in events if event != "[DONE]")


def old_openai_resource(name: str, path: str) -> type:
    """A class such as `ChatCompletion`, whose `create` asks the service."""

    async def later(found: Any) -> Any:
        return found

    def create(cls: Any, *_args: Any, **body: Any) -> Any:
        return _old_call(path, body)

    async def acreate(cls: Any, *_args: Any, **body: Any) -> Any:
        found = _old_call(path, body)
        return _awaited(found) if body.get("stream") else found

    def heard(cls: Any, model: str = "whisper-1", file: Any = None, **body: Any) -> Any:
        return _old_call("audio/transcriptions", {"model": model, **body})

    members: dict[str, Any] = {
        "create": classmethod(create), "acreate": classmethod(acreate),
        "create_edit": classmethod(create), "create_variation": classmethod(create),
        "transcribe": classmethod(heard), "translate": classmethod(heard),
        "list": classmethod(lambda cls, **_named: _old_object({"data": [{"id": "gpt-4"}]})),
    }  # fmt: skip
    return type(name, (), {"__module__": "openai", **members})


async def _awaited(parts: Any) -> Any:
    for part in parts:
        yield part
