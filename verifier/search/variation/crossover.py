"""Crossover: drafts combined from two, for behaviour that needs two conditions at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from ...inputs.argument_pools import Inputs
from ..drafts.drafts import Draft

_MOST_PARTS = 8
_MOST_AT_ONCE = 8
"""Attributes that are set together."""


def each_alone(inputs: Inputs, draft: Draft) -> Iterator[Draft]:
    """Yield the draft with each other value of each parameter, likely values first."""
    given = dict(draft.arguments)
    named = [[(pool.name, text) for text in pool.texts] for pool in inputs.pools]
    for together in zip_longest(*named):
        for pair in together:
            if pair is not None and given.get(pair[0]) != pair[1]:
                yield draft.with_arguments([pair])


def with_all_attributes(inputs: Inputs, draft: Draft) -> Iterator[Draft]:
    """Yield the draft with all attributes that the target reads, and all optional arguments, set.

    A test of several attributes shows nothing of one alone.
    """
    states = inputs.receivers.bare[:_MOST_AT_ONCE]
    if len(states) > 1:
        yield replace(draft, before=states)
    plain = (p for p in inputs.pools if p.is_optional and p.how in ("position", "keyword"))
    optional = [(pool.name, pool.texts[0]) for pool in plain if pool.texts and pool.call == 0]
    if len(optional) > 1:
        yield draft.with_arguments(optional)
        if len(states) > 1:
            yield replace(draft, before=states).with_arguments(optional)


def on_other_receivers(inputs: Inputs, draft: Draft) -> Iterator[Draft]:
    """Yield the draft on each other receiver, and in each other state."""
    for text in inputs.receivers.texts:
        if text != draft.receiver:
            yield replace(draft, receiver=text)
    for statement in inputs.receivers.states:
        if statement not in draft.before:
            yield replace(draft, before=(*draft.before, statement))


def cross(drafts: Sequence[Draft]) -> Iterator[Draft]:
    """Yield one draft's receiver and state with another draft's arguments.

    Args:
        drafts: drafts, the better ones first; pairs come in the same order.
    """
    owners = [*dict.fromkeys(replace(d, arguments=()) for d in drafts)][:_MOST_PARTS]
    givens = [*dict.fromkeys(d.arguments for d in drafts)][:_MOST_PARTS]
    places = ((i, k) for i in range(len(owners)) for k in range(len(givens)))
    known = {*drafts}
    for i, k in sorted(places, key=lambda pair: (sum(pair), pair)):
        made = replace(owners[i], arguments=givens[k])
        if made not in known:
            yield made
