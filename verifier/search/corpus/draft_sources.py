"""Who else may be asked for drafts, and what of: where a search comes to its own end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...evidence.recordings.likely_invariants import Domain
from ...execution.batched_trials import Trial
from ...inputs.argument_pools import Inputs
from ...mutation.mutants import MutantRecord
from ...mutation.mutated_block import Block
from ...mutation.rival_definitions import Rival
from ...script.branch_coverage import BranchCoverage
from ..drafts.drafts import Draft
from .trial_result import TrialResult


@dataclass(frozen=True, slots=True)
class Open:
    """What a search has not reached, for whoever may know more."""

    inputs: Inputs
    block: Block
    coverage: BranchCoverage
    near: tuple[TrialResult, ...]
    """What has come furthest, the best first; else the likeliest call."""
    last: tuple[TrialResult, ...]
    """What came of the drafts that were given the last time."""


@dataclass(frozen=True, slots=True)
class RivalDefinition:
    """A rival of the target, and calls in which its author says that it shows."""

    rival: Rival
    drafts: tuple[Draft, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftSources:
    """Drafts from elsewhere: of calls that were made, and from who is asked for what is open."""

    called: Callable[[], Sequence[Draft]] = tuple
    """The calls that somebody makes: with these the search begins."""
    domain: Domain = field(default_factory=Domain)
    """What these calls share."""
    solved: Callable[[Trial, Inputs, Sequence[Draft]], Sequence[Draft]] | None = None
    """Some drafts with arguments that lead elsewhere."""
    told: Callable[[Open], Sequence[Draft]] | None = None
    """Drafts of who is told what is open, until there are none."""
    survived: Callable[[Sequence[MutantRecord]], Sequence[Draft]] | None = None
    """Drafts of who is told which mutants survive."""
    rivals: Callable[[Inputs, Block], Sequence[RivalDefinition]] | None = None
    """Other definitions of the target, each with what its author says of it."""


NOTHING_FURTHER = DraftSources()
