"""Paths to values in an observation: linked while comparing, formatted only on request."""

from __future__ import annotations

import json
from typing import NamedTuple

from ..observation import Observation, Value
from ..short_text import render

LONGEST = 400
"""Longest path shown in characters; of a longer one its start and end."""

AT = "[{}]"
"""Format of a step to a position."""

AT_KEY = "[{key}]"
"""Format of a step to the value under a key."""


class Path(NamedTuple):
    """The path to a value, linked from its end."""

    parent: Path | None
    form: str
    """Format of the step; `{}` stands for the position or name."""
    over: Value = ""
    """Position, name or key of the step."""

    def text(self, observation: Observation) -> str:
        """Return the path in Python's notation; keys that are nodes belong to that observation."""
        pieces: list[str] = []
        step: Path | None = self
        while step is not None:
            pieces.append(_piece(step, observation))
            step = step.parent
        text = "".join(reversed(pieces))
        return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}…{text[-LONGEST // 2 :]}"


def format_key(key: Value, observation: Observation) -> str:
    """Return a key on one line."""
    return json.dumps(key) if isinstance(key, str) else render(key, observation)


def _piece(step: Path, observation: Observation) -> str:
    if step.form == AT_KEY:
        return f"[{format_key(step.over, observation)}]"
    return step.form.replace("{}", str(step.over), 1)
