"""An OpenAI-protocol service on loopback that says what it is told to say."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Handler = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


@dataclass
class Service:
    """What was asked of it, and what it says next; the last thing is said for ever."""

    says: list[Handler] = field(default_factory=list[Handler])
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    keys: list[str] = field(default_factory=list[str])
    most_at_once: int = 0
    url: str = ""
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def will(self, *handlers: Handler) -> None:
        """Say this from now on."""
        self.says[:] = handlers

    def answer(self, http: BaseHTTPRequestHandler) -> None:
        """One request."""
        body = json.loads(http.rfile.read(int(http.headers["Content-Length"])))
        with self._lock:
            self.asked.append(body)
            self.keys.append(http.headers.get("Authorization", ""))
            handler = self.says.pop(0) if len(self.says) > 1 else self.says[0]
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            handler(http, body)
        finally:
            with self._lock:
                self._at_once -= 1


@contextmanager
def serving(*handlers: Handler) -> Iterator[Service]:
    """A service that runs until the end of the block."""
    service = Service(list(handlers))

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            service.answer(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


def completion(content: str | None, finish: str = "stop", refusal: str | None = None) -> Handler:
    """A completion of ten tokens in and five out."""

    def handler(http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        message = {"role": "assistant", "content": content, "refusal": refusal}
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        send(http, 200, {
            "id": "c", "object": "chat.completion", "created": 0, "model": body["model"],
            "choices": [choice], "usage": usage,
        })  # fmt: skip

    return handler


def saying(value: object) -> Handler:
    """A completion with a value as JSON."""
    return completion(json.dumps(value))


def failing(status: int, message: str = "no", headers: dict[str, str] | None = None) -> Handler:
    """An error of the protocol."""

    def handler(http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        del body
        send(http, status, {"error": {"message": message, "type": "t"}}, headers or {})

    return handler


def dropping(http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """The connection ends without an answer."""
    del body
    http.connection.close()


def slow(seconds: float, then: Handler) -> Handler:
    """Something else, after a while."""

    def handler(http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        time.sleep(seconds)
        then(http, body)

    return handler


def send(
    http: BaseHTTPRequestHandler,
    status: int,
    value: object,
    headers: dict[str, str] | None = None,
) -> None:
    """A response with JSON."""
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    try:
        http.send_response(status)
        for name, text in {"Content-Type": "application/json", **(headers or {})}.items():
            http.send_header(name, text)
        http.send_header("Content-Length", str(len(content)))
        http.end_headers()
        http.wfile.write(content)
    except OSError:  # who asked has gone
        http.close_connection = True
