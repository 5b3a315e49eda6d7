"""The service of simulated models: `POST /v1/chat/completions`, and `GET /counts` of requests."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ....slicer.errors import SliceFuncError
from ...datasets.exports.answers import wrong_definitions
from ...datasets.scoring.catalogue import Catalogue, open_catalogue
from ...datasets.storage.columns import EnvironmentRow
from ..contexts import token_estimate
from .behaviours import BEHAVIOURS, Call, Exchange

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request

_ASKED = re.compile(
    r"Write the Python (?:method|function) `([^`]+)` of `([^`]+)`"
    r"|`([^`]+)` in `([^`]+)` has a mistake"
)


class UnknownError(SliceFuncError):
    """A question that is about none of the environments, or a model that is not simulated."""

    advice = "ask what slice-func eval asks, about the dataset that is served"


@dataclass(slots=True)
class SimulatedModels:
    """Answers questions about the environments of a dataset."""

    catalogue: Catalogue
    requests: int = 0
    """Requests so far."""
    answered: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """Answers by idempotency key."""
    _rows: dict[tuple[str, str], list[EnvironmentRow]] = field(
        default_factory=dict[tuple[str, str], list[EnvironmentRow]]
    )
    _wrong: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    _asked: Counter[str] = field(default_factory=Counter[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Sort the environments by what a question names."""
        for row in self.catalogue.dataset.rows():
            self._rows.setdefault((row.qualname, row.path), []).append(row)

    def answer(self, body: dict[str, Any], key: str) -> dict[str, Any]:
        """Return the completion for a request.

        Raises:
            UnknownError: it names no environment, or no simulated model.
        """
        with self._lock:
            self.requests += 1
            if key and key in self.answered:
                return self.answered[key]
        model, messages = str(body["model"]), body["messages"]
        name, parameter = _name_and_parameter(model)
        row = self._row(messages)
        exchange = Exchange(
            row,
            self._wrong_answers(row),
            messages,
            [each["function"]["name"] for each in body.get("tools") or ()],
            parameter,
            self._draw(row, body),
        )
        made = _completion(model, messages, BEHAVIOURS[name](exchange))
        if key:
            with self._lock:
                self.answered[key] = made
        return made

    def _row(self, messages: list[dict[str, Any]]) -> EnvironmentRow:
        text = "\n".join(str(each.get("content") or "") for each in messages)
        found = _ASKED.search(text)
        named = [each for each in found.groups() if each] if found else ["", ""]
        rows = self._rows.get((named[0], named[1]), [])
        if not rows:
            raise UnknownError("the question names no environment of the dataset")
        return next((row for row in rows if row.signature.strip() in text), rows[0])

    def _wrong_answers(self, row: EnvironmentRow) -> list[str]:
        with self._lock:
            known = self._wrong.get(row.id)
        if known is None:
            known = wrong_definitions(row, self.catalogue.environment(row.id))
            with self._lock:
                self._wrong[row.id] = known
        return known

    def _draw(self, row: EnvironmentRow, body: dict[str, Any]) -> float:
        """Return a number that each sample draws anew: by its seed, or else by its turn."""
        about = json.dumps([row.id, body["messages"]], sort_keys=True)
        seed = body.get("seed")
        if seed is None:
            with self._lock:
                self._asked[about] += 1
                seed = self._asked[about]
        digest = hashlib.sha256(f"{about}\0{seed}".encode()).digest()
        return int.from_bytes(digest[:8], "big") / 2**64


def _name_and_parameter(model: str) -> tuple[str, float]:
    for name in BEHAVIOURS:
        rest = model.removeprefix(name)
        if rest != model and re.fullmatch(r"(-[01](\.\d+)?)?", rest):
            return name, float(rest.removeprefix("-") or 1)
    raise UnknownError(f"no simulated model {model}", f"there are {', '.join(BEHAVIOURS)}")


def _completion(model: str, messages: list[dict[str, Any]], said: str | Call) -> dict[str, Any]:
    text = said if isinstance(said, str) else ""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if isinstance(said, Call):
        called = {"name": said.name, "arguments": json.dumps(said.arguments)}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": called}]
    tokens_in = sum(token_estimate(str(each.get("content") or "")) for each in messages)
    tokens_out = token_estimate(text) + 1
    return {
        "id": "simulated",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": "tool_calls" if isinstance(said, Call) else "stop",
            }
        ],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        },
    }


def make_app(models: SimulatedModels) -> Starlette:
    """Return the application."""
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def completions(request: Request) -> JSONResponse:
        body = await request.json()
        key = request.headers.get("Idempotency-Key", "")
        try:
            return JSONResponse(await run_in_threadpool(models.answer, body, key))
        except UnknownError as error:
            about = {"message": str(error), "type": "invalid_request_error"}
            return JSONResponse({"error": about}, 404)

    async def counts(_request: Request) -> JSONResponse:
        return JSONResponse({"requests": models.requests, "distinct": len(models.answered)})

    return Starlette(
        routes=[
            Route("/v1/chat/completions", completions, methods=["POST"]),
            Route("/counts", counts),
        ]
    )


def serve(location: str, host: str, port: int, report: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT.

    Raises:
        SliceFuncError: no dataset, or a port that cannot be taken.
    """
    import uvicorn

    from ...places.listener import listening

    models = SimulatedModels(open_catalogue(location))
    with listening(host, port) as (listener, url):
        names = ", ".join(BEHAVIOURS)
        report(f"simulated models on {url}/v1: {names}")
        config = uvicorn.Config(
            make_app(models), log_level="warning", access_log=False, lifespan="off"
        )
        uvicorn.Server(config).run([listener])
