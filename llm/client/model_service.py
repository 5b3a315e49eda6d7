"""Requests to an OpenAI-compatible service, each paid for once: cache, budget, retries.

They run in a thread with an event loop, so that many can be under way at once from synchronous
callers, of any number of threads. A structured answer is requested by JSON schema; a service
without schema support is asked for a fenced block of JSON.
"""

from __future__ import annotations

import asyncio
import json
import math
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ..errors import ModelServiceError
from .answer_cache import Cache
from .model_settings import Settings
from .questions import Message, Problem, Reply, ToolCall, Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessage, ChatCompletionMessageParam

_CHARACTERS_A_TOKEN = 3
"""Characters of plain text per token; low, so that a budget's reserve suffices."""
_MOST_TOKENS = 1 << 40
_NO_SCHEMA = (400, 404, 415, 422, 501)
"""HTTP statuses of services without schemas; other errors recur on the retry."""
_REJECTED = {
    401: "the key is not accepted",
    403: "the key does not allow this",
    404: "there is no such model or address",
}
_HIDDEN = "…"
_CLOSED = "the model service: the client is closed"
_NO_COMPLETION = (
    ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError,
)  # fmt: skip
"""What reading an answer of another shape raises; infinite counts and deep nesting too."""


@dataclass(frozen=True, slots=True)
class NoReply:
    """Why a request has no reply."""

    problem: Problem
    detail: str
    """Details for people."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The JSON schema of an answer."""

    name: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class WireRequest:
    """All that is sent for one request, and what it may take."""

    key: str
    """SHA-256 of everything that determines the answer."""
    messages: tuple[Message, ...]
    worst: Usage
    """The most that it takes."""
    schema: Schema | None = None
    tools: tuple[dict[str, Any], ...] = ()
    """Tools in the form of OpenAI's `tools` parameter."""
    temperature: float | None = None
    seed: int | None = None


class ModelService:
    """Sends requests to a model; close it to end its thread."""

    def __init__(self, settings: Settings, cache: Cache, run: str) -> None:
        """Args: `run` names the run, for processes that share a budget."""
        self.settings = settings
        self._cache = cache
        self._run = run
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._service: AsyncOpenAI | None = None
        self._turns = asyncio.Semaphore(settings.concurrency)
        self._waiting = ThreadPoolExecutor(settings.concurrency, "model-service-lock")
        """Threads for waiting on locks only: a waiter must not block the holder's thread."""
        self._knows_schemas = True
        self._rejected: ModelServiceError | None = None
        """Why the service rejects all requests: then no more are sent."""

    def replies(
        self, requests: Sequence[WireRequest]
    ) -> tuple[list[tuple[Reply | NoReply, bool]], ModelServiceError | None]:
        """Return for each request its reply, and whether that was stored before; and the error if
        the service rejects all requests.
        """
        replies: list[tuple[Reply | NoReply, bool]] = []
        left: list[int] = []
        for number, each in enumerate(requests):
            reply = self._cache.get(each.key)
            replies.append((reply, True) if reply is not None else (_NOTHING_YET, False))
            if reply is None:
                left.append(number)
        if self.settings.is_replay:
            for n in left:
                replies[n] = NoReply("not_cached", "the cache has no answer to this"), False
        elif left and self._rejected is None:
            found, self._rejected = self._in_thread([requests[n] for n in left])
            for n, each in zip(left, found, strict=True):
                replies[n] = each
        return replies, self._rejected

    def usage(self, reply: Reply) -> Usage:
        """Return what a reply has taken."""
        cost = self._cost(reply.input_tokens, reply.output_tokens)
        return Usage(1, reply.input_tokens, reply.output_tokens, cost, reply.seconds)

    def most_usage(self, texts: Sequence[str], most_tokens: int) -> Usage:
        """Return the most that a request with these texts takes."""
        tokens = sum(map(_most_tokens, texts))
        return Usage(1, tokens, most_tokens, self._cost(tokens, most_tokens))

    def close(self) -> None:
        """Stop the thread and close its connections; requests under way are abandoned."""
        with self._starting:
            self._is_closed = True
            loop, self._loop = self._loop, None
        if loop is None or self._thread is None:
            return
        with suppress(Exception):  # the connection may be closed already
            asyncio.run_coroutine_threadsafe(self._end_all(), loop).result(5)
        self._waiting.shutdown(wait=False)
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join()
        loop.close()
        self._service = self._thread = None

    async def _end_all(self) -> None:
        """End the requests under way: those who wait for them get an error."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for each in others:
            each.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._service is not None:
            await self._service.close()

    def _cost(self, input_tokens: int, output_tokens: int) -> float:
        price = self.settings.price
        return price.of(input_tokens, output_tokens) if price else 0.0

    def _in_thread(
        self, requests: Sequence[WireRequest]
    ) -> tuple[list[tuple[Reply | NoReply, bool]], ModelServiceError | None]:
        """Return replies, or stored ones found meanwhile, and the error of a rejection.

        Raises:
            ModelServiceError: the client is closed, perhaps meanwhile.
        """

        async def all_of_them() -> list[tuple[Reply | NoReply, bool] | BaseException]:
            return await asyncio.gather(*map(self._one, requests), return_exceptions=True)

        with self._starting:
            if self._is_closed:
                raise ModelServiceError(_CLOSED)
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="model-service", daemon=True
                )
                self._thread.start()
            coming = asyncio.run_coroutine_threadsafe(all_of_them(), self._loop)
        try:
            found = coming.result()
        except CancelledError:
            raise ModelServiceError(_CLOSED) from None
        replies: list[tuple[Reply | NoReply, bool]] = []
        failure: ModelServiceError | None = None
        for each in found:
            if isinstance(each, ModelServiceError):
                failure = failure or each
                replies.append((NoReply("unavailable", str(each)), False))
            elif isinstance(each, BaseException):
                raise each
            else:
                replies.append(each)
        return replies, failure

    async def _one(self, request: WireRequest) -> tuple[Reply | NoReply, bool]:
        async with self._turns:
            lock = self._cache.locked(request.key)
            await asyncio.get_running_loop().run_in_executor(self._waiting, lock.__enter__)
            try:
                known = self._cache.get(request.key)  # another process may have asked meanwhile
                if known is not None:
                    return known, True
                if not self._has_money(request.worst):
                    return NoReply("over_budget", "the budget of the run is used up"), False
                found: Reply | NoReply = NoReply("unavailable", "the service takes no request")
                try:
                    found = await self._sent(request)
                    if isinstance(found, Reply):
                        self._cache.put(request.key, self.settings.model, found)
                except asyncio.CancelledError:
                    found = NoReply("late", _CLOSED)
                    raise
                finally:
                    self._refund(request.worst, found)
                return found, False
            finally:
                lock.__exit__(None, None, None)

    def _has_money(self, worst: Usage) -> bool:
        """Reserve the worst case of a call in the run's budget; return whether it fits."""
        budget = self.settings.per_run
        bounds = (budget.calls, budget.tokens, budget.usd)
        if bounds == (None, None, None):
            return True
        most = [math.inf if bound is None else float(bound) for bound in bounds]
        amounts = (worst.calls, worst.input_tokens + worst.output_tokens, worst.cost)
        return self._cache.spend(self._run, amounts, (most[0], most[1], most[2]))

    def _refund(self, worst: Usage, found: Reply | NoReply) -> None:
        """Return the unused part of a call's reserve to the budget."""
        budget = self.settings.per_run
        if (budget.calls, budget.tokens, budget.usd) == (None, None, None):
            return
        if isinstance(found, NoReply) and found.problem == "late":
            return  # the service's own count is unknown
        less = self.usage(found) - worst if isinstance(found, Reply) else Usage() - worst
        back = (less.calls, less.input_tokens + less.output_tokens, less.cost)
        self._cache.spend(self._run, back, (math.inf, math.inf, math.inf))

    async def _sent(self, request: WireRequest) -> Reply | NoReply:
        """Return the service's reply to a request."""
        import openai

        try:
            if self._knows_schemas and request.schema is not None:
                try:
                    return await self._completed(request, is_schema=True)
                except openai.APIStatusError as error:
                    if error.status_code not in _NO_SCHEMA:
                        raise
                found = await self._completed(request, is_schema=False)
                self._knows_schemas = False
                return found
            return await self._completed(request, is_schema=False)
        except openai.APITimeoutError:
            return NoReply("late", "the service does not answer in time")
        except openai.APIStatusError as error:
            if error.status_code in _REJECTED:
                raise ModelServiceError(self._rejection(error.status_code)) from None
            message = self._without_key(error.message)
            return NoReply("unavailable", f"the service answers {error.status_code}: {message}")
        except openai.APIError as error:
            where = self.settings.base_url or "OpenAI"
            problem = self._without_key(f"{type(error).__name__} at {where}: {error}")
            return NoReply("unavailable", problem)
        except _NO_COMPLETION:  # the library accepts any page as an answer
            return NoReply("unavailable", "the service answers with what is no completion")
        except Exception as error:
            if type(error).__name__ != "InvalidURL":  # of either HTTP library
                raise
            return NoReply("unavailable", self._without_key(f"InvalidURL: {error}"))

    async def _completed(self, request: WireRequest, *, is_schema: bool) -> Reply:
        """Return one completion; the library retries where that can help."""
        from openai import omit

        schema = request.schema
        sent = [_sent_message(message) for message in request.messages]
        shaped: Any = omit
        if schema is not None and is_schema:
            shaped = {
                "type": "json_schema",
                "json_schema": {
                    "name": schema.name, "schema": _closed(schema.schema), "strict": True,
                },
            }  # fmt: skip
        elif schema is not None:
            sent.append({"role": "user", "content": fenced_question(schema.schema)})
        settings = self.settings
        is_openai = settings.base_url is None or "//api.openai.com" in settings.base_url
        most_tokens = request.worst.output_tokens
        start = time.monotonic()
        found = await self._made_service().chat.completions.create(
            model=settings.model,
            messages=sent,
            response_format=shaped,
            tools=cast("Any", list(request.tools)) if request.tools else omit,
            temperature=omit if request.temperature is None else request.temperature,
            seed=omit if request.seed is None else request.seed,
            extra_headers={"Idempotency-Key": request.key},
            max_completion_tokens=most_tokens if is_openai else omit,
            max_tokens=omit if is_openai else most_tokens,  # the only name that others know
        )
        seconds = time.monotonic() - start
        if not found.choices:  # perhaps a gateway's error: it must not be cached
            raise ValueError("no choices")
        choice, usage = found.choices[0], found.usage
        counted = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
        most = (request.worst.input_tokens, request.worst.output_tokens)
        # a service that reports no usage is charged the maximum
        tokens = [int(n) if n is not None else m for n, m in zip(counted, most, strict=True)]
        if not all(0 <= n <= _MOST_TOKENS for n in tokens):
            raise ValueError("no count of tokens")
        return Reply(
            _text(choice.message.content),
            _text(choice.finish_reason) or "stop",
            _text(choice.message.refusal),
            tokens[0],
            tokens[1],
            round(seconds, 3),
            tuple(_calls(choice.message)),
        )

    def _made_service(self) -> AsyncOpenAI:
        if self._service is None:
            from openai import AsyncOpenAI

            if not (self.settings.key or self.settings.base_url):
                raise ModelServiceError(
                    "the model service: OpenAI wants a key",
                    "set OPENAI_API_KEY, or name another service with --base-url "
                    "(--llm-base-url with --llm)",
                )

            from .bounded_http import BoundedClient

            self._service = AsyncOpenAI(
                api_key=self.settings.key or "none",  # a local server needs none
                base_url=self.settings.base_url,
                timeout=self.settings.timeout,
                http_client=BoundedClient(self.settings.timeout),
                max_retries=self.settings.retries,
            )
        return self._service

    def _rejection(self, status: int) -> str:
        where = self.settings.base_url or "OpenAI"
        model = self.settings.model
        return f"the model service: {where} answers {status} to {model}: {_REJECTED[status]}"

    def _without_key(self, text: str) -> str:
        key = self.settings.key
        line = " ".join(text.split())
        return (line.replace(key, _HIDDEN) if key else line)[:300]


_NOTHING_YET = NoReply("unavailable", "nothing was asked")


def _most_tokens(text: str) -> int:
    """Return an upper bound of tokens: one for three ASCII characters or one other byte."""
    plain = sum(sign.isascii() for sign in text)
    return plain // _CHARACTERS_A_TOKEN + len(text.encode("utf-8", "surrogatepass")) - plain + 8


def _text(value: object) -> str:
    """Return a text that can be stored; `None` becomes an empty one."""
    if value is not None and not isinstance(value, str):
        raise TypeError("no text")
    return (value or "").encode("utf-8", "replace").decode()


def _calls(message: ChatCompletionMessage) -> Iterator[ToolCall]:
    """Yield the calls of functions that an answer asks for."""
    for each in message.tool_calls or ():
        called = getattr(each, "function", None)  # some services leave out `type`
        if called is not None:
            yield ToolCall(_text(each.id), _text(called.name), _text(called.arguments))


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema in the strict form: all fields required, and no others."""
    made: dict[str, Any] = {}
    for name, each in schema.items():
        if name in ("properties", "$defs"):
            made[name] = {key: _closed(inner) for key, inner in each.items()}
        elif name == "items":
            made[name] = _closed(each)
        elif name != "default":
            made[name] = each
    if made.get("type") == "object":
        made["additionalProperties"] = False
        made["required"] = list(made.get("properties", {}))
    return made


def _sent_message(message: Message) -> ChatCompletionMessageParam:
    match message.role:
        case "system":
            return {"role": "system", "content": message.text}
        case "assistant" if message.calls:
            return {
                "role": "assistant",
                "content": message.text or None,
                "tool_calls": [
                    {
                        "id": each.id,
                        "type": "function",
                        "function": {"name": each.name, "arguments": each.arguments},
                    }
                    for each in message.calls
                ],
            }
        case "assistant":
            return {"role": "assistant", "content": message.text}
        case "user":
            return {"role": "user", "content": message.text}
        case "tool":
            return {"role": "tool", "content": message.text, "tool_call_id": message.call}


def fenced_question(schema: dict[str, Any]) -> str:
    """Return the request for JSON of a schema, for services without schemas."""
    text = json.dumps(schema, sort_keys=True)
    return f"Answer with one fenced block of JSON, and nothing else, by this schema:\n{text}"
