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
from ...datasets.scoring.catalogue import open_catalogue
from ..contexts import token_estimate
from ..repository_tasks.grading import Grader
from ..repository_tasks.task_file import is_task_folder, read_tasks
from .behaviours import BEHAVIOURS, Call, Exchange
from .subjects import EnvironmentSubjects, RepositorySubjects, Subjects

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request


class UnknownError(SliceFuncError):
    """A question that is about none of the environments, or a model that is not simulated."""

    advice = "ask what slice-func eval asks, about the dataset that is served"


@dataclass(slots=True)
class SimulatedModels:
    """Answers questions about some subjects."""

    subjects: Subjects
    requests: int = 0
    """Requests so far."""
    answered: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """Answers by idempotency key."""
    _asked: Counter[str] = field(default_factory=Counter[str])
    _lock: threading.Lock = field(default_factory=threading.Lock)

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
        text = "\n".join(str(each.get("content") or "") for each in messages)
        subject = self.subjects.find(text)
        if subject is None:
            raise UnknownError("the question names nothing that is served")
        exchange = Exchange(
            subject,
            messages,
            [each["function"]["name"] for each in body.get("tools") or ()],
            parameter,
            self._draw(subject.id, body),
        )
        made = _completion(model, messages, BEHAVIOURS[name](exchange))
        if key:
            with self._lock:
                self.answered[key] = made
        return made

    def _draw(self, identity: str, body: dict[str, Any]) -> float:
        """Return a number that each sample draws anew: by its seed, or else by its turn."""
        about = json.dumps([identity, body["messages"]], sort_keys=True)
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

    if is_task_folder(location):
        tasks = {task.id: task for task in read_tasks(location)}
        models = SimulatedModels(RepositorySubjects(tasks, Grader()))
    else:
        models = SimulatedModels(EnvironmentSubjects(open_catalogue(location)))
    with listening(host, port) as (listener, url):
        names = ", ".join(BEHAVIOURS)
        report(f"simulated models on {url}/v1: {names}")
        config = uvicorn.Config(
            make_app(models), log_level="warning", access_log=False, lifespan="off"
        )
        uvicorn.Server(config).run([listener])
