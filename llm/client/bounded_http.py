"""An HTTP client whose requests end: after a time, and after a number of bytes.

The timeouts of HTTP libraries are for each read: a service that sends a byte now and then never
exceeds them.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Any

from openai import APIConnectionError, DefaultAsyncHttpxClient

if TYPE_CHECKING:
    from httpx2 import Request, Response

MOST_BYTES = 64 << 20
"""Size of a response's body, decompressed."""
_OF_THE_BYTES = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""Headers that describe the body as it was sent."""


class BoundedClient(DefaultAsyncHttpxClient):
    """Reads each response as a whole, within the bounds."""

    def __init__(self, seconds: float) -> None:
        """Args: `seconds` is the time limit of one request, from its start to its last byte."""
        super().__init__(timeout=seconds)
        self._seconds = seconds

    async def send(
        self,
        request: Request,
        *,
        stream: bool = False,
        **options: Any,  # noqa: ANN401 - those of the library
    ) -> Response:
        """Return the response; nothing of it is left to read.

        Raises:
            ReadTimeout: the time is over; the caller may try again.
            APIConnectionError: the response is too large.
        """
        del stream
        try:
            async with asyncio.timeout(self._seconds):
                response = await super().send(request, stream=True, **options)
                try:
                    return await _read(response)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise _http_library().ReadTimeout("no whole response", request=request) from None


async def _read(response: Response) -> Response:
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > MOST_BYTES:
            message = f"the response has more than {MOST_BYTES >> 20} MiB"
            raise APIConnectionError(message=message, request=response.request)
        parts.append(part)
    headers = response.headers.multi_items()
    return type(response)(
        response.status_code,
        headers=[(name, value) for name, value in headers if name.lower() not in _OF_THE_BYTES],
        content=b"".join(parts),
        request=response.request,
        extensions=response.extensions,
        history=response.history,
    )


def _http_library() -> Any:  # noqa: ANN401 - httpx or httpx2, by the version of openai
    """Return the library whose exceptions `openai` expects."""
    base = next(each for each in DefaultAsyncHttpxClient.__mro__ if each.__name__ == "AsyncClient")
    return import_module(base.__module__.partition(".")[0])
