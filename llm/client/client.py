"""The client of a model: one question, one checked answer, paid for once."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from .answer_cache import Cache
from .chat import ChatAnswer, ChatRequest, chat_answer, wire_request
from .cost_account import Account
from .model_service import ModelService, NoReply, Schema, WireRequest, fenced_question
from .model_settings import Settings
from .questions import Answer, AnswerT, Problem, Reply, Request, Usage, schema_of

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n[ \t]*```", re.DOTALL)
_LOST: dict[str, Problem] = {"length": "truncated", "content_filter": "refused"}


class Client:
    """Asks a model; close it to end its thread."""

    def __init__(self, settings: Settings, cache: Cache, run: str | None = None) -> None:
        """Args: `run` names the run, for processes that share a budget."""
        self.settings = settings
        self._service = ModelService(settings, cache, run or uuid.uuid4().hex)

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
        wires = [self._wire(request) for request in requests]
        allowed = [account.reserve(each.worst) for each in wires]
        found, failure = self._service.replies(
            [each for each, is_allowed in zip(wires, allowed, strict=True) if is_allowed]
        )
        replies = iter(found)
        answers: list[Answer[AnswerT]] = []
        for request, wire, is_allowed in zip(requests, wires, allowed, strict=True):
            answer: Answer[AnswerT] = Answer(None, *_OVER_BUDGET)
            if is_allowed:
                reply, is_stored = next(replies)
                usage = self._settled(wire, request.purpose, reply, account, is_stored=is_stored)
                answer = _read(request, reply, usage, is_stored=is_stored)
            answers.append(answer)
        if failure is not None:
            raise failure
        return answers

    def chat(self, request: ChatRequest, account: Account) -> ChatAnswer:
        """Return the next turn of a conversation; an earlier one is read from the cache.

        Raises:
            ModelServiceError: the service rejects all requests.
        """
        wire = wire_request(request, self._service)
        if not account.reserve(wire.worst):
            return ChatAnswer("", problem=_OVER_BUDGET[0], detail=_OVER_BUDGET[1])
        (found,), failure = self._service.replies([wire])
        reply, is_stored = found
        usage = self._settled(wire, request.purpose, reply, account, is_stored=is_stored)
        if failure is not None:
            raise failure
        return chat_answer(reply, usage, is_stored=is_stored)

    def close(self) -> None:
        """Stop the thread and close its connections."""
        self._service.close()

    def _wire(self, request: Request[Any]) -> WireRequest:
        settings = self.settings
        schema = schema_of(request.form)
        texts = [*(message.text for message in request.messages), fenced_question(schema)]
        return WireRequest(
            request.key(settings.model, settings.temperature, settings.seed),
            request.messages,
            self._service.most_usage(texts, request.most_tokens),
            Schema(request.form.__name__, schema),
            temperature=settings.temperature,
            seed=settings.seed,
        )

    def _settled(
        self,
        wire: WireRequest,
        purpose: str,
        reply: Reply | NoReply,
        account: Account,
        *,
        is_stored: bool,
    ) -> Usage:
        """Count a reply, and return what it has taken."""
        is_reply = isinstance(reply, Reply)
        usage = self._service.usage(reply) if is_reply else Usage()
        account.settle(wire.worst, purpose, usage, is_stored=is_stored or not is_reply)
        return usage


_OVER_BUDGET: tuple[Problem, str] = ("over_budget", "that of this function is used up")


def _read(
    request: Request[Any], reply: Reply | NoReply, usage: Usage, *, is_stored: bool
) -> Answer[Any]:
    """Return the answer that a reply holds, or what is wrong with it."""
    if isinstance(reply, NoReply):
        return Answer(None, reply.problem, reply.detail)

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
