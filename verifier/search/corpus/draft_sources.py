"""Further sources of drafts (recorded calls, solver, model), used when search alone stalls."""

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
class UnreachedGoals:
    """The unreached branches and mutants of a search, as reported to a source of drafts."""

    inputs: Inputs
    block: Block
    coverage: BranchCoverage
    near: tuple[TrialResult, ...]
    """The results that came furthest, the best first; the likeliest call if there are none."""
    last: tuple[TrialResult, ...]
    """Results of the drafts that this source returned the last time."""


@dataclass(frozen=True, slots=True)
class RivalDefinition:
    """A rival definition of the target, and calls that reveal it according to its author."""

    rival: Rival
    drafts: tuple[Draft, ...] = ()


@dataclass(frozen=True, slots=True)
class DraftSources:
    """Sources of drafts outside the search itself."""

    called: Callable[[], Sequence[Draft]] = tuple
    """Returns calls recorded elsewhere. The search begins with them."""
    domain: Domain = field(default_factory=Domain)
    """Invariants that these calls share."""
    solved: Callable[[Trial, Inputs, Sequence[Draft]], Sequence[Draft]] | None = None
    """Asks a constraint solver for drafts that take other branches than the given ones."""
    from_model: Callable[[UnreachedGoals], Sequence[Draft]] | None = None
    """Asks for drafts that reach what is open; called again until it returns none."""
    survived: Callable[[Sequence[MutantRecord]], Sequence[Draft]] | None = None
    """Asks for drafts that kill the given surviving mutants."""
    rivals: Callable[[Inputs, Block], Sequence[RivalDefinition]] | None = None
    """Returns rival definitions of the target with their authors' claims."""


NO_SOURCES = DraftSources()
