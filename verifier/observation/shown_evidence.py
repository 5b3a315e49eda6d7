"""The part of a call that an observation shows: all, a part, or nothing that could differ."""

from __future__ import annotations

from typing import Literal

from .compare_observations import has_effect_beyond_output
from .node_kinds import PARTIAL
from .observation import Node, Observation, Value

Evidence = Literal["full", "partial", "none"]


def evidence(observation: Observation) -> Evidence:
    """Return `none` if nothing is shown, `partial` if something is opaque or cut, else `full`.

    A case that shows nothing does not count: it cannot tell right from wrong candidates.
    """
    if observation.outcome not in {"returned", "raised"}:
        return "none"
    shown = (
        observation.value,
        *(value for _, value in observation.arguments),
        *(value for _, value in observation.globals),
        *(value for _, value in observation.files),
        *observation.effects,
    )
    has_hidden = any(_has_hidden(value) for value in (*shown, *observation.shared))
    if not has_hidden:
        return "full"
    visible = observation.outcome == "raised" or any(
        value is not None and not _is_hidden(value, observation) for value in shown
    )
    if observation.then is not None and evidence(observation.then) != "none":
        return "partial"
    prints = bool(observation.stdout) and not has_effect_beyond_output(observation)
    return "partial" if visible or prints else "none"


def _is_hidden(value: Value, observation: Observation) -> bool:
    if isinstance(value, Node) and value.kind == "ref":
        to = value.field("to")
        return isinstance(to, int) and observation.shared[to].kind in PARTIAL
    return isinstance(value, Node) and value.kind in PARTIAL


def _has_hidden(value: Value) -> bool:
    """Whether something in a value is opaque or cut. Nodes nest a few levels at most."""
    if not isinstance(value, Node):
        return False
    if value.kind in PARTIAL or (value.kind == "array" and value.field("sha256") is not None):
        return True
    return any(
        isinstance(child, Node) and _has_hidden(child)
        for group in value.groups
        for child in (*group.keys, *group.values)
    )
