"""What came of a draft that was tried: how it ended, and whether that shows something."""

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
"""What is raised where arguments are not what the target works on, and nobody's intention."""
_SAID = (
    "dictionary update sequence element",  # made of a text
    "dictionary is empty", "pop from an empty set",  # `next(iter(...))` raises something else
)  # fmt: skip
"""What dictionaries and sets say in accidents; as exceptions go, of no kind of their own."""
_RAISED_LATER = '"then":{"outcome":"raised"'
"""As an observation has it of a case that goes on after the call, and ends so."""
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{6,}>")
"""As objects have it that say no more of themselves; it differs from run to run."""


@dataclass(frozen=True, slots=True)
class TrialResult:
    """A draft that was tried, and what came of it."""

    draft: Draft
    tried: OriginalTrial

    @property
    def cost(self) -> tuple[int, int]:
        """What is better is less."""
        return (quality(self.tried), self.draft.size)


def quality(tried: OriginalTrial) -> int:
    """0 where the call returned, 1 where it raised, 2 where that looks like an accident, 3 else.

    What a gap of the slice brings about is nothing that the target does.
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
    return 2 if is_accident or any(said in head for said in _SAID) else 1


def error_arguments(observation: str) -> tuple[object, ...]:
    """The plain arguments of the exception that an observation ends with."""
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


def shows(explored: TrialResult) -> bool:
    """Whether it ends, and somebody can see what it did, each time the same."""
    if quality(explored.tried) == 3 or _ADDRESS.search(explored.tried.observation):
        return False
    found = decode_text(explored.tried.observation)
    return not isinstance(found, Malformed) and evidence(found) != "none"


def is_as_users_do(explored: TrialResult, plain: frozenset[Arc]) -> bool:
    """Whether a call leaves private state alone, but for branches that no other call takes.

    Attributes that are set one by one may contradict one another, which right candidates may see;
    where such a call raises, that is likely why.

    Args:
        explored: what was tried.
        plain: what calls take that set none.
    """
    tried = explored.tried
    return not explored.draft.sets_private or (quality(tried) == 0 and bool(tried.arcs - plain))


def plain_arcs(explored: Iterable[TrialResult]) -> frozenset[Arc]:
    """What calls take that set no private state."""
    return frozenset[Arc]().union(
        *(each.tried.arcs for each in explored if not each.draft.sets_private)
    )


def meant_exceptions(block: Block) -> re.Pattern[str]:
    """The exceptions that a target raises by name: those are no accidents."""
    text = b"\n".join(block.lines).decode()
    names = sorted(set(re.findall(r"\braise\s+(?:\w+\.)*(\w+)", text)))
    return re.compile(rf'[."](?:{"|".join(map(re.escape, names))})"') if names else _NOTHING


_NOTHING = re.compile(r"(?!)")


def is_meant(explored: TrialResult, meant: re.Pattern[str]) -> bool:
    """Whether a call ends as somebody meant: it returns, or raises what no accident raises."""
    if not shows(explored):
        return False
    if quality(explored.tried) < 2:
        return True
    return ends_as_raised(explored.tried, meant)


def ends_as_raised(tried: OriginalTrial, meant: re.Pattern[str]) -> bool:
    """Whether a call ends with one of the exceptions that a target raises by name."""
    return bool(meant.search(tried.observation[:400]))
