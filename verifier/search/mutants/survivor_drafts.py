"""Drafts for mutants that survive, in several ways, each tried as long as it leads further."""

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
from ..variation.crossover import crossed
from ..variation.literal_variation import in_surroundings, vary
from .directed_drafts import directed
from .draft_selection import Selection

_MORE = 32
_MOST_SURROUNDED = 160
_MOST_BASES = 10
_MOST_BEFORE = 3
_TURNS = 3
"""Rounds in which tests are turned, as long as that leads further."""
_NEAREST = 3
_MOST_OF_TEST = 3
_DIRECTED_ROUNDS = 6
_IDLE_ROUNDS = 2
"""Rounds of drafts that mutants ask for which kill nothing."""
_BASES = 2
"""Drafts that reach a mutant from which others are made for it,"""
_FORMS = 8
"""and those of other forms, once these have led nowhere."""
_FORM_ROUNDS = 3
_MOST_RECEIVERS = 16


def in_other_surroundings(selection: Selection) -> list[TrialResult]:
    """One draft for each way through the code, in other surroundings, where these tell."""
    pool, surroundings = selection.pool, selection.inputs.surroundings
    ways = {each.tried.arcs: each.draft for each in reversed(pool)}
    made = (in_surroundings(draft, each) for each in surroundings for draft in ways.values())
    known = {(e.tried.observation, e.tried.arcs) for e in pool}
    found: dict[Hashable, TrialResult] = {}
    for each in selection.shown(islice(made, _MOST_SURROUNDED)):
        found.setdefault((each.tried.observation, each.tried.arcs), each)
    return [each for seen, each in found.items() if seen not in known]


def after_earlier_calls(selection: Selection) -> list[TrialResult]:
    """One draft for each way through the code after a call that goes another way, or the same."""
    ways = {each.tried.arcs: each.draft for each in reversed(selection.pool)}
    bases = list(dict.fromkeys((*ways.values(), *(e.draft for e in selection.pool))))[:_MOST_BASES]
    made = (
        after_call(selection.inputs, draft, earlier)
        for draft in bases
        for earlier in bases
        if len(draft.before) < _MOST_BEFORE
    )
    return selection.shown(islice(made, _MOST_SURROUNDED))


def after_turned_tests(
    selection: Selection, alive: list[Mutant], lines: Mapping[str, int]
) -> list[Mutant]:
    """What is left once the tests near the survivors have come out otherwise.

    Args:
        selection: what was tried.
        alive: the mutants.
        lines: name of a mutant → its line.
    """
    for _ in range(_TURNS):
        if not alive:
            break
        drafts = _with_turned_tests(selection, {lines.get(m.name, 0) for m in alive})
        found = selection.shown(drafts)
        arcs = frozenset[Arc]().union(*(each.tried.arcs for each in selection.pool))
        alive = selection.survivors(found, alive)
        if not any(each.tried.arcs - arcs for each in found):
            break
    return alive


def _with_turned_tests(selection: Selection, lines: Collection[int]) -> Iterator[Draft]:
    """Drafts that turn a test on one of the lines, or come to its bound."""
    near = sorted(selection.pool, key=lambda e: -len({b for _, b in e.tried.arcs} & {*lines}))
    drafts = [each.draft for each in near[:_NEAREST]]
    trial, inputs, block = selection.trial, selection.inputs, selection.block
    made = correspondences(trial, inputs, block, drafts, lines, _MOST_OF_TEST)
    return islice(made, _MORE)


def after_directed(selection: Selection, mutants: Mutants, alive: list[Mutant]) -> list[Mutant]:
    """What is left of the mutants once drafts were tried that the survivors ask for."""
    asked = {e.draft for e in selection.pool}
    idle = 0
    for _ in range(_DIRECTED_ROUNDS):
        survivors = [made for made in mutants.made if made.mutant in alive]
        drafts = list(islice(_directed(selection, survivors, asked), _MORE))
        if idle == _IDLE_ROUNDS or not drafts:
            break
        before = len(alive)
        alive = selection.survivors(selection.shown(drafts), alive)
        idle = 0 if len(alive) < before else idle + 1
    return alive


def after_other_forms(
    selection: Selection, mutants: Mutants, alive: list[Mutant], called: Iterable[Draft]
) -> list[Mutant]:
    """What is left once drafts of other forms were tried, and what the survivors ask of these.

    The simplest drafts leave out what is optional, and with it may never come to where a change
    shows: a flag of the constructor, an argument that has to go with another.

    Args:
        selection: what was tried.
        mutants: all of them.
        alive: those that are left.
        called: the calls that somebody makes of the target.
    """
    cheapest = [e.draft for e in sorted(selection.pool, key=lambda e: (e.cost, repr(e.draft)))[:1]]
    receivers = selection.inputs.receivers.texts[:_MOST_RECEIVERS]
    others = (replace(draft, receiver=text) for draft in cheapest for text in receivers)
    found = selection.shown(chain(called, others))
    alive = selection.survivors(found, alive)
    forms: dict[Draft, TrialResult] = {}
    for each in (*found, *selection.pool):
        forms.setdefault(_form(each.draft), each)
    asked = {each.draft for each in selection.pool}
    for _ in range(_FORM_ROUNDS):
        survivors = [made for made in mutants.made if made.mutant in alive]
        near = {
            line: _reaching(forms.values(), line)[:_FORMS]
            for line in {made.line for made in survivors}
        }
        made = directed(selection.inputs, selection.block, survivors, near)
        drafts = list(islice(_not_yet(made, asked), _MORE))
        if not drafts:
            break
        alive = selection.survivors(selection.shown(drafts), alive)
    return alive


def _reaching(explored: Iterable[TrialResult], line: int) -> list[Draft]:
    return [e.draft for e in explored if any(arc[1] == line for arc in e.tried.arcs)]


def _form(draft: Draft) -> Draft:
    """The draft but for its numbers and texts: what has the same form differs in these alone."""
    scalars = (e for e in literals_of(draft) if type(e.value) in (str, int, float))
    return with_literals(draft, {each.key: type(each.value).__name__ for each in scalars})


def after_crossed(selection: Selection, alive: list[Mutant]) -> list[Mutant]:
    """What is left once receivers were given the arguments of other drafts."""
    best = sorted(selection.pool, key=lambda e: (-len(selection.killed(e)), e.cost, repr(e.draft)))
    drafts = [*islice(crossed([each.draft for each in best]), _MORE)]
    return selection.survivors(selection.shown(drafts), alive)


def _directed(
    selection: Selection, survivors: Sequence[MutantRecord], asked: set[Draft]
) -> Iterator[Draft]:
    """Drafts for surviving mutants near those that reach them, which were not asked for yet."""
    best = sorted(selection.pool, key=lambda e: (e.cost, repr(e.draft)))
    strongest = sorted(best, key=lambda e: -len(selection.killed(e)))
    near = {line: _bases(best, strongest, line) for line in {made.line for made in survivors}}
    yield from _not_yet(directed(selection.inputs, selection.block, survivors, near), asked)


def _not_yet(drafts: Iterable[Draft], asked: set[Draft]) -> Iterator[Draft]:
    """New drafts, which are added to `asked`."""
    for draft in drafts:
        if draft not in asked:
            asked.add(draft)
            yield draft


def _bases(best: Sequence[TrialResult], strongest: Sequence[TrialResult], line: int) -> list[Draft]:
    """Some drafts that come to a line, of which each goes another way where there is one.

    Then the one that kills the most: what is cheap may give too little for anything to show.
    """
    ways: set[frozenset[Arc]] = set()
    first: list[Draft] = []
    rest: list[Draft] = []
    for each in best:
        if any(arc[1] == line for arc in each.tried.arcs):
            (rest if each.tried.arcs in ways else first).append(each.draft)
            ways.add(each.tried.arcs)
    strong = _reaching(strongest, line)[:1]
    return list(dict.fromkeys((*[*first, *rest][:_BASES], *strong)))


def varied(
    selection: Selection, words: CodeLiterals, lines: Collection[int], random: Random
) -> list[TrialResult]:
    """New drafts near those that are there, with words of the lines that still can change."""
    nodes = (n for n in ast.walk(ast.parse(selection.block.text)) if isinstance(n, ast.stmt))
    focus = words_of(n for n in nodes if n.lineno in lines and not hasattr(n, "body"))
    drafts: dict[Draft, None] = {}
    for _ in range(_MORE * 4):
        base = random.choice(selection.pool).draft
        drafts[vary(base, selection.inputs, words, focus, (), random)] = None
        if len(drafts) >= _MORE:
            break
    return selection.shown(drafts)
