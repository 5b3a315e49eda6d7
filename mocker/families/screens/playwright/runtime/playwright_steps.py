"""Steps of playwright: what they raise, what they show, and both ways of calling them."""

from __future__ import annotations

import functools
from typing import Any

from .....world.core.as_data import as_data
from .....world.core.world import record


class PlaywrightError(Exception):
    """What playwright raises."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.name = "Error"


class PlaywrightTimeoutError(PlaywrightError):
    """An element, or an event, has not come."""


class PlaywrightWorld:
    """What pages show."""

    texts: dict[str, str] = {}
    """Variant → what elements show; empty for the number of the element."""
    pages: dict[str, str] = {}


def play_alone(texts: dict[str, str], pages: dict[str, str]) -> None:
    """Say what elements and pages show."""
    PlaywrightWorld.texts, PlaywrightWorld.pages = texts, pages


def _step(function: Any) -> Any:
    """A method that is awaited where the interface is the asynchronous one."""

    @functools.wraps(function)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        if not self._later:
            return function(self, *args, **options)

        async def later() -> Any:
            return function(self, *args, **options)

        return later()

    return call


def _step_noted(name: str) -> Any:
    def call(self: Any, *args: Any, **options: Any) -> Any:
        kept = {k: v for k, v in options.items() if k not in ("timeout", "delay", "force")}
        record(
            "command",
            f"{name} {self._place}".rstrip(),
            *map(as_data, args),
            *([as_data(kept)] if kept else []),
        )

    return _step(call)


class _Played:
    """Anything of playwright; knows which interface it is of."""

    _later = False
    _place = ""

    def on(self, event: str, handler: Any) -> None:
        """Events do not come by themselves."""

    once = remove_listener = on

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return None
