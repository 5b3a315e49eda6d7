"""Exploring: drafts of cases are tried, and those that reach something new are varied further.

After coverage-guided fuzzing (Zalewski's AFL) and feedback-directed generation (Pacheco et al.,
"Feedback-directed random test generation", ICSE 2007), on expressions instead of bytes.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from random import Random

from ...slicer.model import Gap
from ..branches import Arc, BranchCoverage, branch_coverage, reached
from ..inputs.pools import Inputs
from ..mutation.block import Block
from ..mutation.mutants import Made
from ..sandboxed.limited import Patience
from ..trials import Trial, Tried
from .correspond import correspondences
from .crossed import all_at_once, each_alone, on_others
from .demanded import demanded
from .drafts import Draft, bare_draft, case_of, first_draft
from .explored import Explored, error_arguments, quality
from .failing import failing, open_handlers
from .files import file_statements, may_be_path
from .laid_out import file_drafts, folder_drafts, folder_statement
from .likeliest import answered, first_drafts
from .mended import mended
from .vary import has_large_number, repaired, vary, with_file
from .words import Words, words_of

_BATCH = 48
_PROBES = 6
_MOST_PAIRED = 24
_MOST_FAILED = 30
_MOST_LOGGED = 6
"""Drafts of which it is asked at a time what their tests compare."""
_MOST_LATE = 3
"""Calls that do not end in time; then none with large numbers are tried."""
_LONGEST = 1500
"""Characters of a draft, where none of the first is half as long: nobody would read it, and each
step of a variation copies it."""
_MENDS = 4
"""How often in a row what an error asks for leads to the next error."""
_REPAIRS = 0.2
_BLAMED = 0.7
_MADE = 0.5


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop."""

    drafts: int = 700
    idle_rounds: int = 8
    """Rounds of variation that reach nothing new."""
    enough: float = 0.8
    """Share of the branches below which little is done for mutants that survive."""
    seconds: float = 40.0
    """Of exploring, and again of what varies for survivors; only so that it ends: what stops at the
    clock is not the same each time."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What was found."""

    corpus: tuple[Explored, ...]
    """Drafts of which each reaches something that no better one does, the best first."""
    coverage: BranchCoverage | None
    tried: int
    failure: str = ""
    first: Explored | None = None
    """The likeliest call, whatever came of it."""
    others: tuple[Explored, ...] = ()
    """Some that show something, though they reach nothing new."""
    gap: Gap | None = None
    """Of the slice, the first that a call ended at."""
    waited: float = 0.0
    """Seconds for who was told what is open; they are not the search's."""
    seconds: float = 1.0
    """That a call may take from here on: less than at first where some did not end."""


@dataclass(frozen=True, slots=True)
class Open:
    """What a search has not reached, for whoever may know more."""

    inputs: Inputs
    block: Block
    coverage: BranchCoverage
    near: tuple[Explored, ...]
    """What has come furthest, the best first; else the likeliest call."""
    last: tuple[Explored, ...]
    """What came of the drafts that were given the last time."""


@dataclass(frozen=True, slots=True)
class Further:
    """Drafts from elsewhere, which cost something to get: asked for what nothing else reaches."""

    called: Callable[[], Sequence[Draft]] = tuple
    """The calls that somebody makes."""
    solved: Callable[[Trial, Inputs, Sequence[Draft]], Sequence[Draft]] | None = None
    """Some drafts with arguments that lead elsewhere."""
    told: Callable[[Open], Sequence[Draft]] | None = None
    """Drafts of who is told what is open, until there are none."""
    survived: Callable[[Sequence[Made]], Sequence[Draft]] | None = None
    """Drafts of who is told which mutants survive."""


NOTHING_FURTHER = Further()


def explore(
    trial: Trial,
    inputs: Inputs,
    block: Block,
    words: Words,
    budget: Budget,
    seed: int = 0,
    further: Further = NOTHING_FURTHER,
) -> Exploration:
    """Try drafts until every branch was taken, or the budget is used up.

    Args:
        trial: where cases are tried.
        inputs: what can be given to the target.
        block: the target's text.
        words: literals of the code.
        budget: when to stop.
        seed: of the choices.
        further: what is tried once nothing else leads on.
    """
    search = _Search(trial, inputs, block, words, budget, Random(seed))  # noqa: S311 - chance, not secrecy
    search.further = further
    return search.run()


@dataclass(slots=True)
class _Search:
    trial: Trial
    inputs: Inputs
    block: Block
    words: Words
    budget: Budget
    random: Random
    own: Words = field(init=False)
    """Literals of the target alone."""
    known: set[Draft] = field(default_factory=set[Draft])
    best: dict[int | Arc, Explored] = field(default_factory=dict[int | Arc, Explored])
    """Line, or way on → the best draft that reaches it."""
    arcs: set[Arc] = field(default_factory=set[Arc])
    good: list[Explored] = field(default_factory=list[Explored])
    failed: list[tuple[Draft, tuple[object, ...]]] = field(
        default_factory=list[tuple[Draft, tuple[object, ...]]]
    )
    """Drafts that did not get far, with the literals that their errors name."""
    accidents: list[tuple[Draft, str]] = field(default_factory=list[tuple[Draft, str]])
    """Drafts that nobody meant to fail so, with what the error says."""
    places: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    coverage: BranchCoverage | None = None
    tried: int = 0
    first: Explored | None = None
    gap: Gap | None = None
    ended: int = 0
    """Calls that ended in time."""
    late: int = 0
    """Those that did not."""
    patience: Patience = field(init=False)
    longest: int = _LONGEST
    """Characters that a draft may have."""
    entered: tuple[str, ...] = ()
    """What can be entered, of that which the target is called inside of."""
    asked: set[Draft] = field(default_factory=set[Draft])
    """Of which it is known what their tests compare."""
    paired: set[Draft] = field(default_factory=set[Draft])
    """Those that were tried with each other value of each parameter."""
    demanded: set[tuple[int, Draft]] = field(default_factory=set[tuple[int, Draft]])
    """Lines and drafts whose tests were read."""
    watched: set[tuple[int, Draft]] = field(default_factory=set[tuple[int, Draft]])
    """Handlers, and drafts that came to what these watch, in which that was made to fail."""
    further: Further = NOTHING_FURTHER
    last: tuple[Explored, ...] = ()
    """What came of the drafts that were tried last."""
    waited: float = 0.0

    def __post_init__(self) -> None:
        self.own = words_of(self.block.functions)
        self.patience = Patience(self.trial.seconds)

    def run(self) -> Exploration:
        until = time.monotonic() + self.budget.seconds
        drafts = list(first_drafts(self.inputs))
        texts = (*self.own.texts, *self.words.texts)
        drafts += (*file_drafts(self.inputs), *folder_drafts(self.inputs, self.block, texts))
        self.longest = max(_LONGEST, *(2 * _length(draft) for draft in drafts))
        probes = max(_PROBES, 1 + len(self.inputs.within))
        failure = self._try(drafts[:probes])
        if failure:
            return Exploration((), None, self.tried, failure)
        if not self.ended:  # so would hundreds of others, each until its time is up
            return Exploration((), self.coverage, self.tried, first=self.first)
        self._try([d if d.before else replace(d, before=self.entered) for d in drafts[probes:]])
        self._mend()
        if not self.best and self.inputs.kind in ("method", "property"):
            self._try([bare_draft(self.inputs)])
            self._mend()
        self._imitate()
        self._try(list(answered(self.inputs, self.places)))
        self._go_on(until)
        if not self._is_done():
            self._try_further(self.further.called(), until)
        if not self._is_done() and self.further.solved is not None:
            near = [each.draft for each in self._corpus()] or [first_draft(self.inputs)]
            self._try_further(self.further.solved(self.trial, self.inputs, near), until)
        self._tell(until)
        corpus = self._corpus()
        others = [each for each in self.good if each not in corpus]
        return Exploration(
            tuple(corpus), self.coverage, self.tried, "", self.first, tuple(others), self.gap,
            self.waited, self.patience.seconds,
        )  # fmt: skip

    def _mend(self) -> None:
        """While all calls end in accidents, do what their errors ask for; go on with what helps."""
        for _ in range(_MENDS):
            if any(quality(each.tried) < 2 for each in self.best.values()):
                break
            accidents, self.accidents = self.accidents, []
            made = (m for d, said in accidents for m in mended(d, said, self.inputs.named))
            drafts = list(dict.fromkeys(islice((d for d in made if d not in self.known), _PROBES)))
            before = len(self.best)
            if not drafts or self._try(drafts):
                break
            if len(self.best) > before:
                self._receive([e.draft for e in self._corpus() if e.draft in drafts])

    def _imitate(self) -> None:
        """Where all calls end in accidents, take what only looks like the instances asked for."""
        if any(quality(each.tried) < 2 for each in self.best.values()):
            return
        pools = tuple(replace(p, texts=(*p.stand_ins, *p.texts)) for p in self.inputs.pools)
        if pools != self.inputs.pools:
            self.inputs = replace(self.inputs, pools=pools)
            self._try([draft for draft in first_drafts(self.inputs) if draft not in self.known])

    def _receive(self, drafts: Sequence[Draft]) -> None:
        """Call the target on the receivers of some drafts from now on."""
        known = self.inputs.receivers.texts
        texts = dict.fromkeys(d.receiver for d in drafts if d.receiver not in known)
        if texts:
            found = replace(self.inputs.receivers, texts=tuple(texts))
            self.inputs = replace(self.inputs, receivers=found)
            self._try([draft for draft in first_drafts(self.inputs) if draft not in self.known])

    def _try_further(self, drafts: Sequence[Draft], until: float) -> None:
        """Try what comes from elsewhere, and go on from there."""
        before = len(self.best)
        self._try([draft for draft in drafts if draft not in self.known])
        if len(self.best) > before:
            self._go_on(until)

    def _tell(self, until: float) -> None:
        """Tell what is open, and try what comes of that, as long as something does."""
        self.last = ()
        while self.further.told is not None and self.coverage is not None and not self._is_done():
            near = tuple(self._corpus()) or ((self.first,) if self.first else ())
            known = Open(self.inputs, self.block, self.coverage, near, self.last)
            asked = time.monotonic()
            drafts = self.further.told(known)
            self.waited += time.monotonic() - asked  # or who answers late would cut the search
            until += time.monotonic() - asked
            if not drafts:
                break
            before = len(self.best)
            if self._try([draft for draft in dict.fromkeys(drafts) if draft not in self.known]):
                break
            last = self.last
            if len(self.best) > before:
                self._go_on(until)
            self.last = last

    def _go_on(self, until: float) -> None:
        """Vary what reaches something, until nothing new was reached for some time."""
        idle = 0
        while (
            not self._is_done()
            and idle < self.budget.idle_rounds
            and self.tried < self.budget.drafts
            and time.monotonic() < until
        ):
            before = len(self.best)
            ways = (self._demanded, self._failing, self._corresponding, self._paired, self._varied)
            drafts = next((found for way in ways if (found := list(way()))), None)
            if not drafts or self._try(drafts):
                break
            idle = 0 if len(self.best) > before else idle + 1

    # -------------------------------------------------------------------- trying

    def _try(self, drafts: Sequence[Draft]) -> str:
        """Run them, and keep what is new; why nothing ran, where that is so."""
        self.last = ()
        if not drafts:
            return ""
        self.known.update(drafts)
        cases = [case_of(self.inputs, draft, f"case_{n}") for n, draft in enumerate(drafts)]
        found = self.trial.cases(cases)
        self.tried += len(drafts)
        if found.failure:
            return found.failure
        for draft, tried in zip(drafts, found.tried, strict=True):
            self.places.update(dict(tried.places))
            explored = Explored(draft, replace(tried, places=()))
            self.last = (*self.last, explored)
            self.first = self.first or explored
            self.ended += bool(tried.observation)
            self.late += not tried.observation
            self.patience.note(tried.seconds, is_late=not tried.observation)
            self.gap = self.gap or tried.gap
            if quality(tried) < 3 and draft.before[1:] == ():
                new = (each for each in draft.before if each in self.inputs.within)
                self.entered = tuple(dict.fromkeys((*self.entered, *new)))
            if quality(tried) > 0:
                self._note_failure(draft, tried)
            if quality(tried) == 3:
                continue
            if quality(tried) < 2 and len(self.good) < 200:
                self.good.append(explored)
            self.arcs |= tried.arcs
            for place in reached(self.block.text, *self.trial.span, tried.arcs):
                known = self.best.get(place)
                if known is None or explored.cost < known.cost:
                    self.best[place] = explored
        self.trial = replace(self.trial, seconds=self.patience.seconds)
        self.coverage = branch_coverage(self.block.text, *self.trial.span, frozenset(self.arcs))
        return ""

    def _note_failure(self, draft: Draft, tried: Tried) -> None:
        texts = (draft.receiver, *draft.before, *(text for _, text in draft.arguments))
        whole = " ".join(texts)
        said = error_arguments(tried.observation)
        blamed = tuple(v for v in said if repr(v) in whole)
        if quality(tried) > 1 and len(self.accidents) < _MOST_FAILED:
            self.accidents += [(draft, v) for v in said[:1] if isinstance(v, str)]
        if (blamed or quality(tried) == 3) and len(self.failed) < _MOST_FAILED:
            self.failed.append((draft, blamed))

    def _is_done(self) -> bool:
        found = self.coverage
        return found is not None and not found.missing and not found.missing_lines

    # -------------------------------------------------------------------- drafts

    def _demanded(self) -> Iterator[Draft]:
        """Drafts with all that the text of a test asks for that has not come out both ways."""
        for line in self._missing_lines():
            near = next((e.draft for e in self._corpus() if _comes_to(e, line)), None)
            if near is not None and (line, near) not in self.demanded:
                self.demanded.add((line, near))
                made = demanded(self.inputs, self.block, near, line)
                yield from (draft for draft in made if draft not in self.known)

    def _failing(self) -> Iterator[Draft]:
        """Drafts in which a call fails that a handler waits for which nothing came to."""
        missing = frozenset(self.coverage.missing_lines) if self.coverage else frozenset[int]()
        for line, first in open_handlers(self.block, missing):
            near = next((e.draft for e in self._corpus() if _comes_to(e, first)), None)
            if near is not None and (line, near) not in self.watched:
                self.watched.add((line, near))
                made = failing(self.inputs, self.block, near, line)
                yield from (draft for draft in made if draft not in self.known)

    def _missing_lines(self) -> list[int]:
        return sorted({each.line for each in self.coverage.missing}) if self.coverage else []

    def _corresponding(self) -> Iterator[Draft]:
        """Drafts in which a test that is in the way may come out otherwise, by what it compared."""
        missing = self.coverage.missing if self.coverage else ()
        lines = {each.line for each in missing}
        drafts = self._nearest(lines)
        self.asked.update(drafts)
        made = correspondences(self.trial, self.inputs, self.block, drafts, lines)
        for draft in islice(made, _BATCH * 6):
            if draft not in self.known and not self._is_too_large(draft):
                self.known.add(draft)
                yield draft

    def _paired(self) -> Iterator[Draft]:
        """The best drafts that come to a missing line, with something else that is otherwise, too.

        It may have been tried already, but alone it has led nowhere.
        """
        corpus = self._corpus()
        for line in self._missing_lines():
            ends = [e for e in self.good if _ends_at(e, line)]
            near = [e for e in corpus if _comes_to(e, line)]
            for group in (ends, near):
                base = next((e.draft for e in group if e.draft not in self.paired), None)
                if base is not None:
                    self.paired.add(base)
                    others = (all_at_once, each_alone, on_others)
                    made = chain.from_iterable(each(self.inputs, base) for each in others)
                    yield from islice((d for d in made if d not in self.known), _MOST_PAIRED)

    def _nearest(self, lines: Collection[int]) -> list[Draft]:
        """The best drafts that come to each of the lines, and else to the most of the code."""
        corpus = self._corpus()
        found: dict[Draft, None] = {}
        for line in sorted(lines):
            near = [e for e in corpus if _comes_to(e, line)]
            found.update(dict.fromkeys(e.draft for e in near[:1]))
        furthest = sorted(corpus, key=lambda e: -len(e.tried.arcs))
        found.update(dict.fromkeys(e.draft for e in furthest))
        near = [draft for draft in found if draft not in self.asked][:_MOST_LOGGED]
        return [*near, *self._richest_failure()]

    def _richest_failure(self) -> list[Draft]:
        """A draft that fails by what it gives though much else was given: that may have to fit."""
        failed = [d for d, blamed in self.failed if blamed and d.before and d not in self.asked]
        return sorted(failed, key=lambda d: (-len(d.before), repr(d)))[:1]

    def _corpus(self) -> list[Explored]:
        return sorted(set(self.best.values()), key=lambda e: (e.cost, repr(e.draft)))

    def _is_too_large(self, draft: Draft) -> bool:
        is_slow = self.late >= _MOST_LATE and has_large_number(draft)
        return is_slow or _length(draft) > self.longest

    def _varied(self) -> Iterator[Draft]:
        corpus = self._corpus()
        if not corpus:
            corpus = [Explored(first_draft(self.inputs), Tried(""))]
        places = sorted(self.places.items())
        lines = self._missing_lines()
        focus = {line: words_of(_conditions(self.block.text).get(line, ())) for line in lines}
        made = attempts = 0
        while made < _BATCH and attempts < _BATCH * 6:
            attempts += 1
            line = self.random.choice(lines) if lines else 0
            near = [e for e in corpus if _comes_to(e, line)]
            base = self.random.choice(near if near and self.random.random() < 0.8 else corpus)
            words = focus.get(line, self.words)
            if self.failed and self.random.random() < _REPAIRS:
                failed, blamed = self.random.choice(self.failed)
                paths = [v for v in blamed if isinstance(v, str) and may_be_path(v)]
                if paths and self.random.random() < _MADE:
                    path = self.random.choice(paths)
                    statements = file_statements(path, self.own.texts)
                    statements += (folder_statement(path, self.own.texts),)
                    draft = with_file(failed, self.random.choice(statements))
                elif blamed and self.random.random() < _BLAMED:
                    draft = repaired(failed, blamed, self.words, self.random)
                else:
                    draft = vary(failed, self.inputs, self.words, words, places, self.random)
            else:
                draft = vary(base.draft, self.inputs, self.words, words, places, self.random)
            if self._is_too_large(draft):
                continue
            if draft not in self.known:
                self.known.add(draft)
                made += 1
                yield draft


def _length(draft: Draft) -> int:
    return sum(map(len, draft.texts))


def _comes_to(explored: Explored, line: int) -> bool:
    return any(arc[1] == line for arc in explored.tried.arcs)


def _ends_at(explored: Explored, line: int) -> bool:
    """Whether it comes to a line and not on from there, as the line raises."""
    arcs = explored.tried.arcs
    is_met = _comes_to(explored, line)
    goes_on = any(before == line and after > 0 for before, after in arcs)
    return is_met and not goes_on and quality(explored.tried) == 1


@lru_cache(maxsize=4)
def _conditions(text: str) -> Mapping[int, tuple[ast.AST, ...]]:
    """Line → the expressions that decide where it goes on to."""
    found: dict[int, list[ast.AST]] = {}
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                found.setdefault(node.lineno, []).append(test)
            case ast.For(iter=items) | ast.AsyncFor(iter=items):
                found.setdefault(node.lineno, []).append(items)
            case ast.match_case(pattern=pattern):
                found.setdefault(pattern.lineno, []).append(pattern)
            case _:
                pass
    return {line: tuple(nodes) for line, nodes in found.items()}
