"""What a page of streamlit finds in its session, where the slice does not put it there itself."""

from __future__ import annotations

from typing import Any

__all__ = ["SessionState"]  # what the stand-in for streamlit reads


class SessionState:
    """Variant → key → value."""

    variants: dict[str, dict[str, Any]] = {"default": {}}


def give_session_state(variants: dict[str, dict[str, Any]]) -> None:
    """Have keys that nobody has set be there, unless the case chooses `empty`."""
    SessionState.variants = {**variants, "empty": {}}
