"""Search for drafts that kill survivors, by several methods, each as long as it helps."""

from __future__ import annotations

import ast
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from random import Random

from ...execution.executors.interface import Mutant
from ...mutation.mutants import MutantRecord, Mutants
from ...script.branch_coverage import Arc
from ..corpus.trial_result import TrialResult
from ..drafts.code_literals import CodeLiterals, words_of
from ..drafts.draft_literals import literals_of, with_literals
from ..drafts.drafts import Draft, after_call
from ..strategies.input_to_state import correspondences
from ..variation.crossover import cross
from ..variation.literal_variation import in_surroundings, vary
from .directed_drafts import directed
from .draft_selection import Selection

_MORE = 32
_MOST_SURROUNDED = 160
_MOST_BASES = 10
_MOST_BEFORE = 3
_TURNS = 3
"""Rounds in which tests are made to come out otherwise, as long as that helps."""
_NEAREST = 3
_MOST_OF_TEST = 3
_DIRECTED_ROUNDS = 6
_IDLE_ROUNDS = 2
"""Rounds of directed drafts without a kill after which the search stops."""
_BASES = 2
"""Drafts near a mutant from which directed drafts are made."""
_FORMS = 8
"""Drafts of other forms, used once the former have led nowhere."""
_FORM_ROUNDS = 3
_MOST_RECEIVERS = 16


def environment_drafts(selection: Selection) -> list[TrialResult]:
    """Return one draft for each path through the code in each other environment that shows."""
    pool, surroundings = selection.pool, selection.inputs.surroundings
    by_path = {each.trial.arcs: each.draft for each in reversed(pool)}
    made = (in_surroundings(draft, each) for each in surroundings for draft in by_path.values())
    known = {(e.trial.observation, e.trial.arcs) for e in pool}
    found: dict[Hashable, TrialResult] = {}
    for each in selection.case_candidates(islice(made, _MOST_SURROUNDED)):
        found.setdefault((each.trial.observation, each.trial.arcs), each)
    return [each for seen, each in found.items() if seen not in known]


def after_earlier_calls(selection: Selection) -> list[TrialResult]:
    """Return one draft for each path, preceded by a call on the same or another path."""
    by_path = {each.trial.arcs: each.draft for each in reversed(selection.pool)}
    bases = list(dict.fromkeys((*by_path.values(), *(e.draft for e in selection.pool))))[
        :_MOST_BASES
    ]
    made = (
        after_call(selection.inputs, draft, earlier)
        for draft in bases
        for earlier in bases
        if len(draft.before) < _MOST_BEFORE
    )
    return selection.case_candidates(islice(made, _MOST_SURROUNDED))


def after_turned_tests(
    selection: Selection, survivors: list[Mutant], lines: Mapping[str, int]
) -> list[Mutant]:
    """Return the survivors of drafts in which tests near them come out otherwise.

    Args:
        selection: the drafts that were tried.
        survivors: the mutants that survive so far.
        lines: maps the name of a mutant to its line.
    """
    for _ in range(_TURNS):
        if not survivors:
            break
        drafts = _with_turned_tests(selection, {lines.get(m.name, 0) for m in survivors})
        found = selection.case_candidates(drafts)
        arcs = frozenset[Arc]().union(*(each.trial.arcs for each in selection.pool))
        survivors = selection.survivors(found, survivors)
        if not any(each.trial.arcs - arcs for each in found):
            break
    return survivors


def _with_turned_tests(selection: Selection, lines: Collection[int]) -> Iterator[Draft]:
    """Yield drafts that flip a test on one of the lines, or meet its bound."""
    near = sorted(selection.pool, key=lambda e: -len({b for _, b in e.trial.arcs} & {*lines}))
    drafts = [each.draft for each in near[:_NEAREST]]
    trial, inputs, block = selection.trial, selection.inputs, selection.block
    made = correspondences(trial, inputs, block, drafts, lines, _MOST_OF_TEST)
    return islice(made, _MORE)


def after_directed(selection: Selection, mutants: Mutants, alive: list[Mutant]) -> list[Mutant]:
    """Return the survivors of drafts directed at them."""
    tried = {e.draft for e in selection.pool}
    idle = 0
    for _ in range(_DIRECTED_ROUNDS):
        survivors = [made for made in mutants.records if made.mutant in alive]
        drafts = list(islice(_directed(selection, survivors, tried), _MORE))
        if idle == _IDLE_ROUNDS or not drafts:
            break
        before = len(alive)
        alive = selection.survivors(selection.case_candidates(drafts), alive)
        idle = 0 if len(alive) < before else idle + 1
    return alive


def survivors_after_form_changes(
    selection: Selection, mutants: Mutants, alive: list[Mutant], called: Iterable[Draft]
) -> list[Mutant]:
    """Return the survivors of drafts of other forms, and of drafts directed at them from there.

    The simplest drafts leave out what is optional, and so may never reach the place where a change
    shows: a flag of the constructor, an argument that needs another one.

    Args:
        selection: the drafts that were tried.
        mutants: all mutants of the target.
        alive: the mutants that survive so far.
        called: recorded calls of the target.
    """
    cheapest = [e.draft for e in sorted(selection.pool, key=lambda e: (e.cost, repr(e.draft)))[:1]]
    receivers = selection.inputs.receivers.texts[:_MOST_RECEIVERS]
    others = (replace(draft, receiver=text) for draft in cheapest for text in receivers)
    found = selection.case_candidates(chain(called, others))
    alive = selection.survivors(found, alive)
    forms: dict[Draft, TrialResult] = {}
    for each in (*found, *selection.pool):
        forms.setdefault(_form(each.draft), each)
    tried = {each.draft for each in selection.pool}
    for _ in range(_FORM_ROUNDS):
        survivors = [made for made in mutants.records if made.mutant in alive]
        near = {
            line: _reaching(forms.values(), line)[:_FORMS]
            for line in {made.line for made in survivors}
        }
        made = directed(selection.inputs, selection.block, survivors, near)
        drafts = list(islice(_not_yet(made, tried), _MORE))
        if not drafts:
            break
        alive = selection.survivors(selection.case_candidates(drafts), alive)
    return alive


def _reaching(trials: Iterable[TrialResult], line: int) -> list[Draft]:
    return [e.draft for e in trials if any(arc[1] == line for arc in e.trial.arcs)]


def _form(draft: Draft) -> Draft:
    """Return the draft's form: drafts of the same form differ only in numbers and texts."""
    scalars = (e for e in literals_of(draft) if type(e.value) in (str, int, float))
    return with_literals(draft, {each.key: type(each.value).__name__ for each in scalars})


def survivors_after_crossover(selection: Selection, survivors: list[Mutant]) -> list[Mutant]:
    """Return the survivors of drafts that combine receivers and arguments of two drafts."""
    best = sorted(selection.pool, key=lambda e: (-len(selection.killed(e)), e.cost, repr(e.draft)))
    drafts = [*islice(cross([each.draft for each in best]), _MORE)]
    return selection.survivors(selection.case_candidates(drafts), survivors)


def _directed(
    selection: Selection, survivors: Sequence[MutantRecord], tried: set[Draft]
) -> Iterator[Draft]:
    """Yield new drafts directed at surviving mutants, near drafts that reach them."""
    best = sorted(selection.pool, key=lambda e: (e.cost, repr(e.draft)))
    strongest = sorted(best, key=lambda e: -len(selection.killed(e)))
    near = {line: _bases(best, strongest, line) for line in {made.line for made in survivors}}
    yield from _not_yet(directed(selection.inputs, selection.block, survivors, near), tried)


def _not_yet(drafts: Iterable[Draft], tried: set[Draft]) -> Iterator[Draft]:
    """Yield the drafts that are not in `tried` yet, and add them to it."""
    for draft in drafts:
        if draft not in tried:
            tried.add(draft)
            yield draft


def _bases(best: Sequence[TrialResult], strongest: Sequence[TrialResult], line: int) -> list[Draft]:
    """Return some drafts that reach a line, on different paths where there are such.

    Then the strongest draft: a cheap one may pass too little for anything to show.
    """
    paths: set[frozenset[Arc]] = set()
    first: list[Draft] = []
    rest: list[Draft] = []
    for each in best:
        if any(arc[1] == line for arc in each.trial.arcs):
            (rest if each.trial.arcs in paths else first).append(each.draft)
            paths.add(each.trial.arcs)
    strong = _reaching(strongest, line)[:1]
    return list(dict.fromkeys((*[*first, *rest][:_BASES], *strong)))


def varied(
    selection: Selection, literals: CodeLiterals, lines: Collection[int], random: Random
) -> list[TrialResult]:
    """Return new drafts near the known ones, varied with literals of the mutants' lines."""
    nodes = (n for n in ast.walk(ast.parse(selection.block.text)) if isinstance(n, ast.stmt))
    focus = words_of(n for n in nodes if n.lineno in lines and not hasattr(n, "body"))
    drafts: dict[Draft, None] = {}
    for _ in range(_MORE * 4):
        base = random.choice(selection.pool).draft
        drafts[vary(base, selection.inputs, literals, focus, (), random)] = None
        if len(drafts) >= _MORE:
            break
    return selection.case_candidates(drafts)
