"""Repeated calls of the target: a later call finds what an earlier one left.

Whether the first or the last value wins shows only where two calls agree in one argument and differ
in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations

from ...inputs.argument_pools import Inputs
from ..drafts.drafts import Draft, after_call

_MOST_BASES = 4
_MOST_AGAIN = 12
"""Changed calls that follow one call."""


def repeated_calls(
    inputs: Inputs, seeds: Sequence[Draft], changed: Sequence[tuple[Draft, Draft]]
) -> Iterator[Draft]:
    """Yield two calls in a row that differ, also with an unrelated third call between them.

    Args:
        inputs: how the target is called.
        seeds: calls that are known to work.
        changed: pairs of such a call and the same call with one argument changed.
    """
    is_called = inputs.kind in ("function", "method") and not inputs.holder
    if not (is_called and inputs.keeps_state) or inputs.calls > 1 or inputs.is_async_generator:
        return
    bases = _distinct_calls(seeds)
    for first, second in islice(_near(changed), _MOST_AGAIN):
        yield after_call(inputs, second, first)
        between = [each for each in bases if each.arguments != first.arguments][:1]
        for other in between:
            yield after_call(inputs, after_call(inputs, second, first), other)
    for first, second in permutations(bases, 2):
        yield after_call(inputs, second, first)


def _near(changed: Sequence[tuple[Draft, Draft]]) -> Iterator[tuple[Draft, Draft]]:
    """Yield pairs of calls without further statements, some for each argument."""
    of: dict[str, list[tuple[Draft, Draft]]] = {}
    for first, second in changed:
        if first.receiver == second.receiver and not (first.before or second.before):
            differ = [
                name
                for (name, one), (_, other) in zip(first.arguments, second.arguments, strict=True)
                if one != other
            ]
            of.setdefault(" ".join(differ), []).append((first, second))
    share = _MOST_AGAIN // max(1, len(of)) + 1
    for pairs in of.values():
        yield from pairs[:: max(1, len(pairs) // share)][:share]


def _distinct_calls(seeds: Sequence[Draft]) -> list[Draft]:
    """Return some calls without further statements, each with other arguments."""
    plain = {each.arguments: each for each in reversed(seeds) if not each.before}
    return [*plain.values()][::-1][:_MOST_BASES]
