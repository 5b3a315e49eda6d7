"""Servers in this process, for clients that talk through sessions of requests."""

from __future__ import annotations

import io
import json
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit


class Sent(NamedTuple):
    """A request as it comes in."""

    method: str
    host: str
    path: str
    """Without what is escaped."""
    parts: tuple[str, ...]
    """Of the path, each without what is escaped."""
    query: dict[str, str]
    headers: Any
    body: bytes

    def json(self) -> Any:
        """The body as JSON; an empty object where it is none."""
        try:
            return json.loads(self.body or b"{}")
        except ValueError:
            return {}


class Served(NamedTuple):
    """What goes back."""

    status: int
    headers: dict[str, str]
    body: bytes = b""


def served_json(value: Any, status: int = 200, **headers: str) -> Served:
    """An answer in JSON."""
    kind = {"Content-Type": "application/json; charset=UTF-8"}
    return Served(status, {**kind, **headers}, json.dumps(value).encode())


class MemoryAdapter:
    """An adapter whose servers stand in the process; other hosts are left to the one before."""

    def __init__(self, answer: Any, before: Any) -> None:
        self.answer = answer
        self.before = before

    def send(self, request: Any, *args: Any, **options: Any) -> Any:
        """The response of a request."""
        url = urlsplit(request.url)
        sent = Sent(
            request.method.upper(),
            url.netloc,
            unquote(url.path),
            tuple(unquote(part) for part in url.path.strip("/").split("/")),
            dict(parse_qsl(url.query, keep_blank_values=True)),
            request.headers,
            sent_bytes(request.body),
        )
        served = self.answer(sent)
        if served is None:
            return self.before.send(request, *args, **options)
        from requests.adapters import HTTPAdapter
        from urllib3 import HTTPResponse

        content = b"" if sent.method == "HEAD" else served.body
        headers = {"Content-Length": str(len(served.body)), **served.headers}
        raw = HTTPResponse(
            body=io.BytesIO(content), headers=headers, status=served.status,
            reason=HTTPStatus(served.status).phrase, preload_content=False,
            request_method=sent.method,
        )  # fmt: skip
        return HTTPAdapter().build_response(request, raw)

    def close(self) -> None:
        """Nothing is open."""
        self.before.close()


def sent_bytes(body: Any) -> bytes:
    """What is sent, whatever it comes as."""
    if body is None:
        return b""
    if hasattr(body, "read"):
        body = body.read()
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    return b"".join(map(sent_bytes, body))


def serve_session(session: Any, answer: Any) -> None:
    """Have a session's requests answered by a function, where that does not give `None`."""
    before = session.get_adapter
    # whatever adapters are mounted later
    session.get_adapter = lambda url: MemoryAdapter(answer, before(url))


def byte_range(headers: Any, size: int) -> tuple[int, int] | None:
    """Begin and end of the part that is asked for; `None` for all of it."""
    asked = headers.get("x-ms-range") or headers.get("Range") or headers.get("range") or ""
    unit, _, span = asked.partition("=")
    if unit != "bytes":
        return None
    first, _, last = span.partition("-")
    if not first:
        return max(0, size - int(last)), size
    return int(first), min(size, int(last) + 1) if last else size
