"""Find a target that its decorator has replaced: in an attribute of the replacing object."""

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
"""Attributes of objects that are passed on rather than called as the function. A plain wrapper is
called as any importer would call it."""


def undecorated(trial: Trial, inputs: Inputs, holders: Sequence[str] = HOLDERS) -> Inputs | None:
    """Return inputs that call the target through the first attribute that leads to it, if any.

    Args:
        trial: where the calls are tried.
        inputs: of a target with a decorator.
        holders: attributes that may hold the target.
    """
    if inputs.kind not in ("function", "method"):
        return None
    candidates = [replace(inputs, holder=holder) for holder in holders]
    drafts = list(islice(first_drafts(inputs), 1 + len(inputs.within)))
    pairs = [(each, draft) for each in candidates for draft in drafts]
    cases = [case_of(each, draft, f"case_{n}") for n, (each, draft) in enumerate(pairs)]
    found = zip(pairs, trial.cases(cases).tried, strict=False)
    return next((each for (each, _), tried in found if _reaches_target(tried)), None)


def _reaches_target(tried: OriginalTrial) -> bool:
    """Whether the call ran the target itself, not only a constructor in the case."""
    if not tried.arcs:
        return False
    found = decode_text(tried.observation)
    return not isinstance(found, Malformed) and found.outcome != "not_called"
