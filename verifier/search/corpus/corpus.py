"""What a search has found so far: what each draft reached, and what went wrong with which."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from ....slicer.model import Gap
from ...execution.batched_trials import OriginalTrial
from ...mutation.mutated_block import Block, own_nodes
from ...sandbox.trials.time_limit import TimeBudget
from ...script.branch_coverage import Arc, BranchCoverage, branch_coverage, reached
from ..drafts.drafts import Draft
from ..variation.literal_variation import has_large_number
from .trial_result import TrialResult, ends_as_raised, error_arguments, meant_exceptions, quality

_MOST_GOOD = 200
_MOST_FAILED = 30
_MOST_OF_ERROR = 2
_MOST_LATE = 3
"""Calls that do not end in time; then none with large numbers are tried."""
_LONGEST = 1500
"""Characters of a draft, where none of the first is half as long: nobody would read it, and each
step of a variation copies it."""


@dataclass(slots=True)
class Found:
    """Grows with each draft that was tried."""

    block: Block
    span: tuple[int, int]
    """First and last line of the target in its file."""
    patience: TimeBudget
    known: set[Draft] = field(default_factory=set[Draft])
    """Drafts that were made."""
    best: dict[int | Arc, TrialResult] = field(default_factory=dict[int | Arc, TrialResult])
    """Line, or way on → the best draft that reaches it."""
    arcs: set[Arc] = field(default_factory=set[Arc])
    meant: set[Arc] = field(default_factory=set[Arc])
    """Those of calls that end as somebody meant: what an accident comes to is no case."""
    exceptions: re.Pattern[str] = field(init=False)
    """Those that the target raises by name."""
    good: list[TrialResult] = field(default_factory=list[TrialResult])
    failed: list[tuple[Draft, tuple[object, ...]]] = field(
        default_factory=list[tuple[Draft, tuple[object, ...]]]
    )
    """Drafts that did not get far, with the literals that their errors name."""
    accidents: list[tuple[Draft, str]] = field(default_factory=list[tuple[Draft, str]])
    """Drafts that nobody meant to fail so, with what the error says."""
    answered: set[str] = field(default_factory=set[str])
    """What errors said of which it was tried what they ask for."""
    places: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Of the mocked world, asked so far, with their variants."""
    asked: dict[str, Draft] = field(default_factory=dict[str, Draft])
    """Paths where nothing was, and the first draft that asked for each."""
    coverage: BranchCoverage | None = None
    tried: int = 0
    first: TrialResult | None = None
    last: tuple[TrialResult, ...] = ()
    """What came of the drafts that were tried last."""
    gap: Gap | None = None
    ended: int = 0
    """Calls that ended in time."""
    late: int = 0
    """Those that did not."""
    longest: int = _LONGEST
    """Characters that a draft may have."""

    def __post_init__(self) -> None:
        self.exceptions = meant_exceptions(self.block)

    def allow(self, drafts: Sequence[Draft]) -> None:
        """Take drafts that are twice as long as these, too."""
        self.longest = max(_LONGEST, *(2 * _length(draft) for draft in drafts))

    def note(
        self, drafts: Sequence[Draft], tried: Sequence[OriginalTrial]
    ) -> tuple[TrialResult, ...]:
        """Keep what is new in what came of some drafts."""
        self.tried += len(drafts)
        self.last = ()
        for draft, each in zip(drafts, tried, strict=True):
            self._note(TrialResult(draft, replace(each, places=(), asked=())), each)
        arcs = self.arcs if self.only_accidents else self.meant
        self.coverage = branch_coverage(self.block.text, *self.span, frozenset(arcs))
        return self.last

    def _note(self, explored: TrialResult, tried: OriginalTrial) -> None:
        self.places.update(dict(tried.places))
        for path in tried.asked:
            self.asked.setdefault(path, explored.draft)
        self.last = (*self.last, explored)
        self.first = self.first or explored
        self.ended += bool(tried.observation)
        self.late += not tried.observation
        self.patience.note(tried.seconds, is_late=not tried.observation)
        self.gap = self.gap or tried.gap
        if quality(tried) > 0:
            self._note_failure(explored.draft, tried)
        if quality(tried) == 3:
            return
        if quality(tried) < 2 and len(self.good) < _MOST_GOOD:
            self.good.append(explored)
        self.arcs |= tried.arcs
        if quality(tried) < 2 or ends_as_raised(tried, self.exceptions):
            self.meant |= tried.arcs
        for place in reached(self.block.text, *self.span, tried.arcs):
            known = self.best.get(place)
            if known is None or explored.cost < known.cost:
                self.best[place] = explored

    def _note_failure(self, draft: Draft, tried: OriginalTrial) -> None:
        texts = (draft.receiver, *draft.before, *(text for _, text in draft.arguments))
        whole = " ".join(texts)
        said = error_arguments(tried.observation)
        blamed = tuple(v for v in said if repr(v) in whole)
        if quality(tried) > 1 and len(self.accidents) < _MOST_FAILED:
            self.accidents += [(draft, v) for v in said[:1] if isinstance(v, str)]
        if (blamed or quality(tried) == 3) and len(self.failed) < _MOST_FAILED:
            self.failed.append((draft, blamed))

    @property
    def is_done(self) -> bool:
        """Whether nothing of the target is left to be reached, a value that it returns included.

        A line that raises where it should have returned something was reached, too.
        """
        found = self.coverage
        is_whole = found is not None and not found.missing and not found.missing_lines
        return is_whole and (self._has_returned or not _answers(self.block))

    @property
    def _has_returned(self) -> bool:
        return any(quality(each.tried) == 0 for each in self.best.values())

    @property
    def only_accidents(self) -> bool:
        """Whether no call came to an end that anybody meant."""
        return all(quality(each.tried) >= 2 for each in self.best.values())

    def open_accidents(self, followed: Collection[Draft]) -> list[tuple[Draft, str]]:
        """Accidents at places that nothing better reaches, the simplest of each error.

        Each error is named once: what does not lead to another one leads nowhere.

        Args:
            followed: drafts that were made after such errors.
        """
        best = {each.draft for each in self.best.values() if quality(each.tried) == 2}
        best |= {*followed}
        found: dict[str, list[Draft]] = {}
        for draft, said in self.accidents:
            if said not in self.answered and (self.only_accidents or draft in best):
                found.setdefault(said, []).append(draft)
        self.accidents = [each for each in self.accidents if each[1] not in found]
        self.answered |= found.keys()
        simple = {said: sorted(drafts, key=lambda d: d.size) for said, drafts in found.items()}
        return [(d, said) for said, drafts in simple.items() for d in drafts[:_MOST_OF_ERROR]]

    def missing_lines(self) -> list[int]:
        """Lines from which a way on was never taken."""
        return sorted({each.line for each in self.coverage.missing}) if self.coverage else []

    def corpus(self) -> list[TrialResult]:
        """Drafts of which each reaches something that no better one does, the best first."""
        return sorted(set(self.best.values()), key=lambda e: (e.cost, repr(e.draft)))

    def is_too_large(self, draft: Draft) -> bool:
        """Whether a draft is too long to be read, or may take too long to end."""
        is_slow = self.late >= _MOST_LATE and has_large_number(draft)
        return is_slow or _length(draft) > self.longest


def _answers(block: Block) -> bool:
    """Whether the target says what it returns."""
    return any(
        isinstance(node, ast.Return) and node.value is not None
        for function in block.functions
        for node in own_nodes(function)
    )


def _length(draft: Draft) -> int:
    return sum(map(len, draft.texts))
