"""Synthesis: explore, try the mutants, keep the cases that count, and search on for survivors."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random

from ..execution.batched_trials import Trial
from ..execution.executors.interface import Mutant
from ..inputs.argument_pools import Inputs
from ..mutation.cheap_solutions import cheap_solutions
from ..mutation.mutants import Mutants, mutants_of
from ..mutation.mutated_block import Block
from ..observation.compare_observations import has_effect_beyond_output
from ..observation.decode_records import decode_text
from ..observation.observation import Malformed
from ..observation.values.python_literals import answers
from ..scoring.oracle.oracle import format_difference
from .corpus.draft_sources import NO_SOURCES, DraftSources
from .corpus.search_effort import Effort, EffortBudget
from .corpus.search_result import RivalOutcome, Synthesis, ending, format_gap, hindrance
from .corpus.trial_result import (
    TrialResult,
    intended_exceptions,
    is_as_users_do,
    is_intended,
    is_stable_and_visible,
    plain_arcs,
)
from .corpus.unwrap import OBJECTS, undecorated
from .drafts.code_literals import CodeLiterals
from .drafts.recording_stand_ins import recordings
from .exploration import Budget, Exploration, explore
from .hidden.hidden_cases import MOST_HIDDEN, hidden_calls, simplest
from .mutants.choose_cases import chosen
from .mutants.draft_selection import Selection
from .mutants.rival_cases import discriminate_rivals
from .mutants.survivor_drafts import (
    after_directed,
    after_earlier_calls,
    after_turned_tests,
    environment_drafts,
    survivors_after_crossover,
    survivors_after_form_changes,
    varied,
)
from .plausibility.plausible import PlausibleValues, informed, named_arguments, plausible
from .present.polish import polished, worded
from .strategies.collaborators import recording_collaborators

_CANDIDATES = 24
_IS_PLAIN = re.compile(r"@(?:property|staticmethod|classmethod|\w+\.(?:setter|getter|deleter))")
"""Decorators that leave the function callable as it is."""
_IDLE_ROUNDS = 2
"""Rounds of variation without a kill after which the search stops."""
_ECHOES = 4
_LEAST_SHOWN = 5
"""Least number of cases to show to people, where so many differ."""
_RIVALS_SECONDS = 30.0
"""Seconds that rivals may take on all calls."""
_TIMES_LONGER = 1.5
"""How many times the exploration budget the whole search may take. What has begun still
finishes."""
_VARIED = 0.75
"""Share of the wall-clock budget after which survivors are left alone. The rest is for the kept
cases."""


def synthesise(
    trial: Trial,
    inputs: Inputs,
    block: Block,
    literals: CodeLiterals,
    budget: Budget,
    sources: DraftSources = NO_SOURCES,
    found_some: Callable[[], None] = lambda: None,
) -> Synthesis:
    """Find the cases of a target, and write them as a person would want to read them.

    Args:
        trial: where cases are tried.
        inputs: what can be given to the target.
        block: the target's text.
        literals: literals of the code.
        budget: for exploring; with looking for survivors it may take half as long again.
        sources: drafts from elsewhere, tried where branches are missing or mutants survive.
        found_some: called once there are cases, before the search for hidden ones.
    """
    effort = Effort(trial.run, budget.ends)
    sources = replace(sources, called=cache(sources.called))
    trial = replace(trial, run=effort)
    found = _synthesised(trial, inputs, block, literals, budget, sources, effort, found_some)
    return replace(found, is_cut=effort.is_cut)


def _synthesised(  # noqa: PLR0913, PLR0917 - all that was given, and what it costs
    trial: Trial,
    inputs: Inputs,
    block: Block,
    literals: CodeLiterals,
    budget: Budget,
    sources: DraftSources,
    effort: Effort,
    found_some: Callable[[], None],
) -> Synthesis:
    allowance = effort.allow(budget.seconds * _TIMES_LONGER, _VARIED)
    if _decorators(block):
        inputs = undecorated(trial, inputs, OBJECTS) or inputs
    known = plausible(inputs, block, sources.called(), sources.domain)
    inputs = informed(inputs, known, sources.called())
    found = explore(trial, inputs, block, literals, budget, effort, sources)
    if _is_put_away(found, block) and (unwrapped := undecorated(trial, inputs)) is not None:
        inputs, allowance = unwrapped, effort.allow(budget.seconds * _TIMES_LONGER, _VARIED)
        found = explore(trial, inputs, block, literals, budget, effort, sources)
    if found.failure or found.coverage is None:
        failure = found.failure or "nothing ran"
        return Synthesis(tried=found.tried, failure=failure, code="does_not_run")
    intended = intended_exceptions(block)
    good = [
        e for e in (*found.corpus, *found.others) if known(e.draft) and is_intended(e, intended)
    ]
    plain = plain_arcs(good) if inputs.receivers.has_mutators else None
    usual = known.domain.attained([named_arguments(each.draft) for each in good])
    selection = Selection(
        replace(trial, seconds=found.seconds),
        inputs,
        block,
        lambda each: (
            known(each.draft)
            and is_intended(each, intended)
            and not usual.refusal(named_arguments(replace(each.draft, arguments=())))
            and (plain is None or is_as_users_do(each, plain))
        ),
        allowance=allowance,
    )
    corpus = selection.lasting(found.corpus) or selection.lasting(
        selection.case_candidates(sources.called())
    )
    if found.corpus and not corpus:  # the check of plausibility may have more calls to learn from
        corpus = selection.lasting(found.others)
    if not corpus and not any(known(each.draft) for each in found.corpus):
        known = PlausibleValues({})  # evidence that allows no call is no evidence
        selection.may_be_case = lambda each: is_intended(each, intended)
        corpus = selection.lasting(found.corpus)
    if all(map(_is_blind, corpus)):
        corpus = _passed_on(selection, found) or corpus
    if not corpus:
        return _nothing(selection, found)
    mutants = mutants_of(block).training()
    selection.statements = {made.mutant.name: made.lines for made in mutants.records}
    selection.pool = [corpus[i] for i in chosen([selection.case_value(e) for e in corpus])]
    every = [made.mutant for made in mutants.records]
    # a solution that only echoes the result of one case must be told from the original, too
    every += cheap_solutions(block, tuple(_answers(selection.pool)))
    alive = _after_explored(selection, corpus, found.others, every)
    alive = _after_directed(selection, mutants, alive, allowance)
    if selection.coverage().share >= budget.enough:
        alive = _after_more(selection, mutants, alive, sources, allowance)
        random = Random(budget.seed)  # noqa: S311 - chance, not secrecy
        _vary(selection, mutants, alive, literals, random, budget.drafts, allowance)
    found_some()
    return _kept(selection, found, mutants, every, literals, known, sources)


def _passed_on(selection: Selection, found: Exploration) -> list[TrialResult]:
    """Return calls that show what the target passes on to other functions, if all else is blind."""
    if not selection.inputs.callees:
        return []
    explored = (*found.corpus, *found.others)[:_CANDIDATES]
    drafts = (recording_collaborators(selection.inputs, each.draft) for each in explored)
    shown = [each for each in selection.case_candidates(drafts) if not _is_blind(each)]
    return selection.lasting(shown)


def _is_blind(trial: TrialResult) -> bool:
    """Whether an observation shows only that the call returned."""
    found = decode_text(trial.trial.observation)
    if isinstance(found, Malformed):
        return True
    return not (has_effect_beyond_output(found) or found.stdout or found.effects)


def _answers(trials: Sequence[TrialResult]) -> Iterator[str]:
    """Yield the results of the first few calls, as literals."""
    for each in trials[:_ECHOES]:
        found = decode_text(each.trial.observation)
        if not isinstance(found, Malformed):
            yield from answers(found)


def _nothing(selection: Selection, found: Exploration) -> Synthesis:
    """Return the failed synthesis: it says what keeps the likeliest call from being a case."""
    if found.gap is not None:  # the gap is reported whatever else kept other calls from being cases
        message = format_gap(found.gap)
        return Synthesis(
            tried=found.tried, coverage=found.coverage, failure=message, code="gap", gap=found.gap
        )
    is_reached = found.coverage is not None and found.coverage.is_called
    decorators = _decorators(selection.block)
    code, failure = hindrance(found.first, is_reached=is_reached, decorators=decorators)
    shown = next(filter(is_stable_and_visible, found.corpus), None)
    if shown is not None and not any(map(selection.may_be_case, found.corpus)):
        code, failure = "only_accidents", f"no call ends as it is meant to: {ending(shown)}"
    elif shown is not None:
        again = selection.trial.cases(selection.cases([shown.draft])).tried[0].observation
        code, failure = "unstable", "it differs from run to run"
        failure += format_difference(shown.trial.observation, again) if again else ""
    return Synthesis(tried=found.tried, coverage=found.coverage, failure=failure, code=code)


def _is_put_away(found: Exploration, block: Block) -> bool:
    """Whether no call reached the target and one of its decorators may be the reason."""
    is_reached = found.coverage is not None and found.coverage.is_called
    return not is_reached and not found.failure and bool(_decorators(block))


def _decorators(block: Block) -> tuple[str, ...]:
    """Return the decorators, as source text, that may have replaced the target."""
    made = (f for f in block.functions if not isinstance(f, ast.Lambda))
    written = (f"@{ast.unparse(each)}" for f in made for each in f.decorator_list)
    return tuple(dict.fromkeys(each for each in written if not _IS_PLAIN.fullmatch(each)))


# ------------------------------------------------------------------------------- survivors


def _after_explored(
    selection: Selection,
    corpus: Sequence[TrialResult],
    others: Sequence[TrialResult],
    every: Sequence[Mutant],
) -> list[Mutant]:
    """Return the mutants that survive the explored drafts and the recordings of their stand-ins."""
    alive = selection.survivors(selection.pool, every)
    diverse = _diverse(others, corpus)[:_CANDIDATES]
    usable = filter(selection.may_be_case, diverse)
    more = [e for e in (*corpus, *usable) if e not in selection.pool]
    if alive and more:
        alive = selection.survivors(more[:_CANDIDATES], alive)
    if alive:  # all mutants again: recording stand-ins may now see what no case showed
        known = selection.inputs.signatures
        recorded = (each for e in selection.pool for each in recordings(e.draft, known))
        again = selection.case_candidates(recorded)
        left = selection.survivors(again, every)
        alive = [mutant for mutant in alive if mutant in left]
    return alive


def _diverse(trials: Sequence[TrialResult], known: Sequence[TrialResult]) -> list[TrialResult]:
    """Sort results: those with a new observation first, and cheap ones first among them."""
    seen = {each.trial.observation for each in known}
    first: list[TrialResult] = []
    rest: list[TrialResult] = []
    for each in sorted(trials, key=lambda e: (e.cost, repr(e.draft))):
        (rest if each.trial.observation in seen else first).append(each)
        seen.add(each.trial.observation)
    return first + rest


def _after_directed(
    selection: Selection, mutants: Mutants, alive: list[Mutant], allowance: EffortBudget
) -> list[Mutant]:
    """Return the mutants that survive the drafts made to kill them."""

    def surrounded(survivors: list[Mutant]) -> list[Mutant]:
        found = environment_drafts(selection) if selection.inputs.surroundings else []
        found = found[:_CANDIDATES]
        found += after_earlier_calls(selection) if selection.inputs.keeps_state else []
        return selection.survivors(found, survivors)

    def turned(survivors: list[Mutant]) -> list[Mutant]:
        return after_turned_tests(selection, survivors, _lines(mutants))

    def directed(survivors: list[Mutant]) -> list[Mutant]:
        return after_directed(selection, mutants, survivors)

    return _stepwise((surrounded, turned, directed), alive, allowance)


def _after_more(
    selection: Selection,
    mutants: Mutants,
    alive: list[Mutant],
    sources: DraftSources,
    allowance: EffortBudget,
) -> list[Mutant]:
    """Return the mutants that survive the costlier attempts: all values, and calls from tests."""

    def across(survivors: list[Mutant]) -> list[Mutant]:
        met = selection.covered_mutants(survivors)
        left = survivors_after_crossover(selection, met)
        return [mutant for mutant in survivors if mutant not in met or mutant in left]

    def of_other_forms(survivors: list[Mutant]) -> list[Mutant]:
        return survivors_after_form_changes(selection, mutants, survivors, sources.called())

    def of_model(survivors: list[Mutant]) -> list[Mutant]:
        if sources.survived is None:
            return survivors
        left = {mutant.name for mutant in survivors}
        surviving = [made for made in mutants.records if made.mutant.name in left]
        drafts = sources.survived(surviving) if surviving else ()
        return selection.survivors(selection.case_candidates(drafts), survivors)

    return _stepwise((across, of_other_forms, of_model), alive, allowance)


def _stepwise(
    steps: Sequence[Callable[[list[Mutant]], list[Mutant]]],
    survivors: list[Mutant],
    allowance: EffortBudget,
) -> list[Mutant]:
    for step in steps:
        if survivors and not allowance.is_spent:
            survivors = step(survivors)
    return survivors


def _lines(mutants: Mutants) -> dict[str, int]:
    return {made.mutant.name: made.line for made in mutants.records}


def _vary(
    selection: Selection,
    mutants: Mutants,
    survivors: Sequence[Mutant],
    literals: CodeLiterals,
    random: Random,
    limit: int,
    allowance: EffortBudget,
) -> None:
    """Vary the corpus as long as that kills survivors that a case executes."""
    lines = _lines(mutants)
    idle = 0
    survivors = selection.covered_mutants(survivors)
    while survivors and idle < _IDLE_ROUNDS and selection.tried < limit and not allowance.is_spent:
        before = len(survivors)
        near = {lines.get(mutant.name, 0) for mutant in survivors}
        survivors = selection.survivors(varied(selection, literals, near, random), survivors)
        idle = 0 if len(survivors) < before else idle + 1


# ------------------------------------------------------------------------------- what is kept


def _kept(
    selection: Selection,
    found: Exploration,
    mutants: Mutants,
    every: Sequence[Mutant],
    literals: CodeLiterals,
    domain: PlausibleValues,
    sources: DraftSources,
) -> Synthesis:
    worths = [selection.case_value(e) for e in selection.pool]
    best = [selection.pool[i] for i in chosen(worths)]
    kept, cases = polished(selection, best, every, literals)
    counted = {made.mutant.name for made in mutants.records if not made.is_hint}
    known = {name for each in kept for name in selection.killed(each)}
    left = [made.mutant for made in mutants.records if made.mutant.name not in known]
    selection.survivors(kept, left)  # a simplified case may kill more than before
    explored = [e for e in (*found.corpus, *found.others) if selection.may_be_case(e)]
    found_hidden = hidden_calls(selection, kept, explored, sources.called(), literals, domain)
    hidden, others = found_hidden.chosen, found_hidden.others
    rivalry: RivalOutcome | None = None
    if sources.rivals is not None and selection.allowance is not None:
        selection.allowance = selection.allowance.effort.allow(_RIVALS_SECONDS)
        contenders = sources.rivals(selection.inputs, selection.block)
        discriminated = discriminate_rivals(selection, contenders, kept, hidden, others)
        kept, hidden, rivalry = (
            discriminated.kept,
            discriminated.hidden[:MOST_HIDDEN],
            discriminated.rivalry,
        )
        cases, _ = worded(selection, kept)
    more = simplest(hidden, kept, _LEAST_SHOWN - len(kept))
    if more:
        kept += more
        cases, _ = worded(selection, kept)
    killed = frozenset(name for e in kept for name in selection.killed(e) if name in counted)
    applied = [m for m in mutants.counted().records if m.mutant.name not in selection.not_applied]
    return Synthesis(
        tuple(e.draft for e in kept),
        cases,
        tuple(e.trial.observation for e in kept),
        selection.coverage(kept),
        mutants,
        killed,
        tuple(m for m in applied if m.mutant.name not in killed),
        len(selection.not_applied & counted),
        found.tried + selection.tried,
        gap=found.gap,
        rivalry=rivalry,
        hidden=tuple(selection.cases(each.draft for each in hidden if each not in more)),
        hidden_too_slow=found_hidden.too_slow,
    )
