"""A token that HTTP clients must send as `Authorization: Bearer …`."""

from __future__ import annotations

import hmac
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...slicer.errors import OptionError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

VARIABLE = "SLICE_FUNC_TOKEN"
_REFUSED = b'{"error": "send the token as Authorization: Bearer TOKEN"}\n'


def read_token(file: str | None) -> str | None:
    """Return the token in a file, else that of the environment variable, else `None`.

    Raises:
        OptionError: the file cannot be read, or the token is empty or no ASCII.
    """
    text, where = os.environ.get(VARIABLE), VARIABLE
    if file is not None:
        where = file
        try:
            text = Path(file).read_text("utf-8")
        except (OSError, ValueError) as error:
            raise OptionError(f"{file}: no token: {error}", "write the token into it") from error
    if text is None:
        return None
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise OptionError(
            f"{where}: the token must be printable ASCII without spaces",
            "make one: python -c 'import secrets; print(secrets.token_urlsafe())'",
        )
    return token


class RequireToken:
    """An ASGI application that answers 401 to requests without the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        """Take the application behind it, and the token."""
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        given = next((value for name, value in headers if name == b"authorization"), b"")
        if hmac.compare_digest(given, self._expected):
            await self._app(scope, receive, send)
            return
        about = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": about})
        await send({"type": "http.response.body", "body": _REFUSED})
