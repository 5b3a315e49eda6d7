"""Questions to a model and their answers; every failure is a value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

Problem = Literal[
    "refused", "truncated", "malformed", "unavailable", "late", "over_budget", "not_cached"
]
"""Why there is no answer: the model refuses, reaches its limit, or answers in another form; the
service fails, or does not answer in time; the budget is used up; or only the cache is used, and has
none.
"""

AnswerT = TypeVar("AnswerT", bound=BaseModel)


@cache
def schema_of(form: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a form, which must not be changed."""
    return form.model_json_schema()


def content_key(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of JSON data."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that a model asks for."""

    id: str
    name: str
    arguments: str
    """JSON, as the model wrote it: it may be malformed."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    """Calls that an assistant's turn asks for."""
    call: str = ""
    """Id of the call that a tool's turn answers."""

    def to_json(self) -> dict[str, Any]:
        """Return its fields, without empty ones but the text."""
        found: dict[str, Any] = {"role": self.role, "text": self.text}
        if self.calls:
            found["calls"] = [asdict(each) for each in self.calls]
        if self.call:
            found["call"] = self.call
        return found


@dataclass(frozen=True, slots=True)
class Request(Generic[AnswerT]):
    """A question, and the form of its answer."""

    messages: tuple[Message, ...]
    form: type[AnswerT]
    purpose: str
    """The gap that the answer is to fill. It is not sent."""
    most_tokens: int = 4000
    """Maximum number of tokens of the answer."""

    def key(self, model: str, temperature: float | None, seed: int | None) -> str:
        """Return the SHA-256 of everything that determines the answer, without the purpose."""
        return content_key(
            {
                "model": model,
                "messages": [message.to_json() for message in self.messages],
                "form": schema_of(self.form),
                "most_tokens": self.most_tokens,
                "temperature": temperature,
                "seed": seed,
            }
        )

    def after(self, answer: str, error: str) -> Request[AnswerT]:
        """Return the same question, extended by an answer and its error."""
        more = (Message("assistant", answer), Message("user", error))
        return Request((*self.messages, *more), self.form, self.purpose, self.most_tokens)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, cost and time of answers, whether from the service or stored."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """Cost in USD."""
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Return the sum of both."""
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
            self.seconds + other.seconds,
        )

    def __sub__(self, other: Usage) -> Usage:
        """Return the difference."""
        return self + Usage(
            -other.calls, -other.input_tokens, -other.output_tokens, -other.cost, -other.seconds
        )

    def to_json(self) -> dict[str, Any]:
        """Return its fields; cost is rounded to a millionth of a dollar, time to milliseconds."""
        return {**asdict(self), "cost": round(self.cost, 6), "seconds": round(self.seconds, 3)}


@dataclass(frozen=True, slots=True)
class Reply:
    """A service's reply to one request, as it is stored."""

    text: str
    finish: str
    """Why the reply ended: `stop`, `length`, `content_filter`, or another value of the service."""
    refusal: str
    input_tokens: int
    output_tokens: int
    seconds: float
    calls: tuple[ToolCall, ...] = ()
    """Calls of tools that the model asks for."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[AnswerT]):
    """An answer in the requested form, or why there is none."""

    value: AnswerT | None
    problem: Problem | None = None
    detail: str = ""
    """Details of the problem, for people."""
    text: str = ""
    """The model's text, in any form."""
    usage: Usage = Usage()
    is_stored: bool = False
    """Whether the answer was stored before."""
