"""What a search ends with: cases that are kept and what they are worth, or why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ....slicer.model import Gap
from ...execution.executors.interface import Case
from ...mutation.mutants import MutantRecord, Mutants
from ...observation.decode_records import decode_text
from ...observation.observation import Malformed, Observation
from ...observation.short_text import render
from ...script.branch_coverage import BranchCoverage
from ..drafts.drafts import Draft
from .trial_result import TrialResult

Code = Literal[
    "no_function", "does_not_run", "constructor", "not_called", "too_slow", "unstable",
    "gap", "opaque", "shows_nothing", "not_reached", "only_accidents",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class RivalOutcome:
    """What became of definitions that somebody has written to rival the target."""

    wrong: int
    """Said to be wrong."""
    told: int
    """Of these, how many the cases tell from the original."""
    found: int
    """How many only a further call tells, which is a case now."""
    unproved: int
    """How many no call tells."""
    right: int
    """Said to be right."""
    confirmed: int
    """Of these, how many differ in nothing, or in the order of recorded calls alone."""
    removed: int
    """Cases that only that order decided."""
    unusable: int
    """What is no definition of the target, or cannot take its place."""

    def __str__(self) -> str:
        wrong = f"{self.told} told, {self.found} told by a further call, {self.unproved} not told"
        right = f"{self.confirmed} confirmed, for which {self.removed} cases go"
        return f"rivals: {self.wrong} wrong ({wrong}), {self.right} right ({right})"


@dataclass(frozen=True, slots=True)
class Synthesis:
    """The cases of a target, and what they are worth."""

    drafts: tuple[Draft, ...] = ()
    cases: tuple[Case, ...] = ()
    hidden: tuple[Case, ...] = field(default=(), kw_only=True)
    """Further cases for the verdict alone, the most important first."""
    observations: tuple[str, ...] = ()
    """What the original does in each, as JSON."""
    coverage: BranchCoverage | None = None
    mutants: Mutants | None = None
    killed: frozenset[str] = frozenset()
    survived: tuple[MutantRecord, ...] = ()
    not_applied: int = 0
    tried: int = 0
    failure: str = ""
    code: Code | None = None
    """What kind of failure it is."""
    gap: Gap | None = None
    """Of the slice, that calls ended at: they are no cases."""
    rivalry: RivalOutcome | None = None
    """What became of rivals, where somebody has written some."""
    is_cut: bool = False
    """Whether the clock has ended the search: there may be more to find."""

    @property
    def kill_rate(self) -> float | None:
        """From 0 to 1, of the mutants that were applied; `None` where there were none."""
        total = len(self.killed) + len(self.survived)
        return len(self.killed) / total if total else None


def told_gap(gap: Gap) -> str:
    """What is said of calls that end at a gap."""
    return f"calls end where the slice lacks something: {gap.detail}"


def hindrance(
    first: TrialResult | None, *, is_reached: bool, decorators: Sequence[str]
) -> tuple[Code, str]:
    """What came of a call that reached nothing, or showed nothing.

    Args:
        first: the likeliest call.
        is_reached: whether any call has run a line of the target.
        decorators: of the target, those that may put something else in its place.
    """
    if first is None or not first.tried.observation:
        return "too_slow", "the likeliest call does not end in time, or ends the process"
    found = decode_text(first.tried.observation)
    if isinstance(found, Malformed) or found.outcome == "unobservable":
        return "opaque", "a call leaves nothing that works to observe it with"
    if found.outcome in {"returned", "raised"}:
        if is_reached and found.outcome == "returned" and found.value is None:
            return "shows_nothing", "calls return None and change nothing"
        if is_reached:
            return "opaque", f"what it gives cannot be compared: {_ending(found)}"
        if decorators or found.outcome == "returned":
            why = f" but what {', '.join(decorators)} made of it" if decorators else ""
            return "not_reached", f"calls of its name do not run it{why}: {_ending(found)}"
        return "not_called", _ending(found)
    told = render(found.exception, found)
    made = first.draft.receiver.partition("(")
    if made[1] and first.draft.receiver.endswith(")"):
        return "constructor", f"the constructor of {made[0]}: {told}"
    return "not_called", told


def _ending(found: Observation) -> str:
    value = found.value if found.outcome == "returned" else found.exception
    return f"{found.outcome} {render(value, found)}"


def ending(first: TrialResult) -> str:
    """How a call ended."""
    found = decode_text(first.tried.observation)
    return found.what if isinstance(found, Malformed) else _ending(found)
