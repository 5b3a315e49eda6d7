"""Answers for requests, below its adapter."""

from __future__ import annotations

import json
import re
from typing import Any

from .world import chosen, record, undo_with


def answer_requests(bodies: dict[str, Any]) -> None:
    """Answer every request: the body is the variant that the case has chosen."""
    import responses

    def answer(request: Any) -> tuple[int, dict[str, str], str]:
        record("request", f"{request.method} {request.url}", request.body)
        body = chosen("requests", bodies)
        return 200, {"Content-Type": "application/json"}, json.dumps(body)

    mock = responses.RequestsMock(assert_all_requests_are_fired=False)
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"):
        mock.add_callback(method, re.compile(".*"), callback=answer)
    mock.start()
    undo_with(mock.stop)
    undo_with(mock.reset)
