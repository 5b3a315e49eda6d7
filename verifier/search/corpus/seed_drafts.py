"""The first drafts of a search: the likeliest call, and variants of it in one argument or in
all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ...inputs.argument_pools import Inputs
from ...inputs.arguments.fitting_arguments import sized
from ..drafts.drafts import Draft, after_call, first_draft
from ..variation.crossover import each_alone, with_all_attributes
from ..variation.kept_items import about_items

_MOST_FIRST = 63
_MOST_ABOUT = 2
"""Calls in a state that one statement set in the receiver."""
_TAKEN = 9
"""Items of a generator that a case takes without sending anything."""
_MOST_STATUSES = 6
_STATUSES = frozenset(range(201, 600))
_REFUSAL = "404"
"""A variant of every place where a server answers. It stands for any status."""


def first_drafts(inputs: Inputs) -> Iterator[Draft]:
    """Yield the likeliest call, then each other value of each parameter, one at a time."""
    first = first_draft(inputs)
    yield first
    for statement in inputs.within:
        yield replace(first, before=(statement,))
    for text in inputs.receivers.texts[1:]:
        yield replace(first, receiver=text)
    for statement in inputs.receivers.states:
        filled = replace(first, before=(statement,))
        yield filled
        yield from islice(about_items(filled), _MOST_ABOUT)
    if inputs.takes_values:
        yield replace(first, taken=_TAKEN)
    if inputs.keeps_state:
        yield after_call(inputs, first, first)
    yield from with_all_attributes(inputs, first)
    for statement in (s for s in inputs.surroundings if s not in inputs.within):
        yield replace(first, before=(statement,))
    for pairs in (*inputs.together, *inputs.fitting):
        yield first.with_arguments(pairs)
    receiver = sized(first.receiver) if inputs.fitting else ""
    for pairs in inputs.fitting if receiver else ():
        yield replace(first, receiver=receiver).with_arguments(pairs)
    yield from islice(each_alone(inputs, first), _MOST_FIRST)


def answered(
    inputs: Inputs, places: Mapping[str, Sequence[str]], numbers: Sequence[float] = ()
) -> Iterator[Draft]:
    """Yield the likeliest call under each answer of the mocked world.

    Args:
        inputs: what can be given to the target.
        places: places that calls asked, with the variants of their answers.
        numbers: numbers in the code; servers answer with those that are HTTP statuses.
    """
    first = first_draft(inputs)
    codes = (str(n) for n in dict.fromkeys(numbers) if type(n) is int and n in _STATUSES)
    statuses = tuple(islice(codes, _MOST_STATUSES))
    for place, variants in sorted(places.items()):
        more = statuses if _REFUSAL in variants else ()
        for variant in dict.fromkeys((*variants, *more)):
            if variant != "default":
                yield replace(first, answers=((place, variant),))
