"""The service over HTTP: `POST /score`, `/environments`, `/health`, `/ready`, `/metrics`."""

from __future__ import annotations

import asyncio
import hmac
import json
from bisect import bisect_right
from collections.abc import Awaitable, Callable
from typing import Any, cast

from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...datasets.scoring.catalogue import SHORTEST_START
from .reward_service import RewardService, ScoreRequest

BODY_BYTES = 8 << 20
"""Largest body of a request."""
BODIES_BYTES = 32 * BODY_BYTES
"""Most bytes of bodies that are being read, of all requests together."""
BODY_SECONDS = 60.0
"""Longest time for a body to come."""
CANDIDATE_BYTES = 1 << 20
"""Largest candidate."""
_FIELDS = {"environment", "candidate"}
_FORM = 'send {"environment": id, "candidate": text}, or a list of them'
_LONGEST_ID = 80
IDS = 1000
"""Most ids in one answer."""
_CLOSE = {"Connection": "close"}


class _Refused(Exception):  # noqa: N818 - a request is refused; nothing failed
    """A request that gets no score: the status, and one line that says why."""

    def __init__(self, status: int, problem: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(problem)
        self.status = status
        self.headers = headers


def make_app(service: RewardService, token: str | None) -> Starlette:
    """Return the application.

    Args:
        service: scores candidates.
        token: what clients must send as `Authorization: Bearer …`; `None` for nothing.
    """
    handlers = _Handlers(service, token)
    return Starlette(
        routes=[
            Route("/score", handlers.score, methods=["POST"]),
            Route("/environments", handlers.environments),
            Route("/health", handlers.health),
            Route("/ready", handlers.ready),
            Route("/metrics", handlers.metrics),
        ],
        exception_handlers={HTTPException: _plain_error},
    )


async def _plain_error(_request: Request, error: Exception) -> Response:
    """Answer an unknown path or method in the form of all other errors."""
    assert isinstance(error, HTTPException)
    content = {"error": error.detail}
    return JSONResponse(content, error.status_code, dict(error.headers or {}))


class _Handlers:
    """The endpoints."""

    def __init__(self, service: RewardService, token: str | None) -> None:
        self._service = service
        self._token = token
        self._body_bytes = 0

    async def score(self, request: Request) -> Response:
        """Score one candidate, or several."""
        answer = await self._or_refusal(request, self._scored)
        self._service.metrics.responses.labels(answer.status_code).inc()
        return answer

    async def health(self, _request: Request) -> Response:
        """Answer as long as the process lives."""
        return JSONResponse({"status": "alive"})

    async def ready(self, _request: Request) -> Response:
        """Answer 200 while a candidate would be accepted."""
        if self._service.is_stopping:
            return JSONResponse({"status": "stopping"}, 503)
        if self._service.room <= 0:
            return JSONResponse({"status": "queue is full"}, 503)
        return JSONResponse({"status": "ready"})

    async def metrics(self, request: Request) -> Response:
        """Answer with all numbers in the format of Prometheus."""
        return await self._or_refusal(request, self._metrics)

    async def _metrics(self, _request: Request) -> Response:
        text = generate_latest(self._service.metrics.registry)
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    async def environments(self, request: Request) -> Response:
        """Answer with ids in their order: those after `after`, at most `limit` of them."""
        return await self._or_refusal(request, self._environments)

    async def _environments(self, request: Request) -> Response:
        after, limit = request.query_params.get("after", ""), request.query_params.get("limit", "")
        number = int(limit) if limit.isascii() and limit.isdigit() and len(limit) < 10 else 0
        if limit and not number:
            raise _Refused(422, "limit must be a whole number from 1")
        ids = self._service.catalogue.ordered
        first = bisect_right(ids, after)
        page = ids[first : first + min(number or IDS, IDS)]
        is_last = first + len(page) >= len(ids)
        return JSONResponse(
            {"environments": page, "of": len(ids), "after": None if is_last else page[-1]}
        )

    async def _or_refusal(
        self, request: Request, handle: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        try:
            self._check_token(request)
            return await handle(request)
        except _Refused as refused:
            return JSONResponse({"error": str(refused)}, refused.status, refused.headers)

    async def _scored(self, request: Request) -> Response:
        self._check_room(1)  # before the body is read: much of it may wait outside
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise _Refused(415, "the body must be JSON: send Content-Type: application/json")
        given = _parsed(await self._body(request))
        requests = [
            self._request(each, f"item {number}: " if isinstance(given, list) else "")
            for number, each in enumerate(_items(given))
        ]
        if len(requests) > self._service.most:
            raise _Refused(
                413, f"{len(requests)} candidates: at most {self._service.most} in one request"
            )
        self._check_room(len(requests))
        self._service.accept(len(requests))
        scores = await self._service.scores(requests)
        return JSONResponse(scores if isinstance(given, list) else scores[0])

    async def _body(self, request: Request) -> bytes:
        """Return the body.

        Raises:
            _Refused: it is too large, or those of all requests are, it takes too long, or its
                client has left.
        """
        pieces: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for piece in request.stream():
                    size += len(piece)
                    self._body_bytes += len(piece)
                    if size > BODY_BYTES:
                        raise _Refused(413, f"the body has more than {BODY_BYTES} bytes")
                    if self._body_bytes > BODIES_BYTES:
                        raise _Refused(429, "too much is being sent at once", self._after())
                    pieces.append(piece)
        except TimeoutError:
            raise _Refused(408, f"the body took more than {BODY_SECONDS} s", _CLOSE) from None
        except ClientDisconnect:
            raise _Refused(400, "the client left before its body was whole") from None
        finally:
            self._body_bytes -= size
        return b"".join(pieces)

    def _check_token(self, request: Request) -> None:
        if self._token is None:
            return
        kind, _, word = request.headers.get("authorization", "").partition(" ")
        is_known = hmac.compare_digest(word.strip().encode(), self._token.encode())
        if kind.lower() != "bearer" or not is_known:
            headers = {"WWW-Authenticate": "Bearer"}
            raise _Refused(401, "a token is needed: send Authorization: Bearer TOKEN", headers)

    def _check_room(self, count: int) -> None:
        if self._service.is_stopping:
            raise _Refused(503, "the service is stopping", self._after())
        if count > self._service.room:
            raise _Refused(
                429, "the queue is full: try again after Retry-After seconds", self._after()
            )

    def _after(self) -> dict[str, str]:
        return {"Retry-After": str(self._service.retry_after)}

    def _request(self, item: object, where: str) -> ScoreRequest:
        """Return one item of a request.

        Raises:
            _Refused: a field is missing, of a wrong type, or names no environment.
        """
        if not isinstance(item, dict):
            raise _Refused(422, f"{where}an object is needed: {_FORM}")
        fields = cast("dict[str, object]", item)
        if fields.keys() != _FIELDS:
            odd = min(fields.keys() ^ _FIELDS)
            what = "is missing" if odd in _FIELDS else "is not known"
            raise _Refused(422, f"{where}the field {odd[:_LONGEST_ID]!r} {what}: {_FORM}")
        for name in sorted(_FIELDS):
            if not isinstance(fields[name], str):
                raise _Refused(422, f"{where}{name} must be text: {_FORM}")
        environment, candidate = str(fields["environment"]), str(fields["candidate"])
        if len(candidate.encode("utf-8", "replace")) > CANDIDATE_BYTES:
            raise _Refused(413, f"{where}the candidate has more than {CANDIDATE_BYTES} bytes")
        return ScoreRequest(self._identity(environment, where), candidate)

    def _identity(self, start: str, where: str) -> str:
        """Return the id that a client means.

        Raises:
            _Refused: no id begins so, or several do.
        """
        found = self._service.catalogue.beginning(start)
        if not found:
            raise _Refused(
                404,
                f"{where}no environment has the id {start[:_LONGEST_ID]!r}: send an id of "
                f"GET /environments, or at least {SHORTEST_START} characters of its beginning",
            )
        if len(found) > 1:
            raise _Refused(409, f"{where}several ids begin with {start!r}: send more of it")
        return found[0]


def _parsed(body: bytes) -> Any:  # noqa: ANN401 - whatever a client sends
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        first = str(error).partition("\n")[0]
        raise _Refused(400, f"the body is no JSON: {first}") from None


def _items(given: object) -> list[object]:
    if not isinstance(given, list):
        return [given]
    if not given:
        raise _Refused(422, f"the list is empty: {_FORM}")
    return cast("list[object]", given)
