"""Where in an observation something is: links while values are compared, told at the end."""

from __future__ import annotations

import json
from typing import NamedTuple

from ..observation import Observation, Value
from ..short_text import render

LONGEST = 400
"""Characters of a path that are shown; of a longer one its start and its end."""

AT = "[{}]"
"""The form of a step to a position."""

AT_KEY = "[{key}]"
"""The form of a step to what stands under a key."""


class Path(NamedTuple):
    """The way to a value, from its end."""

    parent: Path | None
    form: str
    """How the step is written; `{}` stands for what it leads over."""
    over: Value = ""
    """Position or name; for a key the key itself."""

    def text(self, observation: Observation) -> str:
        """The way as Python would write it; keys that are nodes belong to that observation."""
        pieces: list[str] = []
        step: Path | None = self
        while step is not None:
            pieces.append(_piece(step, observation))
            step = step.parent
        text = "".join(reversed(pieces))
        return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}…{text[-LONGEST // 2 :]}"


def format_key(key: Value, observation: Observation) -> str:
    """A key on one line."""
    return json.dumps(key) if isinstance(key, str) else render(key, observation)


def _piece(step: Path, observation: Observation) -> str:
    if step.form == AT_KEY:
        return f"[{format_key(step.over, observation)}]"
    return step.form.replace("{}", str(step.over), 1)
