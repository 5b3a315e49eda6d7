"""Verdicts that are known: a candidate that was scored, or is being scored, is not scored again.

Policies repeat themselves: many samples for one prompt are the same text.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

_KEPT = frozenset({"passed", "failed", "error", "unsafe"})
"""Verdicts that another run would repeat: not those that depend on the machine."""


@dataclass(slots=True)
class VerdictMemory:
    """The last answers, and those under way. It belongs to one event loop."""

    most: int
    """Number of answers that are kept; 0 for none."""
    repeated: int = 0
    """How often an answer was found here."""
    _answers: OrderedDict[bytes, asyncio.Future[dict[str, Any]]] = field(
        default_factory=OrderedDict[bytes, "asyncio.Future[dict[str, Any]]"]
    )

    async def answer(
        self, environment: str, candidate: str, find: Callable[[], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """Return the answer for a candidate; `find` is awaited if nobody else has asked.

        Raises:
            SliceFuncError: `find` does.
        """
        if self.most == 0:
            return await find()
        key = sha256(f"{environment}\0{candidate}".encode("utf-8", "surrogatepass")).digest()
        known = self._answers.get(key)
        if known is not None:
            self.repeated += 1
            self._answers.move_to_end(key)
            return await asyncio.shield(known)
        coming = self._answers[key] = asyncio.ensure_future(find())
        try:
            found = await asyncio.shield(coming)
        except BaseException:
            self._answers.pop(key, None)
            raise
        if found["verdict"] not in _KEPT:
            self._answers.pop(key, None)
        while len(self._answers) > self.most:
            self._answers.popitem(last=False)
        return found
