"""A client for trainers, of the standard library alone: copy it, or import it."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

_BUSY = (429, 503)


class RewardServiceError(Exception):
    """The service has refused a request."""

    def __init__(self, status: int, problem: str) -> None:
        """Take the status of HTTP, and what the service says of it."""
        super().__init__(f"{status}: {problem}")
        self.status = status
        self.problem = problem


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

    Args:
        url: address of the service.
        environment: id of the environment, or at least 8 characters with which no other begins.
        candidate: text of the candidate.
        token: the token of the service.
        seconds: how long to wait.

    Raises:
        RewardServiceError: the request is wrong, or the service was busy for all the seconds.
        urllib.error.URLError: nothing answers.
    """
    end = time.monotonic() + seconds
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    body = json.dumps({"environment": environment, "candidate": candidate}).encode()
    request = urllib.request.Request(f"{url.rstrip('/')}/score", body, headers)  # noqa: S310 - the caller's
    while True:
        left = end - time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=max(left, 1)) as response:  # noqa: S310
                answer = json.load(response)
            return Reward(answer["verdict"], answer["reward"], answer)
        except urllib.error.HTTPError as error:
            wait = float(error.headers.get("Retry-After", 1))
            if error.code not in _BUSY or wait > left:
                raise RewardServiceError(error.code, _problem(error)) from None
            time.sleep(wait)


def _problem(error: urllib.error.HTTPError) -> str:
    """Return the line with which the service says why; what HTTP says, if there is none."""
    try:
        return str(json.load(error)["error"])
    except (OSError, ValueError, LookupError, TypeError):
        return str(error.reason)
