"""GitHub's REST API over HTTP: one request at a time, within its limits.

GitHub says in headers when a client may ask again: `Retry-After` for secondary limits,
`X-RateLimit-Reset` for the primary one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

from .....slicer.errors import OptionError, SliceFuncError

_SECONDS = 60
"""Time limit for one answer."""
_ATTEMPTS = 6
_LONGEST_WAIT = 3700
"""The primary limit is reset each hour."""
_SECONDARY_WAIT = 60
"""GitHub's advice for a secondary limit without `Retry-After`; doubled each time."""
_ADVICE = "set GITHUB_TOKEN to a token of yours"


class GitHubError(SliceFuncError):
    """GitHub cannot be reached, or does not answer as it should."""

    exit_status = 4
    advice = "try again later: finished pages are kept"


@dataclass(slots=True)
class GitHubClient:
    """A client of one API."""

    base: str
    token: str | None
    report: Callable[[str], None]
    sleep: Callable[[float], None] = time.sleep
    _free_at: float = field(default=0.0, init=False)
    """Seconds to wait before the next request, since the limit is used up."""

    def __post_init__(self) -> None:
        """Check the address.

        Raises:
            OptionError: it is not one of HTTP.
        """
        if urlsplit(self.base).scheme not in ("http", "https") or not urlsplit(self.base).hostname:
            raise OptionError(
                f"{self.base} is no address of an API", "name it as https://HOST/PATH"
            )

    def get(self, path: str, query: Mapping[str, str | int]) -> dict[str, Any]:
        """Return the JSON object at a path, when the limits allow it.

        Raises:
            GitHubError: it refuses the request, or fails again and again.
            OptionError: the token or the query is wrong.
        """
        address = f"{self.base.rstrip('/')}/{path}?{urlencode(query)}"
        if self._free_at:
            self._wait(self._free_at, "its rate limit")
            self._free_at = 0.0
        last = ""
        for attempt in range(_ATTEMPTS):
            try:
                # the scheme is checked above
                with urlopen(self._request(address), timeout=_SECONDS) as answer:  # noqa: S310
                    content = answer.read()
                    self._note_limit(answer.headers)
                return self._object(content, address)
            except HTTPError as error:
                with error:
                    last = self._refusal(error, attempt)
            except (OSError, HTTPException, ValueError) as error:
                last = f"{getattr(error, 'reason', None) or error}"
                self._wait(2**attempt, f"it ({last})")
        raise GitHubError(f"{urlsplit(self.base).hostname} failed {_ATTEMPTS} times: {last}")

    def _request(self, address: str) -> Request:
        headers = {"Accept": "application/vnd.github+json", "User-Agent": "slice-func"}
        request = Request(address, headers={**headers, "X-GitHub-Api-Version": "2022-11-28"})  # noqa: S310
        if self.token:  # other hosts that a redirection names do not get it
            request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        return request

    def _object(self, content: bytes, address: str) -> dict[str, Any]:
        found: Any = json.loads(content)
        if not isinstance(found, dict):
            raise GitHubError(f"{address} answers with no object", "check --github-api")
        return found  # pyright: ignore[reportUnknownVariableType] - JSON

    def _refusal(self, error: HTTPError, attempt: int) -> str:
        """Wait as long as a refused request has to; return the reason.

        Raises:
            GitHubError: no waiting helps.
            OptionError: the token or the query is wrong.
        """
        message = _message(error)
        told = f"{error.code} {message}"
        wait = _wait_of(error, message, attempt)
        if wait is not None:
            if wait > _LONGEST_WAIT:
                raise GitHubError(f"GitHub asks to wait for {wait:.0f} s: {told}", _ADVICE)
            self._wait(wait, "its rate limit")
        elif error.code == 401:
            raise OptionError(f"GitHub refuses the token: {told}", _ADVICE)
        elif error.code == 422:
            raise OptionError(
                f"GitHub refuses the query: {told}",
                "see https://docs.github.com/search-github/searching-on-github",
            )
        elif error.code in (403, 404):
            raise GitHubError(f"GitHub refuses the request: {told}", _ADVICE)
        else:
            self._wait(2**attempt, f"it ({told})")
        return told

    def _note_limit(self, headers: Message) -> None:
        if headers.get("X-RateLimit-Remaining") == "0":
            self._free_at = _until_reset(headers) or 0.0

    def _wait(self, seconds: float, reason: str) -> None:
        seconds = min(max(seconds, 0.0), _LONGEST_WAIT)
        if seconds >= 1:
            self.report(f"GitHub: waits {seconds:.0f} s for {reason}")
        self.sleep(seconds)


def _message(error: HTTPError) -> str:
    try:
        return str(json.loads(error.read())["message"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return str(error.reason)


def _wait_of(error: HTTPError, message: str, attempt: int) -> float | None:
    """Return how long a limit asks to wait; `None` if no limit refused the request."""
    if error.code not in (403, 429):
        return None
    after = error.headers.get("Retry-After", "")
    if after.isdigit():
        return float(after)
    if error.headers.get("X-RateLimit-Remaining") == "0":
        return _until_reset(error.headers)
    is_secondary = error.code == 429 or "rate limit" in message.lower()
    return _SECONDARY_WAIT * 2.0**attempt if is_secondary else None


def _until_reset(headers: Message) -> float | None:
    """Return the seconds until the limit is reset, by the server's clock."""
    try:
        reset = float(headers.get("X-RateLimit-Reset", ""))
    except ValueError:
        return None
    try:
        now = parsedate_to_datetime(headers.get("Date", "")).timestamp()
    except (ValueError, TypeError):
        now = time.time()
    return max(reset - now, 0.0) + 1
