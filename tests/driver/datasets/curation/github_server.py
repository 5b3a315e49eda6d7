"""A server on loopback that speaks GitHub's search of repositories."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass
class GitHub:
    """What the server holds, is told, and has been asked."""

    repositories: list[dict[str, Any]]
    refusals: list[tuple[int, dict[str, str], str]] = field(default_factory=list)
    """Status, headers and message of the next answers, before any other."""
    limit_after: int | None = None
    """Number of answers after which the primary limit is used up, once."""
    asked: list[tuple[str, int]] = field(default_factory=list)
    """Query and page of each request."""
    tokens: list[str | None] = field(default_factory=list)
    url: str = ""


def repository(number: int, **fields: Any) -> dict[str, Any]:
    """Return a result of the search."""
    return {
        "full_name": f"owner/name{number}",
        "clone_url": f"https://github.com/owner/name{number}.git",
        "fork": False,
        "archived": False,
        "size": 100,
        "license": {"key": "mit", "name": "MIT License", "spdx_id": "MIT"},
        "created_at": f"2024-01-{1 + number % 28:02}T10:00:00Z",
        "pushed_at": "2024-06-01T10:00:00Z",
        "stargazers_count": number,
        "language": "Python",
        "node_id": "not kept",
        **fields,
    }


@contextmanager
def serving(github: GitHub) -> Iterator[GitHub]:
    """Serve until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = {
                name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()
            }
            github.tokens.append(self.headers.get("Authorization"))
            if urlsplit(self.path).path != "/search/repositories":
                self._answer(404, {}, {"message": "Not Found"})
                return
            github.asked.append((asked["q"], int(asked["page"])))
            if github.refusals:
                status, headers, message = github.refusals.pop(0)
                self._answer(status, headers, {"message": message})
                return
            found = [each for each in github.repositories if _is_within(each, asked["q"])]
            size, page = int(asked["per_page"]), int(asked["page"])
            items = found[size * (page - 1) : size * page] if size * page <= 1000 else []
            self._answer(200, self._limits(), {"total_count": len(found), "items": items})

        def _limits(self) -> dict[str, str]:
            if github.limit_after is None or len(github.asked) != github.limit_after:
                return {"X-RateLimit-Remaining": "9"}
            # the server's own clock counts, which is an hour ahead of time
            ahead = {"Date": "Mon, 01 Jan 2024 01:00:00 GMT", "X-RateLimit-Reset": "1704070842"}
            return {"X-RateLimit-Remaining": "0", **ahead}

        def _answer(self, status: int, headers: dict[str, str], content: object) -> None:
            body = json.dumps(content).encode()
            self.send_response_only(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    github.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _is_within(found: dict[str, Any], query: str) -> bool:
    """Whether a repository is in the window of the query, if that has one."""
    for word in query.split():
        if word.startswith("created:"):
            start, _, end = word.removeprefix("created:").partition("..")
            return start <= found["created_at"][:10] <= end
    return True
