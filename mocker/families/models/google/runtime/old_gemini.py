"""The library google.generativeai as it was: its classes, answered by what Google's models are."""

from __future__ import annotations

from typing import Any

from .....world.network.model_http import ModelCall
from .....world.network.model_values import counted, streamed, vector_of
from .google_protocol import google_parts


class GeminiObject(dict):
    """A part of an answer: keys are attributes as well."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def _gemini_call(what: str, model: str, body: dict[str, Any]) -> ModelCall:
    host = "https://generativelanguage.googleapis.com"
    call = ModelCall("google", "POST", f"{host}/v1beta/models/{model}", {}, b"")
    call.body = body
    call.said(what, model=model.removeprefix("models/"))
    _gemini_fails(call.chosen())
    return call


def _gemini_fails(variant: dict[str, Any]) -> None:
    if "status" not in variant and "fails" not in variant:
        return
    name = {401: "Unauthenticated", 429: "ResourceExhausted", 500: "InternalServerError"}.get(
        variant.get("status", 0), "DeadlineExceeded"
    )
    try:
        from google.api_core import exceptions
    except ImportError:
        raise RuntimeError(name) from None
    raise getattr(exceptions, name)(name)


def _plain(content: Any) -> Any:
    """What the model is given, as plain data."""
    if isinstance(content, (str, int, float, bool, type(None))):
        return content
    if isinstance(content, dict):
        return {str(k): _plain(v) for k, v in content.items()}
    if isinstance(content, (list, tuple)):
        return [_plain(each) for each in content]
    if isinstance(content, bytes):
        return f"{len(content)} bytes"
    return f"<{type(content).__name__}>"


class GenerateContentResponse:
    """An answer, or the stream of its pieces."""

    def __init__(self, parts: list[dict[str, Any]], prompt: Any, finish: str) -> None:
        self.parts = [
            GeminiObject(
                text=part.get("text", ""), function_call=GeminiObject(part.get("functionCall", {}))
            )
            for part in parts
        ]
        content = GeminiObject(role="model", parts=self.parts)
        reason = GeminiObject(name=finish, value=1 if finish == "STOP" else 3)
        made = GeminiObject(content=content, finish_reason=reason, safety_ratings=[])
        self.candidates = [made]
        self.prompt_feedback = GeminiObject(block_reason=0, safety_ratings=[])
        asked, answered = counted(prompt), counted(parts)
        self.usage_metadata = GeminiObject(
            prompt_token_count=asked, candidates_token_count=answered,
            total_token_count=asked + answered,
        )  # fmt: skip
        self._finish = finish

    @property
    def text(self) -> str:
        """The text of all parts; there is none where the answer was held back."""
        if self._finish == "SAFETY":
            raise ValueError("The `response.text` quick accessor requires the response to contain")
        return "".join(part.text for part in self.parts)

    def resolve(self) -> None:
        """It is all here."""

    def __iter__(self) -> Any:
        for piece in streamed("".join(part.text for part in self.parts)):
            yield GenerateContentResponse([{"text": piece}], "", self._finish)

    async def __aiter__(self) -> Any:
        for piece in self:
            yield piece


class GenerativeModel:
    """A model that writes."""

    def __init__(
        self, model_name: str = "gemini-pro", *, generation_config: Any = None, tools: Any = None,
        system_instruction: Any = None, safety_settings: Any = None, tool_config: Any = None,
        **_named: Any,
    ) -> None:  # fmt: skip
        self.model_name = model_name if "/" in model_name else f"models/{model_name}"
        self._config = generation_config
        self._system = system_instruction

    def generate_content(
        self, contents: Any = None, *, generation_config: Any = None, **_named: Any
    ) -> GenerateContentResponse:
        """Answer."""
        body: dict[str, Any] = {"contents": _plain(contents)}
        config = _plain(generation_config or self._config)
        if isinstance(generation_config or self._config, GeminiObject) or config:
            body["generation_config"] = config
        if self._system:
            body["system_instruction"] = _plain(self._system)
        call = _gemini_call("generate_content", self.model_name, body)
        schema = (config or {}).get("response_schema") if isinstance(config, dict) else None
        asked = {"generationConfig": {"responseSchema": schema}} if schema else {}
        variant = call.chosen()
        finish = {"content_filter": "SAFETY", "length": "MAX_TOKENS"}.get(
            variant.get("finish", ""), "STOP"
        )
        return GenerateContentResponse(google_parts(asked, variant), contents, finish)

    async def generate_content_async(self, *args: Any, **named: Any) -> GenerateContentResponse:
        """Answer, when awaited."""
        return self.generate_content(*args, **named)

    def start_chat(self, *, history: Any = None, **_named: Any) -> ChatSession:
        """A conversation."""
        return ChatSession(self, list(history or ()))

    def count_tokens(self, contents: Any) -> GeminiObject:
        """About as many as there are."""
        return GeminiObject(total_tokens=counted(_plain(contents)))

    def embed_content(self, text: Any = None, content: Any = None, **_named: Any) -> Any:
        """An embedding; models have no such method, but programs call it."""
        return gemini_embed(self.model_name, content if text is None else text)


class ChatSession:
    """A conversation with a model."""

    def __init__(self, model: GenerativeModel, history: list[Any]) -> None:
        self.model = model
        self.history = history
        self.last: Any = None

    def send_message(self, content: Any, **named: Any) -> GenerateContentResponse:
        """Say something, and hear the answer."""
        self.history.append(GeminiObject(role="user", parts=[GeminiObject(text=content)]))
        self.last = self.model.generate_content(_plain(self.history), **named)
        self.history.append(self.last.candidates[0].content)
        return self.last

    async def send_message_async(self, content: Any, **named: Any) -> GenerateContentResponse:
        """Likewise, when awaited."""
        return self.send_message(content, **named)


def gemini_embed(model: str = "", content: Any = None, *_args: Any, **named: Any) -> Any:
    """The embedding of a text, or those of several."""
    _gemini_call("embed_content", model, {"content": _plain(content)})
    size = named.get("output_dimensionality") or 768
    if isinstance(content, (list, tuple)):
        return GeminiObject(embedding=[vector_of(_plain(each), size) for each in content])
    return GeminiObject(embedding=vector_of(_plain(content), size))


def gemini_models(*_args: Any, **_named: Any) -> list[GeminiObject]:
    """The models that there are."""
    names = ("gemini-1.5-flash", "gemini-1.5-pro")
    methods = ["generateContent", "countTokens"]
    return [
        GeminiObject(name=f"models/{n}", display_name=n, supported_generation_methods=methods)
        for n in names
    ]


def gemini_upload(path: Any = "", **named: Any) -> GeminiObject:
    """A file that has arrived."""
    state = GeminiObject(name="ACTIVE", value=2)
    name = str(named.get("display_name") or path)
    uri = "https://generativelanguage.googleapis.com/v1beta/files/file-1"
    return GeminiObject(
        name="files/file-1", display_name=name, uri=uri, state=state, delete=lambda: None,
        mime_type=named.get("mime_type"),
    )  # fmt: skip


class GeminiType:
    """Names of kinds of values, harms and reasons."""

    def __init__(self, *_args: Any, **_named: Any) -> None:
        """Nothing is kept."""

    def __getattr__(self, name: str) -> str:
        if name.startswith("_"):
            raise AttributeError(name)
        return name
