"""The client of an OpenAI-compatible service: one question, one checked answer, paid for once.

Requests run in a thread with an event loop, so that many can be under way at once from synchronous
callers. Structured answers are requested by JSON schema; a service without schema support is asked
for a fenced block of JSON.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import threading
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ..errors import ModelServiceError
from .answer_cache import Cache
from .cost_account import Account
from .model_settings import Settings
from .questions import Answer, AnswerT, Message, Problem, Reply, Request, Usage, schema_of

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.shared_params import ResponseFormatJSONSchema

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL)
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
_LOST: dict[str, Problem] = {"length": "truncated", "content_filter": "refused"}
_HIDDEN = "…"


_ReplyOrError = Reply | Answer[Any]
"""The service's reply, or why there is none."""


@dataclass(frozen=True, slots=True)
class _PreparedRequest:
    """A request with the data needed to answer it."""

    request: Request[Any]
    key: str
    worst: Usage


class Client:
    """Asks a model; close it to end its thread."""

    def __init__(self, settings: Settings, cache: Cache, run: str | None = None) -> None:
        """Args: `run` names the run, for processes that share a budget."""
        self.settings = settings
        self._cache = cache
        self._run = run or uuid.uuid4().hex
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._service: AsyncOpenAI | None = None
        self._turns = asyncio.Semaphore(settings.concurrency)
        self._waiting = ThreadPoolExecutor(settings.concurrency, "model-service-lock")
        """Threads for waiting on locks only: a waiter must not block the holder's thread."""
        self._knows_schemas = True
        self._rejected: ModelServiceError | None = None
        """Why the service rejects all requests: then no more are sent."""

    def ask(self, request: Request[AnswerT], account: Account) -> Answer[AnswerT]:
        """Return the answer to one question; earlier answers are read from the cache.

        Raises:
            ModelServiceError: the service rejects all requests.
        """
        return self.ask_all([request], account)[0]

    def ask_all(
        self, requests: Sequence[Request[AnswerT]], account: Account
    ) -> list[Answer[AnswerT]]:
        """Return the answers to some questions, in their order, requested concurrently.

        Raises:
            ModelServiceError: the service rejects all requests.
        """
        prepared = [self._prepared(request) for request in requests]
        allowed = [account.reserve(each.worst) for each in prepared]
        replies: list[tuple[_ReplyOrError, bool]] = []
        for each, is_allowed in zip(prepared, allowed, strict=True):
            reply = self._cache.get(each.key) if is_allowed else None
            replies.append((reply, True) if reply is not None else (_NOTHING_YET, False))
        left = [n for n, (found, _) in enumerate(replies) if allowed[n] and found is _NOTHING_YET]
        failure: ModelServiceError | None = self._rejected
        if self.settings.is_replay:
            for n in left:
                replies[n] = _none("not_cached", "the cache has no answer to this"), False
        elif left and failure is None:
            found, failure = self._in_thread([prepared[n] for n in left])
            for n, each in zip(left, found, strict=True):
                replies[n] = each
        answers: list[Answer[AnswerT]] = []
        for each, is_allowed, (found, is_stored) in zip(prepared, allowed, replies, strict=True):
            answer: Answer[AnswerT] = _none("over_budget", "that of this function is used up")
            if is_allowed:
                answer = self._count_reply(each, found, account, is_stored=is_stored)
            answers.append(answer)
        if failure is not None:
            self._rejected = failure
            raise failure
        return answers

    def close(self) -> None:
        """Stop the thread and close its connections."""
        loop, self._loop = self._loop, None
        if loop is None or self._thread is None:
            return
        if self._service is not None:
            with suppress(Exception):  # the connection may be closed already
                asyncio.run_coroutine_threadsafe(self._service.close(), loop).result(5)
        self._waiting.shutdown(wait=False)
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join()
        loop.close()
        self._service = self._thread = None

    # -------------------------------------------------------------------- answers

    def _prepared(self, request: Request[Any]) -> _PreparedRequest:
        settings = self.settings
        texts = [message.text for message in request.messages]
        texts.append(_fenced_question(schema_of(request.form)))
        tokens = sum(map(_most_tokens, texts))
        worst = Usage(1, tokens, request.most_tokens, self._cost(tokens, request.most_tokens))
        key = request.key(settings.model, settings.temperature, settings.seed)
        return _PreparedRequest(request, key, worst)

    def _count_reply(
        self, prepared: _PreparedRequest, reply: _ReplyOrError, account: Account, *, is_stored: bool
    ) -> Answer[Any]:
        """Count a reply, and return the answer that it holds."""
        if isinstance(reply, Answer):
            account.settle(prepared.worst, prepared.request.purpose, Usage(), is_stored=True)
            return reply
        usage = self._usage(reply)
        account.settle(prepared.worst, prepared.request.purpose, usage, is_stored=is_stored)
        return _read(prepared.request, reply, usage, is_stored=is_stored)

    def _usage(self, reply: Reply) -> Usage:
        cost = self._cost(reply.input_tokens, reply.output_tokens)
        return Usage(1, reply.input_tokens, reply.output_tokens, cost, reply.seconds)

    def _cost(self, input_tokens: int, output_tokens: int) -> float:
        price = self.settings.price
        return price.of(input_tokens, output_tokens) if price else 0.0

    # -------------------------------------------------------------------- the service

    def _in_thread(
        self, prepared: Sequence[_PreparedRequest]
    ) -> tuple[list[tuple[_ReplyOrError, bool]], ModelServiceError | None]:
        """Return replies, or stored ones found meanwhile, and the error of a rejection."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=self._loop.run_forever, name="model-service", daemon=True
            )
            self._thread.start()

        async def all_of_them() -> list[tuple[_ReplyOrError, bool] | BaseException]:
            return await asyncio.gather(*map(self._one, prepared), return_exceptions=True)

        found = asyncio.run_coroutine_threadsafe(all_of_them(), self._loop).result()
        replies: list[tuple[_ReplyOrError, bool]] = []
        failure: ModelServiceError | None = None
        for each in found:
            if isinstance(each, ModelServiceError):
                failure = failure or each
                replies.append((_none("unavailable", str(each)), False))
            elif isinstance(each, BaseException):
                raise each
            else:
                replies.append(each)
        return replies, failure

    async def _one(self, prepared: _PreparedRequest) -> tuple[_ReplyOrError, bool]:
        async with self._turns:
            lock = self._cache.locked(prepared.key)
            await asyncio.get_running_loop().run_in_executor(self._waiting, lock.__enter__)
            try:
                known = self._cache.get(prepared.key)  # another process may have asked meanwhile
                if known is not None:
                    return known, True
                if not self._has_money(prepared.worst):
                    return _none("over_budget", "the budget of the run is used up"), False
                found: _ReplyOrError = _none("unavailable", "the service takes no request")
                try:
                    found = await self._sent(prepared)
                    if isinstance(found, Reply):
                        self._cache.put(prepared.key, self.settings.model, found)
                finally:
                    self._refund(prepared.worst, found)
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

    def _refund(self, worst: Usage, found: _ReplyOrError) -> None:
        """Return the unused part of a call's reserve to the budget."""
        budget = self.settings.per_run
        if (budget.calls, budget.tokens, budget.usd) == (None, None, None):
            return
        if isinstance(found, Answer) and found.problem == "late":
            return  # the service's own count is unknown
        less = self._usage(found) - worst if isinstance(found, Reply) else Usage() - worst
        back = (less.calls, less.input_tokens + less.output_tokens, less.cost)
        self._cache.spend(self._run, back, (math.inf, math.inf, math.inf))

    async def _sent(self, prepared: _PreparedRequest) -> _ReplyOrError:
        """Return the service's reply to a request."""
        import openai

        try:
            if self._knows_schemas:
                try:
                    return await self._completed(prepared, is_schema=True)
                except openai.APIStatusError as error:
                    if error.status_code not in _NO_SCHEMA:
                        raise
                found = await self._completed(prepared, is_schema=False)
                self._knows_schemas = False
                return found
            return await self._completed(prepared, is_schema=False)
        except openai.APITimeoutError:
            return _none("late", "the service does not answer in time")
        except openai.APIStatusError as error:
            if error.status_code in _REJECTED:
                raise ModelServiceError(self._rejection(error.status_code)) from None
            message = self._without_key(error.message)
            return _none("unavailable", f"the service answers {error.status_code}: {message}")
        except openai.APIError as error:
            where = self.settings.base_url or "OpenAI"
            problem = self._without_key(f"{type(error).__name__} at {where}: {error}")
            return _none("unavailable", problem)
        except (ValueError, TypeError, AttributeError):  # the library accepts any page as an answer
            return _none("unavailable", "the service answers with what is no completion")
        except Exception as error:
            if type(error).__name__ != "InvalidURL":  # of either HTTP library
                raise
            return _none("unavailable", self._without_key(f"InvalidURL: {error}"))

    async def _completed(self, prepared: _PreparedRequest, *, is_schema: bool) -> Reply:
        """Return one completion; the library retries where that can help."""
        from openai import omit

        request = prepared.request
        schema = schema_of(request.form)
        sent = [_sent_message(message) for message in request.messages]
        shaped: ResponseFormatJSONSchema = {
            "type": "json_schema",
            "json_schema": {
                "name": request.form.__name__, "schema": _closed(schema), "strict": True,
            },
        }  # fmt: skip
        if not is_schema:
            sent.append({"role": "user", "content": _fenced_question(schema)})
        settings = self.settings
        is_openai = settings.base_url is None or "//api.openai.com" in settings.base_url
        start = time.monotonic()
        found = await self._made_service().chat.completions.create(
            model=settings.model,
            messages=sent,
            response_format=shaped if is_schema else omit,
            temperature=omit if settings.temperature is None else settings.temperature,
            seed=omit if settings.seed is None else settings.seed,
            max_completion_tokens=request.most_tokens if is_openai else omit,
            max_tokens=omit if is_openai else request.most_tokens,  # the only name that others know
        )
        seconds = time.monotonic() - start
        if not found.choices:  # perhaps a gateway's error: it must not be cached
            raise ValueError("no choices")
        choice, usage = found.choices[0], found.usage
        counted = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
        most = (prepared.worst.input_tokens, prepared.worst.output_tokens)
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
        )

    def _made_service(self) -> AsyncOpenAI:
        if self._service is None:
            from openai import AsyncOpenAI

            if not (self.settings.key or self.settings.base_url):
                raise ModelServiceError(
                    "--llm: OpenAI wants a key",
                    "set OPENAI_API_KEY, or name another service with --llm-base-url",
                )

            self._service = AsyncOpenAI(
                api_key=self.settings.key or "none",  # a local server needs none
                base_url=self.settings.base_url,
                timeout=self.settings.timeout,
                max_retries=self.settings.retries,
            )
        return self._service

    def _rejection(self, status: int) -> str:
        where = self.settings.base_url or "OpenAI"
        return f"--llm: {where} answers {status} to {self.settings.model}: {_REJECTED[status]}"

    def _without_key(self, text: str) -> str:
        key = self.settings.key
        line = " ".join(text.split())
        return (line.replace(key, _HIDDEN) if key else line)[:300]


def _none(problem: Problem, detail: str) -> Answer[Any]:
    return Answer(None, problem, detail)


_NOTHING_YET: Answer[Any] = _none("unavailable", "nothing was asked")


def _most_tokens(text: str) -> int:
    """Return an upper bound of tokens: one for three ASCII characters or one other byte."""
    plain = sum(sign.isascii() for sign in text)
    return plain // _CHARACTERS_A_TOKEN + len(text.encode("utf-8", "surrogatepass")) - plain + 8


def _text(value: object) -> str:
    """Return a text that can be stored; `None` becomes an empty one."""
    if value is not None and not isinstance(value, str):
        raise TypeError("no text")
    return (value or "").encode("utf-8", "replace").decode()


def _read(request: Request[Any], reply: Reply, usage: Usage, *, is_stored: bool) -> Answer[Any]:
    """Return the answer that a reply holds, or what is wrong with it."""

    def problem(kind: Problem, detail: str) -> Answer[Any]:
        return Answer(None, kind, detail, reply.text, usage, is_stored)

    if reply.refusal:
        return problem("refused", " ".join(reply.refusal.split())[:300])
    if reply.finish in _LOST:
        return problem(_LOST[reply.finish], f"the answer ends with {reply.finish}")
    fenced = _FENCED.findall(reply.text)
    try:
        value = request.form.model_validate_json(fenced[-1] if fenced else reply.text, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return problem("malformed", f"{place}: {first['msg']}" if place else first["msg"])
    return Answer(value, None, "", reply.text, usage, is_stored)


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
        case "assistant":
            return {"role": "assistant", "content": message.text}
        case "user":
            return {"role": "user", "content": message.text}


def _fenced_question(schema: dict[str, Any]) -> str:
    text = json.dumps(schema, sort_keys=True)
    return f"Answer with one fenced block of JSON, and nothing else, by this schema:\n{text}"
