"""The result of a draft that was tried: how it ended, and whether that shows anything."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...execution.batched_trials import OriginalTrial
from ...mutation.mutated_block import Block
from ...observation.decode_records import decode_text
from ...observation.observation import Malformed, Node
from ...observation.shown_evidence import evidence
from ...script.branch_coverage import Arc
from ..drafts.drafts import Draft

_ACCIDENTS = (
    "AttributeError", "TypeError", "NameError", "UnboundLocalError", "RecursionError",
    "ModuleNotFoundError", "ImportError", "OverflowError",
)  # fmt: skip
"""Exceptions that show unsuitable arguments, and that no author raises on purpose."""
_ACCIDENTAL_MESSAGES = (
    "dictionary update sequence element",  # raised for a text
    "dictionary is empty", "pop from an empty set",  # `next(iter(...))` raises another exception
)  # fmt: skip
"""Messages of dictionaries and sets in accidents. The exception's class alone does not tell
them."""
_RAISED_LATER = '"then":{"outcome":"raised"'
"""How an observation marks a case that continues after the call and then raises."""
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,}>")
"""The address in the default `repr` of an object. It differs from run to run."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """A draft that was tried, and its outcome."""

    draft: Draft
    trial: OriginalTrial

    @property
    def cost(self) -> tuple[int, int]:
        """Return the sort key of results: the best comes first."""
        return (quality(self.trial), self.draft.size)


def quality(tried: OriginalTrial) -> int:
    """Return 0 if the call returned, 1 if it raised, 2 if it failed by accident, 3 for anything
    else.

    What a gap of the slice causes is no behaviour of the target, so it is 3.
    """
    observation = tried.observation
    if tried.gap is not None:
        return 3
    later = observation.find(_RAISED_LATER)
    if later < 0 and observation.startswith('{"outcome":"returned"'):
        return 0
    if later < 0 and not observation.startswith('{"outcome":"raised"'):
        return 3
    head = observation[max(later, 0) :][:400]
    is_accident = any(f".{name}" in head or f'"{name}"' in head for name in _ACCIDENTS)
    return 2 if is_accident or any(message in head for message in _ACCIDENTAL_MESSAGES) else 1


def error_arguments(observation: str) -> tuple[object, ...]:
    """Return the plain arguments of the exception that ends an observation."""
    if not observation or observation.startswith('{"outcome":"returned"'):
        return ()
    found = decode_text(observation)
    if isinstance(found, Malformed) or not isinstance(found.exception, Node):
        return ()
    return tuple(
        value
        for group in found.exception.groups
        for value in group.values
        if isinstance(value, (str, int, float)) and not isinstance(value, bool)
    )


def is_stable_and_visible(trial: TrialResult) -> bool:
    """Whether a call ends, and shows something that is the same each time."""
    if quality(trial.trial) == 3 or _ADDRESS.search(trial.trial.observation):
        return False
    found = decode_text(trial.trial.observation)
    return not isinstance(found, Malformed) and evidence(found) != "none"


def is_as_users_do(trial: TrialResult, plain: frozenset[Arc]) -> bool:
    """Whether a call leaves private state alone, or covers branches that no other call covers.

    Attributes that are set one by one may contradict one another, and right candidates may notice.
    If such a call raises, that is the likely reason.

    Args:
        trial: the result of a call.
        plain: arcs of calls that set no private state.
    """
    tried = trial.trial
    return not trial.draft.sets_private or (quality(tried) == 0 and bool(tried.arcs - plain))


def plain_arcs(trials: Iterable[TrialResult]) -> frozenset[Arc]:
    """Return the arcs of calls that set no private state."""
    return frozenset[Arc]().union(
        *(each.trial.arcs for each in trials if not each.draft.sets_private)
    )


def intended_exceptions(block: Block) -> re.Pattern[str]:
    """Return a pattern for the exceptions that a target raises by name. These are no accidents."""
    text = b"\n".join(block.lines).decode()
    names = sorted(set(re.findall(r"\braise\s+(?:\w+\.)*(\w+)", text)))
    return re.compile(rf'[."](?:{"|".join(map(re.escape, names))})"') if names else _NOTHING


_NOTHING = re.compile(r"(?!)")


def is_intended(trial: TrialResult, intended: re.Pattern[str]) -> bool:
    """Whether a call ends as intended: it returns, or raises on purpose."""
    if not is_stable_and_visible(trial):
        return False
    if quality(trial.trial) < 2:
        return True
    return ends_as_raised(trial.trial, intended)


def ends_as_raised(tried: OriginalTrial, intended: re.Pattern[str]) -> bool:
    """Whether a call ends with an exception that the target raises by name."""
    return bool(intended.search(tried.observation[:400]))
