"""Exploring: drafts of cases are tried, and those that reach something new are varied further.

After coverage-guided fuzzing (Zalewski's AFL) and feedback-directed generation (Pacheco et al.,
"Feedback-directed random test generation", ICSE 2007), on expressions instead of bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from random import Random

from ...slicer.model import Gap
from ..execution.batched_trials import Trial
from ..inputs.argument_pools import Inputs
from ..mutation.mutated_block import Block
from ..sandbox.trials.time_limit import TimeBudget
from ..script.branch_coverage import BranchCoverage
from .corpus.corpus import Found
from .corpus.draft_sources import NOTHING_FURTHER, DraftSources, Open
from .corpus.search_effort import Effort, EffortBudget
from .corpus.seed_drafts import answered, first_drafts
from .corpus.trial_result import TrialResult, quality
from .drafts.code_literals import CodeLiterals, words_of
from .drafts.drafts import Draft, bare_draft, case_of, first_draft
from .strategies.branch_strategies import BATCH, Strategies
from .strategies.error_repair import mended
from .strategies.laid_out_files import file_drafts, folder_drafts

_PROBES = 6
EXPLORED = 0.45
"""Of the time by the clock, where there is a bound to it, for exploring,"""
_ALL_EXPLORED = 0.55
"""and with what the target calls replaced."""
_REPLACED = 0.5
"""Of the budget, for replacing what the target calls."""
_REPLACED_FOR_FEW = 0.1
"""The same where only a few branches are missing."""
_MENDS = 8
"""How often in a row what an error asks for leads to the next error."""
_MENDED = 16
"""Drafts that are tried for that at once."""


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop, and the seed of all choices."""

    drafts: int = 700
    idle_rounds: int = 8
    """Rounds of variation that reach nothing new."""
    enough: float = 0.8
    """Share of the branches below which little is done for mutants that survive."""
    seed: int = 0
    seconds: float = 40.0
    """Of the processor, for exploring and again for what varies for survivors; only so that it
    ends: what stops at a time is not quite the same each time."""
    ends: float = math.inf
    """When all of it has to be over, by `time.monotonic`."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What was found."""

    corpus: tuple[TrialResult, ...]
    """Drafts of which each reaches something that no better one does, the best first."""
    coverage: BranchCoverage | None
    tried: int
    failure: str = ""
    first: TrialResult | None = None
    """The likeliest call, whatever came of it."""
    others: tuple[TrialResult, ...] = ()
    """Some that show something, though they reach nothing new."""
    gap: Gap | None = None
    """Of the slice, the first that a call ended at."""
    seconds: float = 1.0
    """That a call may take from here on: less than at first where some did not end."""


def explore(
    trial: Trial,
    inputs: Inputs,
    block: Block,
    words: CodeLiterals,
    budget: Budget,
    effort: Effort,
    further: DraftSources = NOTHING_FURTHER,
) -> Exploration:
    """Try drafts until every branch was taken, or the budget is used up.

    Args:
        trial: where cases are tried.
        inputs: what can be given to the target.
        block: the target's text.
        words: literals of the code.
        budget: when to stop.
        effort: what the trials cost.
        further: what is tried once nothing else leads on.
    """
    random = Random(budget.seed)  # noqa: S311 - chance, not secrecy
    return _Search(trial, inputs, block, words, budget, effort, random, further).run()


@dataclass(slots=True)
class _Search:
    trial: Trial
    inputs: Inputs
    block: Block
    words: CodeLiterals
    budget: Budget
    effort: Effort
    random: Random
    further: DraftSources
    found: Found = field(init=False)
    ways: Strategies = field(init=False)
    entered: tuple[str, ...] = ()
    """What can be entered, of that which the target is called inside of."""

    def __post_init__(self) -> None:
        self.found = Found(self.block, self.trial.span, TimeBudget(self.trial.seconds))
        own = words_of(self.block.functions)
        self.ways = Strategies(self.block, self.words, own, self.random, self.found)

    def run(self) -> Exploration:
        found, allowance = self.found, self.effort.allow(self.budget.seconds, EXPLORED)
        drafts = list(dict.fromkeys((*self.further.called(), *first_drafts(self.inputs))))
        texts = (*self.ways.own.texts, *self.words.texts)
        drafts += (*file_drafts(self.inputs), *folder_drafts(self.inputs, self.block, texts))
        found.allow(drafts)
        probes = max(_PROBES, 1 + len(self.inputs.within))
        failure = self._try(drafts[:probes])
        if failure:
            return Exploration((), None, found.tried, failure)
        if not found.ended:  # so would hundreds of others, each until its time is up
            return Exploration((), found.coverage, found.tried, first=found.first)
        self._try([d if d.before else replace(d, before=self.entered) for d in drafts[probes:]])
        self._mend()
        if not found.best and self.inputs.kind in ("method", "property"):
            self._try([bare_draft(self.inputs)])
            self._mend()
        self._imitate()
        self._leave_stored()
        numbers = (*self.ways.own.numbers, *self.words.numbers)
        self._try(list(answered(self.inputs, found.places, numbers)))
        self._go_on(allowance)
        self._replace_collaborators()
        if not found.is_done and self.further.solved is not None:
            near = [each.draft for each in found.corpus()] or [first_draft(self.inputs)]
            self._try_further(self.further.solved(self.trial, self.inputs, near), allowance)
        self._tell(allowance)
        corpus = found.corpus()
        others = [each for each in found.good if each not in corpus]
        return Exploration(
            tuple(corpus), found.coverage, found.tried, "", found.first, tuple(others), found.gap,
            found.patience.seconds,
        )  # fmt: skip

    # -------------------------------------------------------------------- when nothing goes well

    def _mend(self) -> None:
        """Where only accidents lead on, do what their errors ask for; go on with what helps."""
        found = self.found
        drafts: list[Draft] = []
        rest = (p.name for p in self.inputs.pools if p.how == "rest of keywords" and p.call == 0)
        collecting = next(rest, "")
        for _ in range(_MENDS):
            is_alone = found.only_accidents
            accidents = found.open_accidents(drafts)
            named, answered = self.inputs.named, found.answered
            made = [mended(d, said, named, answered, collecting) for d, said in accidents]
            turns = (m for turn in zip_longest(*made) for m in turn if m is not None)
            new = (draft for draft in dict.fromkeys(turns) if draft not in found.known)
            drafts = list(islice(new, _MENDED))
            before = set(found.corpus())
            if not drafts or self._try(drafts):
                break
            good = [e for e in found.corpus() if e not in before and quality(e.tried) < 2]
            known = () if is_alone else self.inputs.receivers.texts
            self._adopt([e.draft for e in good if e.draft in drafts], known)

    def _imitate(self) -> None:
        """Where all calls end in accidents, take what only looks like the instances asked for."""
        if not self.found.only_accidents:
            return
        pools = tuple(replace(p, texts=(*p.stand_ins, *p.texts)) for p in self.inputs.pools)
        if pools != self.inputs.pools:
            self.inputs = replace(self.inputs, pools=pools)
            self._try_new(list(first_drafts(self.inputs)))

    def _leave_stored(self) -> None:
        """Where all calls end in accidents, do not call the function that the target stores."""
        if self.found.only_accidents and self.inputs.stored:
            own = tuple(pool for pool in self.inputs.pools if not pool.call)
            self.inputs = replace(self.inputs, pools=own, stored="")
            self._try_new(list(first_drafts(self.inputs)))

    def _adopt(self, drafts: Sequence[Draft], known: Sequence[str]) -> None:
        """Call the target on the receivers of some drafts, and with their arguments, from now on.

        Args:
            drafts: those.
            known: receivers that it is called on, too.
        """
        given: dict[str, dict[str, None]] = {}
        for draft in drafts:
            for name, text in draft.arguments:
                given.setdefault(name, {})[text] = None
        pools = tuple(
            replace(pool, texts=tuple(dict.fromkeys((*given.get(pool.name, ()), *pool.texts))))
            for pool in self.inputs.pools
        )
        receivers = self.inputs.receivers
        texts = dict.fromkeys(d.receiver for d in drafts if d.receiver not in receivers.texts)
        if texts:
            receivers = replace(receivers, texts=(*texts, *known))
        if texts or pools != self.inputs.pools:
            self.inputs = replace(self.inputs, receivers=receivers, pools=pools)
            self._try_new(list(first_drafts(self.inputs)))

    # -------------------------------------------------------------------- further

    def _try_further(self, drafts: Sequence[Draft], allowance: EffortBudget) -> None:
        """Try what comes from elsewhere, and go on from there."""
        before = len(self.found.best)
        self._try_new(drafts)
        if len(self.found.best) > before:
            self._go_on(allowance)

    def _tell(self, allowance: EffortBudget) -> None:
        """Tell what is open, and try what comes of that, as long as something does."""
        found = self.found
        last: tuple[TrialResult, ...] = ()
        while self.further.told is not None and found.coverage is not None and not found.is_done:
            near = tuple(found.corpus()) or ((found.first,) if found.first else ())
            known = Open(self.inputs, self.block, found.coverage, near, last)
            drafts = self.further.told(known)
            if not drafts:
                break
            before = len(found.best)
            if self._try_new(list(dict.fromkeys(drafts))):
                break
            last = found.last
            if len(found.best) > before:
                self._go_on(allowance)

    def _replace_collaborators(self) -> None:
        """Where branches are missing, have what the target calls answer otherwise, and go on."""
        found = self.found
        is_enough = found.coverage is not None and found.coverage.share >= self.budget.enough
        share = _REPLACED_FOR_FEW if is_enough else _REPLACED
        allowance = self.effort.allow(self.budget.seconds * share, _ALL_EXPLORED)
        most = found.tried + round(self.budget.drafts * share)
        while not found.is_done and not allowance.is_spent and self.inputs.callees:
            before = len(found.best) + len(found.asked)
            drafts = self.ways.with_replaced_collaborators(self.inputs)
            if not drafts or self._try(drafts) or len(found.best) + len(found.asked) == before:
                break
            self._go_on(allowance, most)

    def _go_on(self, allowance: EffortBudget, most: int | None = None) -> None:
        """Vary what reaches something, until nothing new was reached for some time."""
        found, idle = self.found, 0.0
        while (
            not found.is_done
            and idle < self.budget.idle_rounds
            and found.tried < (most or self.budget.drafts)
            and not allowance.is_spent
        ):
            before = len(found.best)
            drafts = self.ways.drafts(self.trial, self.inputs)
            if not drafts or self._try(drafts):
                break
            # a round that had next to nothing to try has not looked long
            idle = 0 if len(found.best) > before else idle + min(1, len(drafts) / BATCH)

    # -------------------------------------------------------------------- trying

    def _try_new(self, drafts: Sequence[Draft]) -> str:
        return self._try([draft for draft in drafts if draft not in self.found.known])

    def _try(self, drafts: Sequence[Draft]) -> str:
        """Run them, and keep what is new; why nothing ran, where that is so."""
        last: tuple[TrialResult, ...] = ()
        self.found.last = ()
        for some in self.effort.parts(drafts, EXPLORED):
            failure = self._try_at_once(some)
            if failure:
                return failure
            last = self.found.last = (*last, *self.found.last)
        return ""

    def _try_at_once(self, drafts: Sequence[Draft]) -> str:
        found = self.found
        found.known.update(drafts)
        cases = [case_of(self.inputs, draft, f"case_{n}") for n, draft in enumerate(drafts)]
        trials = self.trial.cases(cases)
        if trials.failure:
            found.tried += len(drafts)
            return trials.failure
        for each in found.note(drafts, trials.tried):
            if quality(each.tried) < 3 and len(each.draft.before) < 2:
                new = (text for text in each.draft.before if text in self.inputs.within)
                self.entered = tuple(dict.fromkeys((*self.entered, *new)))
        self.trial = replace(self.trial, seconds=found.patience.seconds)
        return ""
