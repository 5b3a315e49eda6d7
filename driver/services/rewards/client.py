"""A client for trainers, of the standard library alone: copy it, or import it."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

_BUSY = (429, 503)


@dataclass(frozen=True)
class Reward:
    """What the service says of a candidate."""

    verdict: str
    reward: float | None
    """1 or 0; `None` where nothing is known, which is no fault of the candidate: leave it out."""
    answer: dict[str, Any]
    """All fields of the answer."""


def score(
    url: str, environment: str, candidate: str, token: str = "", seconds: float = 600
) -> Reward:
    """Return the reward of a candidate; wait and try again while the service is busy.

    Raises:
        urllib.error.HTTPError: the request is wrong, or the service was busy for all the seconds.
        urllib.error.URLError: nothing answers.
    """
    end = time.monotonic() + seconds
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    body = json.dumps({"environment": environment, "candidate": candidate}).encode()
    request = urllib.request.Request(f"{url}/score", body, headers)  # noqa: S310 - the caller's
    while True:
        left = end - time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=max(left, 1)) as response:  # noqa: S310
                answer = json.load(response)
            return Reward(answer["verdict"], answer["reward"], answer)
        except urllib.error.HTTPError as error:
            wait = float(error.headers.get("Retry-After", 1))
            if error.code not in _BUSY or wait > left:
                raise
            time.sleep(wait)
