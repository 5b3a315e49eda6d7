"""The corpus of a search: what each draft reached, and which drafts failed how."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from ....slicer.model import Gap
from ...execution.batched_trials import OriginalTrial
from ...inputs.statements import texts_of
from ...mutation.mutated_block import Block, own_nodes
from ...sandbox.trials.time_limit import TimeBudget
from ...script.branch_coverage import Arc, BranchCoverage, branch_coverage, covered_branches
from ..drafts.drafts import Draft
from ..variation.literal_variation import has_large_number
from .trial_result import TrialResult, ends_as_raised, error_arguments, intended_exceptions, quality

_MOST_GOOD = 200
_MOST_FAILED = 30
_MOST_OF_ERROR = 2
_MOST_LATE = 3
"""Timed-out calls after which drafts with large numbers are no longer tried."""
_LONGEST = 1500
"""Longest draft in characters, unless one of the first drafts is more than half as long. Nobody
would read a longer one, and each variation copies it."""


@dataclass(slots=True)
class Corpus:
    """The corpus of a search. It grows with each draft that was tried."""

    block: Block
    span: tuple[int, int]
    """First and last line of the target in its file."""
    patience: TimeBudget
    known: set[Draft] = field(default_factory=set[Draft])
    """All drafts made so far."""
    best: dict[int | Arc, TrialResult] = field(default_factory=dict[int | Arc, TrialResult])
    """Maps each line or arc to the best draft that reaches it."""
    arcs: set[Arc] = field(default_factory=set[Arc])
    intended: set[Arc] = field(default_factory=set[Arc])
    """Arcs of calls that end as the author of the code meant. A call that ends by accident is no
    case."""
    exceptions: re.Pattern[str] = field(init=False)
    """Matches the exceptions that the target raises by name."""
    good: list[TrialResult] = field(default_factory=list[TrialResult])
    failed: list[tuple[Draft, tuple[object, ...]]] = field(
        default_factory=list[tuple[Draft, tuple[object, ...]]]
    )
    """Drafts that failed early, with the literals that their error messages name."""
    accidents: list[tuple[Draft, str]] = field(default_factory=list[tuple[Draft, str]])
    """Drafts that failed by accident, with the text of the error."""
    answered: set[str] = field(default_factory=set[str])
    """Error texts for which repairs were tried already."""
    places: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Places of the mocked world that were asked so far, with their variants."""
    missing_paths: dict[str, Draft] = field(default_factory=dict[str, Draft])
    """Missing paths that were looked up, with the first draft that did so."""
    coverage: BranchCoverage | None = None
    tried: int = 0
    first: TrialResult | None = None
    last: tuple[TrialResult, ...] = ()
    """Results of the last batch of drafts."""
    gap: Gap | None = None
    ended: int = 0
    """Number of calls that ended in time."""
    late: int = 0
    """Number of calls that timed out."""
    longest: int = _LONGEST
    """Longest draft that is accepted, in characters."""

    def __post_init__(self) -> None:
        self.exceptions = intended_exceptions(self.block)

    def allow(self, drafts: Sequence[Draft]) -> None:
        """Accept drafts that are up to twice as long as the given ones."""
        self.longest = max(_LONGEST, *(2 * _length(draft) for draft in drafts))

    def add_trials(
        self, drafts: Sequence[Draft], tried: Sequence[OriginalTrial]
    ) -> tuple[TrialResult, ...]:
        """Record the outcomes of a batch of drafts. Return their results."""
        self.tried += len(drafts)
        self.last = ()
        for draft, each in zip(drafts, tried, strict=True):
            self._note(TrialResult(draft, replace(each, places=(), missing_paths=())), each)
        arcs = self.arcs if self.only_accidents else self.intended
        self.coverage = branch_coverage(self.block.text, *self.span, frozenset(arcs))
        return self.last

    def _note(self, trial: TrialResult, tried: OriginalTrial) -> None:
        self.places.update(dict(tried.places))
        for path in tried.missing_paths:
            self.missing_paths.setdefault(path, trial.draft)
        self.last = (*self.last, trial)
        self.first = self.first or trial
        self.ended += bool(tried.observation)
        self.late += not tried.observation
        self.patience.record_duration(tried.seconds, is_late=not tried.observation)
        self.gap = self.gap or tried.gap
        if quality(tried) > 0:
            self._note_failure(trial.draft, tried)
        if quality(tried) == 3:
            return
        if quality(tried) < 2 and len(self.good) < _MOST_GOOD:
            self.good.append(trial)
        self.arcs |= tried.arcs
        if quality(tried) < 2 or ends_as_raised(tried, self.exceptions):
            self.intended |= tried.arcs
        for place in covered_branches(self.block.text, *self.span, tried.arcs):
            known = self.best.get(place)
            if known is None or trial.cost < known.cost:
                self.best[place] = trial

    def _note_failure(self, draft: Draft, tried: OriginalTrial) -> None:
        texts = (
            draft.receiver,
            *texts_of(draft.before),
            *(text for _, text in draft.arguments),
        )
        whole = " ".join(texts)
        arguments = error_arguments(tried.observation)
        blamed = tuple(v for v in arguments if repr(v) in whole)
        if quality(tried) > 1 and len(self.accidents) < _MOST_FAILED:
            self.accidents += [(draft, v) for v in arguments[:1] if isinstance(v, str)]
        if (blamed or quality(tried) == 3) and len(self.failed) < _MOST_FAILED:
            self.failed.append((draft, blamed))

    @property
    def is_done(self) -> bool:
        """Whether the target is fully covered, including a `return` with a value.

        A line that raises where it should have returned a value counts as reached.
        """
        found = self.coverage
        is_whole = found is not None and not found.missing and not found.missing_lines
        return is_whole and (self._has_returned or not _answers(self.block))

    @property
    def _has_returned(self) -> bool:
        return any(quality(each.trial) == 0 for each in self.best.values())

    @property
    def only_accidents(self) -> bool:
        """Whether every call so far failed by accident."""
        return all(quality(each.trial) >= 2 for each in self.best.values())

    def open_accidents(self, followed: Collection[Draft]) -> list[tuple[Draft, str]]:
        """Return the accidents at places that no better draft reaches, the simplest drafts of each
        error.

        Each error is returned once: if repairing it did not lead to another error, it leads
        nowhere.

        Args:
            followed: drafts that were made as repairs of such errors.
        """
        best = {each.draft for each in self.best.values() if quality(each.trial) == 2}
        best |= {*followed}
        found: dict[str, list[Draft]] = {}
        for draft, message in self.accidents:
            if message not in self.answered and (self.only_accidents or draft in best):
                found.setdefault(message, []).append(draft)
        self.accidents = [each for each in self.accidents if each[1] not in found]
        self.answered |= found.keys()
        simple = {
            message: sorted(drafts, key=lambda d: d.size) for message, drafts in found.items()
        }
        return [(d, message) for message, drafts in simple.items() for d in drafts[:_MOST_OF_ERROR]]

    def missing_lines(self) -> list[int]:
        """Return the lines from which at least one branch was never taken."""
        return sorted({each.line for each in self.coverage.missing}) if self.coverage else []

    def corpus(self) -> list[TrialResult]:
        """Return the drafts that reach something that no better draft reaches, the best first."""
        return sorted(set(self.best.values()), key=lambda e: (e.cost, repr(e.draft)))

    def is_too_large(self, draft: Draft) -> bool:
        """Whether a draft is too long to read, or would likely time out."""
        is_slow = self.late >= _MOST_LATE and has_large_number(draft)
        return is_slow or _length(draft) > self.longest


def _answers(block: Block) -> bool:
    """Whether the target has a `return` statement with a value."""
    return any(
        isinstance(node, ast.Return) and node.value is not None
        for function in block.functions
        for node in own_nodes(function)
    )


def _length(draft: Draft) -> int:
    return sum(map(len, draft.texts))
