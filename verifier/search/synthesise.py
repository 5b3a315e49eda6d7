"""Synthesis: explore, try the mutants, keep what counts, and look further where mutants survive."""

from __future__ import annotations

import ast
import time
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from random import Random
from typing import Literal

from ..branches import Arc, BranchCoverage, branch_coverage, reached
from ..executors.interface import Case, Mutant
from ..inputs.pools import Inputs
from ..mutation.block import Block
from ..mutation.cheap import cheap_solutions
from ..mutation.kills import kills
from ..mutation.mutants import Made, Mutants, mutants_of
from ..observations.decode import decode_text
from ..observations.evidence import evidence
from ..observations.literals import answers
from ..observations.model import Malformed
from ..observations.render import render
from ..scoring.oracle import told_difference
from ..trials import Trial, Tried
from .correspond import correspondences
from .directed import directed
from .drafts import Draft, case_of
from .explore import (
    NOTHING_FURTHER,
    Budget,
    Exploration,
    Explored,
    Further,
    explore,
    quality,
)
from .keep import Worth, chosen
from .readable import STYLES, readable, same_but_for_names
from .recording import recording
from .shrink import shrunk, wanted
from .simpler import Edit, edits_of, literals_in
from .titles import titles
from .vary import in_surroundings, vary
from .words import Words, words_of

_CANDIDATES = 24
_MORE = 32
_DIRECTED_ROUNDS = 6
_BASES = 2
"""Drafts that reach a mutant from which others are made for it."""
_IDLE_ROUNDS = 2
"""Rounds of variation that kill nothing."""
_NEAREST = 3
_MOST_OF_TEST = 3
_TURNS = 3
"""Rounds in which tests are turned, as long as that leads further."""
_ECHOES = 4
_TIMES_SLOWER = 20.0
_LEAST_SECONDS = 0.2
_MOST_SURROUNDED = 160

Code = Literal[
    "no_function", "does_not_run", "constructor", "not_called", "too_slow", "unstable",
    "shows_nothing",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Synthesis:
    """The cases of a target, and what they are worth."""

    drafts: tuple[Draft, ...] = ()
    cases: tuple[Case, ...] = ()
    observations: tuple[str, ...] = ()
    """What the original does in each, as JSON."""
    coverage: BranchCoverage | None = None
    mutants: Mutants | None = None
    killed: frozenset[str] = frozenset()
    survived: tuple[Made, ...] = ()
    not_applied: int = 0
    tried: int = 0
    failure: str = ""
    code: Code | None = None
    """What kind of failure it is."""

    @property
    def kill_rate(self) -> float | None:
        """From 0 to 1, of the mutants that were applied; `None` where there were none."""
        total = len(self.killed) + len(self.survived)
        return len(self.killed) / total if total else None


def synthesise(
    trial: Trial,
    inputs: Inputs,
    block: Block,
    words: Words,
    budget: Budget,
    seed: int = 0,
    further: Further = NOTHING_FURTHER,
) -> Synthesis:
    """Cases for a target, the way a person would want to read them.

    Args:
        trial: where cases are tried.
        inputs: what can be given to the target.
        block: the target's text.
        words: literals of the code.
        budget: for exploring; looking for survivors may take as long again.
        seed: of all choices.
        further: drafts from elsewhere, tried where branches are missing or mutants survive.
    """
    further = replace(further, called=cache(further.called))
    found = explore(trial, inputs, block, words, budget, seed, further)
    if found.failure or found.coverage is None:
        failure = found.failure or "nothing ran"
        return Synthesis(tried=found.tried, failure=failure, code="does_not_run")
    random = Random(seed)  # noqa: S311 - chance, not secrecy
    return _Selection(trial, inputs, block, words, random, budget, further).of(found)


@dataclass(slots=True)
class _Selection:
    trial: Trial
    inputs: Inputs
    block: Block
    words: Words
    random: Random
    budget: Budget
    further: Further
    pool: list[Explored] = field(default_factory=list[Explored])
    killed_by: dict[Explored, set[str]] = field(default_factory=dict[Explored, set[str]])
    not_applied: set[str] = field(default_factory=set[str])
    tried: int = 0
    """Drafts beside those of the exploration."""
    statements: dict[str, tuple[int, int] | None] = field(
        default_factory=dict[str, tuple[int, int] | None]
    )
    """Lines of the statement that a mutant changes; no other mutant is about one only."""
    mutants: dict[str, Mutant] = field(default_factory=dict[str, Mutant])
    """All that were tried, by name."""

    def of(self, found: Exploration) -> Synthesis:
        """What is kept of an exploration."""
        until = time.monotonic() + self.budget.seconds
        corpus = self._seen(found.corpus) or self._shown(self.further.called())
        if not corpus:
            return self._nothing(found)
        mutants = mutants_of(self.block)
        self.statements = {made.mutant.name: made.lines for made in mutants.made}
        self.pool = [corpus[i] for i in chosen([self._worth(e) for e in corpus])]
        alive = [made.mutant for made in mutants.made]
        # who only echoes what one case shows must be told from the original, too
        alive += cheap_solutions(self.block, tuple(self._answers()))
        every = alive
        self.mutants = {mutant.name: mutant for mutant in every}
        alive = self._try(self.pool, alive)
        others = _diverse(found.others, corpus)[:_CANDIDATES]
        more = [e for e in (*corpus, *self._seen(others)) if e not in self.pool]
        if alive and more:
            alive = self._try(more[:_CANDIDATES], alive)
        if alive:  # all mutants again: what records may then stand alone
            again = self._shown(map(recording, (e.draft for e in self.pool)))
            left = self._try(again, every)
            alive = [mutant for mutant in alive if mutant in left]
        lines = {made.mutant.name: made.line for made in mutants.made}
        if alive and self.inputs.surroundings:
            alive = self._try(self._surrounded(), alive)
        alive = self._turned(alive, lines)
        alive = self._direct(mutants, alive)
        if alive:
            alive = self._try(self._shown(self.further.called()), alive)
        idle = 0
        alive = self._near(alive)
        while alive and idle < _IDLE_ROUNDS and self.tried < self.budget.drafts:
            if time.monotonic() > until:
                break
            before = len(alive)
            alive = self._try(self._varied({lines.get(m.name, 0) for m in alive}), alive)
            idle = 0 if len(alive) < before else idle + 1
        return self._kept(found, mutants)

    def _answers(self) -> Iterator[str]:
        """What calls return, as literals, the first few of them."""
        for each in self.pool[:_ECHOES]:
            found = decode_text(each.tried.observation)
            if not isinstance(found, Malformed):
                yield from answers(found)

    def _nothing(self, found: Exploration) -> Synthesis:
        """Why no case is left: of the likeliest call, what is in its way."""
        code, failure = _hindrance(found.first)
        for each in found.corpus:
            if quality(each.tried.observation) < 3 and _shows(each):
                again = self.trial.cases(self.cases([each.draft])).tried[0].observation
                code, failure = "unstable", "it differs from run to run"
                failure += told_difference(each.tried.observation, again) if again else ""
                break
        return Synthesis(tried=found.tried, coverage=found.coverage, failure=failure, code=code)

    def _seen(self, explored: Sequence[Explored]) -> list[Explored]:
        """Those that show something, and the same thing again."""
        shown = [e for e in explored if quality(e.tried.observation) < 3 and _shows(e)]
        if not shown:
            return []
        again = self.trial.cases(self.cases(e.draft for e in shown)).tried
        return [
            e for e, tried in zip(shown, again, strict=True)
            if same_but_for_names(tried.observation, e.tried.observation)
        ]  # fmt: skip

    def cases(self, drafts: Iterable[Draft]) -> list[Case]:
        """The cases that some drafts stand for."""
        return [case_of(self.inputs, d, f"case_{n}") for n, d in enumerate(drafts)]

    def _try(self, explored: Sequence[Explored], mutants: Sequence[Mutant]) -> list[Mutant]:
        """Note who kills whom; the mutants that are left."""
        if not explored or not mutants:
            return list(mutants)
        drafts = self.cases(e.draft for e in explored)
        found = kills(self.trial, drafts, [self._placed(m, explored) for m in mutants])
        self.not_applied |= found.not_applied
        self.pool += [e for e in explored if e not in self.pool]
        for name, cases in found.by_mutant.items():
            for case in cases:
                self.killed_by.setdefault(explored[case], set()).add(name)
        killed = {name for name, cases in found.by_mutant.items() if cases}
        return [m for m in mutants if m.name not in killed and m.name not in self.not_applied]

    def _placed(self, mutant: Mutant, explored: Sequence[Explored]) -> Mutant:
        """The mutant, to be tried where its statement runs: elsewhere it is the original."""
        first, last = self.statements.get(mutant.name) or self.trial.span
        arcs = (each.tried.arcs for each in explored)
        near = (n for n, of in enumerate(arcs) if any(first <= line <= last for _, line in of))
        return replace(mutant, cases=tuple(near))

    def _near(self, mutants: Sequence[Mutant]) -> list[Mutant]:
        """Those whose statement some case runs: what never runs was looked for long enough."""
        return [m for m in mutants if self._placed(m, self.pool).cases != ()]

    def _surrounded(self) -> list[Explored]:
        """One draft for each way through the code, in other surroundings, where these tell."""
        ways = {each.tried.arcs: each.draft for each in reversed(self.pool)}
        made = (in_surroundings(d, s) for s in self.inputs.surroundings for d in ways.values())
        known = {(e.tried.observation, e.tried.arcs) for e in self.pool}
        found: dict[Hashable, Explored] = {}
        for each in self._shown(islice(made, _MOST_SURROUNDED)):
            found.setdefault((each.tried.observation, each.tried.arcs), each)
        return [each for seen, each in found.items() if seen not in known][:_CANDIDATES]

    def _turned(self, alive: list[Mutant], lines: Mapping[str, int]) -> list[Mutant]:
        """What is left once the tests near the survivors have come out otherwise."""
        for _ in range(_TURNS):
            if not alive:
                break
            found = self._shown(self._corresponding({lines.get(m.name, 0) for m in alive}))
            arcs = frozenset[Arc]().union(*(each.tried.arcs for each in self.pool))
            alive = self._try(found, alive)
            if not any(each.tried.arcs - arcs for each in found):
                break
        return alive

    def _corresponding(self, lines: Collection[int]) -> Iterator[Draft]:
        """Drafts that turn a test on one of the lines, or come to its bound."""
        near = sorted(self.pool, key=lambda e: -len({b for _, b in e.tried.arcs} & {*lines}))
        drafts = [each.draft for each in near[:_NEAREST]]
        made = correspondences(self.trial, self.inputs, self.block, drafts, lines, _MOST_OF_TEST)
        return islice(made, _MORE)

    def _direct(self, mutants: Mutants, alive: list[Mutant]) -> list[Mutant]:
        """Try drafts that the surviving mutants ask for, as long as they kill some of them."""
        asked = {e.draft for e in self.pool}
        idle = 0
        for _ in range(_DIRECTED_ROUNDS):
            survivors = [made for made in mutants.made if made.mutant in alive]
            drafts = list(islice(self._directed(survivors, asked), _MORE))
            if idle == _IDLE_ROUNDS or not drafts:
                break
            before = len(alive)
            alive = self._try(self._shown(drafts), alive)
            idle = 0 if len(alive) < before else idle + 1
        return alive

    def _directed(self, survivors: Sequence[Made], asked: set[Draft]) -> Iterator[Draft]:
        """Drafts for surviving mutants near those that reach them, which were not asked for yet."""
        best = sorted(self.pool, key=lambda e: (e.cost, repr(e.draft)))
        near = {
            line: [e.draft for e in best if any(arc[1] == line for arc in e.tried.arcs)][:_BASES]
            for line in {made.line for made in survivors}
        }
        for draft in directed(self.inputs, self.block, survivors, near):
            if draft not in asked:
                asked.add(draft)
                yield draft

    def _varied(self, lines: Collection[int]) -> list[Explored]:
        """New drafts near those that are there, with words of the lines that still can change."""
        nodes = (n for n in ast.walk(ast.parse(self.block.text)) if isinstance(n, ast.stmt))
        focus = words_of(n for n in nodes if n.lineno in lines and not hasattr(n, "body"))
        drafts: dict[Draft, None] = {}
        for _ in range(_MORE * 4):
            base = self.random.choice(self.pool).draft
            draft = vary(base, self.inputs, self.words, focus, (), self.random)
            drafts[draft] = None
            if len(drafts) >= _MORE:
                break
        return self._shown(drafts)

    def _shown(self, drafts: Iterable[Draft]) -> list[Explored]:
        """Those of some new drafts that do not fail by accident, and show something."""
        known = {e.draft for e in self.pool}
        drafts = [draft for draft in dict.fromkeys(drafts) if draft not in known]
        if not drafts:
            return []
        found = self.trial.cases(self.cases(drafts)).tried
        self.tried += len(drafts)
        made = [Explored(d, replace(t, places=())) for d, t in zip(drafts, found, strict=False)]
        return self._seen([e for e in made if quality(e.tried.observation) < 2])

    def _kept(self, found: Exploration, mutants: Mutants) -> Synthesis:
        worths = [self._worth(e) for e in self.pool]
        kept, cases = self._short([self.pool[i] for i in chosen(worths)])
        counted = {made.mutant.name for made in mutants.made}
        killed = frozenset(n for e in kept for n in self.killed_by.get(e, ()) if n in counted)
        arcs = frozenset[Arc]().union(*(e.tried.arcs for e in kept))
        drafts = tuple(e.draft for e in kept)
        observations = tuple(e.tried.observation for e in kept)
        made = [m for m in mutants.made if m.mutant.name not in self.not_applied]
        return Synthesis(
            drafts,
            cases,
            observations,
            branch_coverage(self.block.text, *self.trial.span, arcs),
            mutants,
            killed,
            tuple(m for m in made if m.mutant.name not in killed),
            len(self.not_applied & counted),
            found.tried + self.tried,
        )

    def _short(self, kept: Sequence[Explored]) -> tuple[list[Explored], tuple[Case, ...]]:
        """The same cases, simpler where that shows the same each time; and how they are read."""
        found = self._shrunk(kept)
        cases, unlike = self._readable(found)
        again = [kept[i] if i in unlike else each for i, each in enumerate(found)]
        if again != found:
            cases, _ = self._readable(again)
        return again, cases

    def _shrunk(self, kept: Sequence[Explored]) -> list[Explored]:
        """The same cases, simpler where they can be, with what is known of them."""
        cases = wanted(kept, self.places, lambda e: self.killed_by.get(e, frozenset()))
        longest = max((e.tried.seconds for e in kept), default=0.0)
        seconds = min(self.trial.seconds, max(_LEAST_SECONDS, _TIMES_SLOWER * longest))
        found = shrunk(cases, _OnTrial(self, replace(self.trial, seconds=seconds)))
        for case, each in zip(cases, found, strict=True):
            self.killed_by.setdefault(each, set()).update(case.mutants)
        return found

    def _readable(self, kept: Sequence[Explored]) -> tuple[tuple[Case, ...], list[int]]:
        """The cases, each in the most readable form that shows the same; those without one."""
        drafts = [each.draft for each in kept]
        names = titles(drafts, [each.tried.observation for each in kept])
        made = [case_of(self.inputs, d, name) for d, name in zip(drafts, names, strict=True)]
        found = list(made)
        left = list(range(len(made)))
        for style in STYLES:
            forms = [readable(made[i], style) for i in left]
            tried = self.trial.cases(forms).tried
            alike = {
                i: form
                for i, form, seen in zip(left, forms, tried, strict=False)
                if same_but_for_names(seen.observation, kept[i].tried.observation)
            }
            for i, form in alike.items():
                found[i] = form
            left = [i for i in left if i not in alike]
            if not left:
                break
        return tuple(found), left

    def places(self, explored: Explored) -> frozenset[Hashable]:
        """Lines and branches that count, which a case reaches."""
        return frozenset(reached(self.block.text, *self.trial.span, explored.tried.arcs))

    def _worth(self, explored: Explored) -> Worth:
        places = self.places(explored)
        killed = self.killed_by.get(explored, frozenset[str]())
        return Worth(frozenset[Hashable]((*places, *killed)), explored.cost)


@dataclass(slots=True)
class _OnTrial:
    """What shrinking asks, answered by runs of the target."""

    selection: _Selection
    trial: Trial
    known: frozenset[object] = field(init=False)

    def __post_init__(self) -> None:
        inputs, words = self.selection.inputs, self.selection.words
        texts = [text for pool in inputs.pools for text in pool.texts]
        texts += (*inputs.receivers.texts, *inputs.receivers.states)
        self.known = literals_in(texts) | {*words.texts, *words.matching, *words.numbers}

    def edits(self, draft: Draft) -> Sequence[Edit]:
        return edits_of(draft, self.selection.inputs, self.known)

    def tried(self, drafts: Sequence[Draft]) -> Sequence[Explored | None]:
        found = self.trial.cases(self.selection.cases(drafts)).tried
        self.selection.tried += len(drafts)
        made = [Explored(d, replace(t, places=())) for d, t in zip(drafts, found, strict=False)]
        made += [Explored(d, Tried("")) for d in drafts[len(made) :]]
        return [e if quality(e.tried.observation) < 3 and _shows(e) else None for e in made]

    def places(self, explored: Explored) -> frozenset[Hashable]:
        return self.selection.places(explored)

    def killed(
        self, explored: Sequence[Explored], mutants: Collection[str]
    ) -> Sequence[Collection[str]]:
        asked = [m for name, m in self.selection.mutants.items() if name in mutants]
        cases = self.selection.cases(e.draft for e in explored)
        by_mutant = kills(self.trial, cases, asked).by_mutant
        return [
            {name for name, cases in by_mutant.items() if at in cases}
            for at in range(len(explored))
        ]


def _diverse(explored: Sequence[Explored], known: Sequence[Explored]) -> list[Explored]:
    """What shows something else than what is known goes first, and in that what is cheap."""
    seen = {each.tried.observation for each in known}
    first: list[Explored] = []
    rest: list[Explored] = []
    for each in sorted(explored, key=lambda e: (e.cost, repr(e.draft))):
        (rest if each.tried.observation in seen else first).append(each)
        seen.add(each.tried.observation)
    return first + rest


def _shows(explored: Explored) -> bool:
    found = decode_text(explored.tried.observation)
    return not isinstance(found, Malformed) and evidence(found) != "none"


def _hindrance(first: Explored | None) -> tuple[Code, str]:
    """What came of a call that reached nothing, or showed nothing."""
    if first is None or not first.tried.observation:
        return "too_slow", "the likeliest call does not end in time, or ends the process"
    found = decode_text(first.tried.observation)
    if isinstance(found, Malformed) or found.outcome in {"returned", "raised", "unobservable"}:
        return "shows_nothing", "shows nothing"
    told = render(found.exception, found)
    made = first.draft.receiver.partition("(")
    if made[1] and first.draft.receiver.endswith(")"):
        return "constructor", f"the constructor of {made[0]}: {told}"
    return "not_called", told
