"""A target that its decorator has put away: where the object that has its name keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from ...execution.batched_trials import OriginalTrial, Trial
from ...inputs.argument_pools import Inputs
from ...observation.decode_records import decode_text
from ...observation.observation import Malformed
from ...sandbox.cases.holders import HOLDERS
from ..drafts.drafts import case_of
from .seed_drafts import first_drafts

OBJECTS = tuple(holder for holder in HOLDERS if holder != "__wrapped__")
"""Those of objects that are there to be given to somebody, and not to be called as the function:
what only wraps it is called as whoever imports it would."""


def undecorated(trial: Trial, inputs: Inputs, holders: Sequence[str] = HOLDERS) -> Inputs | None:
    """The inputs, called by way of the first attribute that leads to the target, if one does.

    Args:
        trial: where that is tried.
        inputs: of a target with a decorator.
        holders: the attributes.
    """
    if inputs.kind not in ("function", "method"):
        return None
    held = [replace(inputs, holder=holder) for holder in holders]
    likely = list(islice(first_drafts(inputs), 1 + len(inputs.within)))
    pairs = [(each, draft) for each in held for draft in likely]
    cases = [case_of(each, draft, f"case_{n}") for n, (each, draft) in enumerate(pairs)]
    found = zip(pairs, trial.cases(cases).tried, strict=False)
    return next((each for (each, _), tried in found if _is_led_to_it(tried)), None)


def _is_led_to_it(tried: OriginalTrial) -> bool:
    """Whether the call ran the target, and not only what else the case does: a constructor may."""
    if not tried.arcs:
        return False
    found = decode_text(tried.observation)
    return not isinstance(found, Malformed) and found.outcome != "not_called"
