"""Compare observations without the order of different calls recorded by stand-ins.

Calls with the same name keep their order: a function that writes twice must do so in order.
"""

from __future__ import annotations

from dataclasses import replace

from ...observation.compare_observations import first_difference
from ...observation.observation import Group, Node, Observation, Value
from ...observation.short_text import resolve
from ..drafts.raising_expressions import CALLS


def differ_in_call_order_alone(expected: Observation, observed: Observation) -> bool:
    """Whether two differing observations agree once recorded calls are sorted by name."""
    try:
        left, right = _by_name(expected), _by_name(observed)
    except RecursionError:
        return False
    return first_difference(left, right) is None


def _by_name(observation: Observation) -> Observation:
    """Return the observation with all recorded calls sorted by name."""

    def named(pairs: tuple[tuple[str, Value], ...]) -> tuple[tuple[str, Value], ...]:
        return tuple((name, value(each)) for name, each in pairs)

    def value(given: Value) -> Value:
        if not isinstance(given, Node):
            return given
        return given._replace(groups=tuple(map(group, given.groups)))

    def group(given: Group) -> Group:
        if given.shape != "named":
            return given._replace(values=tuple(map(value, given.values)))
        pairs = zip(given.keys, given.values, strict=True)
        made = (calls(each) if key == CALLS else value(each) for key, each in pairs)
        return given._replace(values=tuple(made))

    def calls(given: Value) -> Value:
        found = resolve(given, observation)
        if not isinstance(found, Node) or found.kind != "list":
            return value(given)
        items = found.group("items")
        ordered = items._replace(values=tuple(sorted(items.values, key=called)))
        return found._replace(groups=tuple(ordered if g is items else g for g in found.groups))

    def called(given: Value) -> str:
        found = resolve(given, observation)
        content = found.group("items").values if isinstance(found, Node) else ()
        return content[0] if content and isinstance(content[0], str) else ""

    return replace(
        observation,
        value=value(observation.value),
        arguments=named(observation.arguments),
        globals=named(observation.globals),
        shared=tuple(
            each._replace(groups=tuple(map(group, each.groups))) for each in observation.shared
        ),
        then=observation.then and _by_name(observation.then),
        text="",
    )
