"""What the original does in a case, in words."""

from __future__ import annotations

from ...verifier.observation.short_text import render
from ...verifier.scoring.oracle.oracle import decoded_observation


def outcome_lines(observation: str) -> list[str]:
    """Return what a call returns or raises, changes and prints, a line each.

    Args:
        observation: as a record holds it.
    """
    found = last = decoded_observation(observation)
    while last.then is not None:
        last = last.then
    if last.outcome == "returned":
        parts = [f"returns {render(last.value, last)}"]
    else:
        parts = [f"raises {render(last.exception, last)}"]
    for name, value in (*found.arguments, *found.globals, *found.files):
        parts.append(f"changes {name} to {render(value, found)}")
    parts += [f"effect {render(each, found)}" for each in found.effects]
    if found.stdout:
        parts.append(f"prints {render(found.stdout, found)}")
    return parts
