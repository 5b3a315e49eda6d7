"""The token that clients must send."""

from __future__ import annotations

import os
from pathlib import Path

from ....slicer.errors import OptionError

VARIABLE = "SLICE_FUNC_TOKEN"


def read_token(file: str | None) -> str | None:
    """Return the token in a file, else that of the environment variable, else `None`.

    Raises:
        OptionError: the file cannot be read, or the token is empty or no ASCII.
    """
    if file is None:
        text = os.environ.get(VARIABLE)
        where = VARIABLE
    else:
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
