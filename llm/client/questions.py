"""Questions to a model and their answers; every failure is a value."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

Problem = Literal[
    "refused", "truncated", "malformed", "unavailable", "late", "over_budget", "not_cached"
]
"""Why there is no answer: the model will not, came to its bound, or answered in another form; the
service failed, or did not answer in time; the budget is used up; or the cache alone was asked, and
has none."""

AnswerT = TypeVar("AnswerT", bound=BaseModel)


@cache
def schema_of(form: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a form; to be read only."""
    return form.model_json_schema()


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Request(Generic[AnswerT]):
    """A question, and the form of its answer."""

    messages: tuple[Message, ...]
    form: type[AnswerT]
    purpose: str
    """The gap that it is asked for; no part of what is sent."""
    most_tokens: int = 4000
    """Of the answer."""

    def key(self, model: str, temperature: float | None, seed: int | None) -> str:
        """SHA-256 of all that decides about the answer; where it is asked for is no part of it."""
        content = {
            "model": model,
            "messages": [asdict(message) for message in self.messages],
            "form": schema_of(self.form),
            "most_tokens": self.most_tokens,
            "temperature": temperature,
            "seed": seed,
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def after(self, answer: str, error: str) -> Request[AnswerT]:
        """The same question, with what was wrong with an answer."""
        more = (Message("assistant", answer), Message("user", error))
        return Request((*self.messages, *more), self.form, self.purpose, self.most_tokens)


@dataclass(frozen=True, slots=True)
class Usage:
    """What answers took, whether they came from the service or were stored before."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """USD."""
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """The sum of both."""
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
            self.seconds + other.seconds,
        )

    def __sub__(self, other: Usage) -> Usage:
        """What is left."""
        return self + Usage(
            -other.calls, -other.input_tokens, -other.output_tokens, -other.cost, -other.seconds
        )

    def to_json(self) -> dict[str, Any]:
        """Its fields; money in a millionth of a dollar, time in thousandths of a second."""
        return {**asdict(self), "cost": round(self.cost, 6), "seconds": round(self.seconds, 3)}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a service has said to one request, as it is stored."""

    text: str
    finish: str
    """Why it ends: `stop`, `length`, `content_filter`, and whatever else services say."""
    refusal: str
    input_tokens: int
    output_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Answer(Generic[AnswerT]):
    """An answer of the form that was asked for, or why there is none."""

    value: AnswerT | None
    problem: Problem | None = None
    detail: str = ""
    """What people should know of the problem."""
    text: str = ""
    """What the model has said, whatever that is."""
    usage: Usage = Usage()
    is_stored: bool = False
    """Whether it was paid for before."""
