"""The result of a search: kept cases with their strength, or the reason why there are none."""

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
    """The results of rival definitions of the target on its cases."""

    wrong: int
    """Rivals whose authors say that they are wrong."""
    told: int
    """How many of the wrong ones the cases tell from the original."""
    found: int
    """How many of the wrong ones only a further call revealed. That call is a case now."""
    unproved: int
    """How many of the wrong ones no call revealed."""
    right: int
    """Rivals whose authors say that they are right."""
    confirmed: int
    """How many of the right ones agree with the original, but for the order of recorded calls."""
    removed: int
    """Cases removed because only that order decided them."""
    unusable: int
    """Rivals that do not define the target, or cannot replace it."""

    def __str__(self) -> str:
        wrong = f"{self.told} told, {self.found} told by a further call, {self.unproved} not told"
        right = f"{self.confirmed} confirmed, for which {self.removed} cases go"
        return f"rivals: {self.wrong} wrong ({wrong}), {self.right} right ({right})"


@dataclass(frozen=True, slots=True)
class Synthesis:
    """The cases of a target, and how strong they are."""

    drafts: tuple[Draft, ...] = ()
    cases: tuple[Case, ...] = ()
    hidden: tuple[Case, ...] = field(default=(), kw_only=True)
    """Further cases for the verdict alone, the most important first."""
    hidden_too_slow: int = field(default=0, kw_only=True)
    """Number of those that were left out since they take too long."""
    observations: tuple[str, ...] = ()
    """The original's behaviour in each case, as JSON."""
    coverage: BranchCoverage | None = None
    mutants: Mutants | None = None
    killed: frozenset[str] = frozenset()
    survived: tuple[MutantRecord, ...] = ()
    not_applied: int = 0
    tried: int = 0
    failure: str = ""
    code: Code | None = None
    """The kind of failure, as a code."""
    gap: Gap | None = None
    """The gap of the slice at which calls ended. Such calls are no cases."""
    rivalry: RivalOutcome | None = None
    """The results of rivals, if there were any."""
    is_cut: bool = False
    """Whether the clock ended the search, so that a longer one may find more."""

    @property
    def kill_rate(self) -> float | None:
        """Return the share of applied mutants that the cases kill; `None` without mutants."""
        total = len(self.killed) + len(self.survived)
        return len(self.killed) / total if total else None


def format_gap(gap: Gap) -> str:
    """Format the failure of calls that end at a gap."""
    return f"calls end where the slice lacks something: {gap.detail}"


def hindrance(
    first: TrialResult | None, *, is_reached: bool, decorators: Sequence[str]
) -> tuple[Code, str]:
    """Return code and text for a call that reached nothing or showed nothing.

    Args:
        first: the likeliest call.
        is_reached: whether any call has run a line of the target.
        decorators: of the target, those that may replace it.
    """
    if first is None or not first.trial.observation:
        return "too_slow", "the likeliest call does not end in time, or ends the process"
    found = decode_text(first.trial.observation)
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
    failure = render(found.exception, found)
    made = first.draft.receiver.partition("(")
    if made[1] and first.draft.receiver.endswith(")"):
        return "constructor", f"the constructor of {made[0]}: {failure}"
    return "not_called", failure


def _ending(found: Observation) -> str:
    value = found.value if found.outcome == "returned" else found.exception
    return f"{found.outcome} {render(value, found)}"


def ending(first: TrialResult) -> str:
    """Return how a call ended, for people."""
    found = decode_text(first.trial.observation)
    return found.what if isinstance(found, Malformed) else _ending(found)
