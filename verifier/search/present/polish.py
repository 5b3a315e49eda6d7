"""Rewrite kept cases as a person would write them, as long as they show the same."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field, replace

from ...execution.batched_trials import OriginalTrial, Trial
from ...execution.executors.interface import Case, Mutant
from ...inputs.statements import texts_of
from ...mutation.kill_matrix import kills
from ..corpus.trial_result import TrialResult, is_stable_and_visible
from ..drafts.code_literals import CodeLiterals
from ..drafts.drafts import Draft, case_of
from ..drafts.readable import STYLES, readable, same_but_for_names
from ..minimise.shrink import keep_goals, shrunk
from ..minimise.simpler_drafts import Edit, edits_of, literals_in
from ..mutants.draft_selection import Selection
from .case_titles import titles

_TIMES_SLOWER = 20.0
_LEAST_SECONDS = 0.2
_MUTANTS_SECONDS = 10.0
"""Seconds that drafts may take on mutants in one round of shrinking."""


def polished(
    selection: Selection,
    kept: Sequence[TrialResult],
    mutants: Sequence[Mutant],
    literals: CodeLiterals,
) -> tuple[list[TrialResult], tuple[Case, ...]]:
    """Return the same cases, simplified where they still show the same, and their readable forms.

    Args:
        selection: the search's knowledge of these cases.
        kept: the cases to polish.
        mutants: all mutants that were tried.
        literals: literals of the code.
    """
    found = _shrunk(selection, kept, mutants, literals)
    cases, unlike = worded(selection, found)
    again = [kept[i] if i in unlike else each for i, each in enumerate(found)]
    if again != found:
        cases, _ = worded(selection, again)
    return again, cases


def _shrunk(
    selection: Selection,
    kept: Sequence[TrialResult],
    mutants: Sequence[Mutant],
    literals: CodeLiterals,
) -> list[TrialResult]:
    """Return the cases, simplified where possible."""
    cases = keep_goals(kept, selection.places, selection.killed)
    longest = max((e.trial.seconds for e in kept), default=0.0)
    seconds = min(selection.trial.seconds, max(_LEAST_SECONDS, _TIMES_SLOWER * longest))
    trial = replace(selection.trial, seconds=seconds)
    affordable = _MUTANTS_SECONDS / longest if longest else math.inf
    found = shrunk(cases, _OnTrial(selection, trial, mutants, literals), affordable)
    for case, each in zip(cases, found, strict=True):
        selection.killed_by.setdefault(each, set()).update(case.mutants)
    return found


def worded(selection: Selection, kept: Sequence[TrialResult]) -> tuple[tuple[Case, ...], list[int]]:
    """Return each case in its most readable equivalent form, and the indices without one."""
    drafts = [each.draft for each in kept]
    names = titles(drafts, [each.trial.observation for each in kept])
    made = [case_of(selection.inputs, d, name) for d, name in zip(drafts, names, strict=True)]
    found = list(made)
    left = list(range(len(made)))
    for style in STYLES:
        forms = [readable(made[i], style) for i in left]
        tried = selection.trial.cases(forms).tried
        equivalent = {
            i: form
            for i, form, seen in zip(left, forms, tried, strict=False)
            if same_but_for_names(seen.observation, kept[i].trial.observation)
        }
        for i, form in equivalent.items():
            found[i] = form
        left = [i for i in left if i not in equivalent]
        if not left:
            break
    return tuple(found), left


@dataclass(slots=True)
class _OnTrial:
    """Answers the questions of shrinking by running the target."""

    selection: Selection
    trial: Trial
    mutants: Sequence[Mutant]
    words: CodeLiterals
    known: frozenset[object] = field(init=False)

    def __post_init__(self) -> None:
        inputs, words = self.selection.inputs, self.words
        texts = [text for pool in inputs.pools for text in pool.texts]
        texts += (*inputs.receivers.texts, *texts_of(inputs.receivers.states))
        self.known = literals_in(texts) | {*words.texts, *words.matching, *words.numbers}

    def edits(self, draft: Draft) -> Sequence[Edit]:
        return edits_of(draft, self.selection.inputs, self.known)

    def trial_results(self, drafts: Sequence[Draft]) -> Sequence[TrialResult | None]:
        made = self.selection.explored(drafts, self.trial)
        made += [TrialResult(d, OriginalTrial("")) for d in drafts[len(made) :]]
        return [each if is_stable_and_visible(each) else None for each in made]

    def places(self, trial: TrialResult) -> frozenset[Hashable]:
        return self.selection.places(trial)

    def killed(
        self, trials: Sequence[TrialResult], mutants: Collection[str]
    ) -> Sequence[Collection[str]]:
        wanted = [mutant for mutant in self.mutants if mutant.name in mutants]
        cases = self.selection.cases(e.draft for e in trials)
        by_mutant = kills(self.trial, cases, wanted).by_mutant
        return [
            {name for name, cases in by_mutant.items() if at in cases} for at in range(len(trials))
        ]
