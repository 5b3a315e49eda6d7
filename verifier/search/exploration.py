"""Coverage-guided exploration: run drafts and keep varying those that reach something new.

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
from ..inputs.statements import Statement
from ..mutation.mutated_block import Block
from ..sandbox.trials.time_limit import TimeBudget
from ..script.branch_coverage import BranchCoverage
from .corpus.corpus import Corpus
from .corpus.draft_sources import NO_SOURCES, DraftSources, UnreachedGoals
from .corpus.search_effort import Effort, EffortBudget
from .corpus.seed_drafts import answered, first_drafts
from .corpus.trial_result import TrialResult, quality
from .drafts.code_literals import CodeLiterals, words_of
from .drafts.drafts import Draft, bare_draft, case_of, first_draft
from .strategies.branch_strategies import BATCH, Strategies
from .strategies.error_repair import repair_draft
from .strategies.laid_out_files import file_drafts, folder_drafts

_PROBES = 6
EXPLORED = 0.45
"""Share of the wall-clock budget after which plain exploration stops."""
_ALL_EXPLORED = 0.55
"""Share of the wall-clock budget after which exploration with replaced collaborators stops."""
_REPLACED = 0.5
"""Share of the budget for drafts that replace what the target calls."""
_REPLACED_FOR_FEW = 0.1
"""The share if only a few branches are missing."""
_MENDS = 8
"""Largest number of times in a row that repairing one error may lead to the next error."""
_MENDED = 16
"""Drafts that are tried at once to repair errors."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of exploration, and the seed of its random choices."""

    drafts: int = 700
    idle_rounds: int = 8
    """Rounds of variation without anything new after which exploration stops."""
    enough: float = 0.8
    """Share of covered branches below which little effort goes into surviving mutants."""
    seed: int = 0
    seconds: float = 40.0
    """Processor seconds for exploring, and again for varying towards survivors. It is only a
    safeguard: a search that ends by time does not end in quite the same place each time."""
    ends: float = math.inf
    """Deadline of the whole search, in terms of `time.monotonic`."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The result of exploration."""

    corpus: tuple[TrialResult, ...]
    """The drafts that reach something that no better draft reaches, the best first."""
    coverage: BranchCoverage | None
    tried: int
    failure: str = ""
    first: TrialResult | None = None
    """The likeliest call, whatever its outcome."""
    others: tuple[TrialResult, ...] = ()
    """Drafts that show some behaviour although they reach nothing new."""
    gap: Gap | None = None
    """The first gap of the slice at which a call ended."""
    seconds: float = 1.0
    """Time limit in seconds for each later call. It is lower than at first if some calls timed
    out."""


def explore(
    trial: Trial,
    inputs: Inputs,
    block: Block,
    literals: CodeLiterals,
    budget: Budget,
    effort: Effort,
    sources: DraftSources = NO_SOURCES,
) -> Exploration:
    """Try drafts until every branch was taken, or the budget is used up.

    Args:
        trial: where cases are tried.
        inputs: what can be given to the target.
        block: the target's text.
        literals: literals of the code.
        budget: when to stop.
        effort: what the trials cost.
        sources: what is tried once nothing else leads on.
    """
    random = Random(budget.seed)  # noqa: S311 - chance, not secrecy
    return _Search(trial, inputs, block, literals, budget, effort, random, sources).run()


@dataclass(slots=True)
class _Search:
    trial: Trial
    inputs: Inputs
    block: Block
    words: CodeLiterals
    budget: Budget
    effort: Effort
    random: Random
    sources: DraftSources
    found: Corpus = field(init=False)
    strategies: Strategies = field(init=False)
    entered: tuple[Statement, ...] = ()
    """Statements that enter a context that the target needs, as far as they work."""

    def __post_init__(self) -> None:
        self.found = Corpus(self.block, self.trial.span, TimeBudget(self.trial.seconds))
        own = words_of(self.block.functions)
        self.strategies = Strategies(self.block, self.words, own, self.random, self.found)

    def run(self) -> Exploration:
        found, allowance = self.found, self.effort.allow(self.budget.seconds, EXPLORED)
        drafts = list(dict.fromkeys((*self.sources.called(), *first_drafts(self.inputs))))
        texts = (*self.strategies.own.texts, *self.words.texts)
        drafts += (*file_drafts(self.inputs), *folder_drafts(self.inputs, self.block, texts))
        found.allow(drafts)
        probes = max(_PROBES, 1 + len(self.inputs.within))
        failure = self._try(drafts[:probes])
        if failure:
            return Exploration((), None, found.tried, failure)
        if not found.ended:  # hundreds of other drafts would time out as well
            return Exploration((), found.coverage, found.tried, first=found.first)
        self._try([d if d.before else replace(d, before=self.entered) for d in drafts[probes:]])
        self._mend()
        if not found.best and self.inputs.kind in ("method", "property"):
            self._try([bare_draft(self.inputs)])
            self._mend()
        self._imitate()
        numbers = (*self.strategies.own.numbers, *self.words.numbers)
        self._try(list(answered(self.inputs, found.places, numbers)))
        self._go_on(allowance)
        self._replace_collaborators()
        if not found.is_done and self.sources.solved is not None:
            near = [each.draft for each in found.corpus()] or [first_draft(self.inputs)]
            self._try_drafts(self.sources.solved(self.trial, self.inputs, near), allowance)
        self._try_model_drafts(allowance)
        corpus = found.corpus()
        others = [each for each in found.good if each not in corpus]
        return Exploration(
            tuple(corpus), found.coverage, found.tried, "", found.first, tuple(others), found.gap,
            found.patience.seconds,
        )  # fmt: skip

    # -------------------------------------------------------------------- when nothing goes well

    def _mend(self) -> None:
        """Repair what errors ask for, where calls only fail by accident, and keep what helps."""
        found = self.found
        drafts: list[Draft] = []
        rest = (p.name for p in self.inputs.pools if p.how == "rest of keywords" and p.call == 0)
        collecting = next(rest, "")
        for _ in range(_MENDS):
            is_alone = found.only_accidents
            accidents = found.open_accidents(drafts)
            named, answered = self.inputs.named, found.answered
            made = [
                repair_draft(d, message, named, answered, collecting) for d, message in accidents
            ]
            turns = (m for turn in zip_longest(*made) for m in turn if m is not None)
            new = (draft for draft in dict.fromkeys(turns) if draft not in found.known)
            drafts = list(islice(new, _MENDED))
            before = set(found.corpus())
            if not drafts or self._try(drafts):
                break
            good = [e for e in found.corpus() if e not in before and quality(e.trial) < 2]
            known = () if is_alone else self.inputs.receivers.texts
            self._adopt([e.draft for e in good if e.draft in drafts], known)

    def _imitate(self) -> None:
        """Try stand-ins that look like the required instances, where all calls fail by accident."""
        if not self.found.only_accidents:
            return
        pools = tuple(replace(p, texts=(*p.stand_ins, *p.texts)) for p in self.inputs.pools)
        if pools != self.inputs.pools:
            self.inputs = replace(self.inputs, pools=pools)
            self._try_new(list(first_drafts(self.inputs)))

    def _adopt(self, drafts: Sequence[Draft], known: Sequence[str]) -> None:
        """From now on call the target with the receivers and arguments of the given drafts.

        Args:
            drafts: drafts whose texts are adopted.
            known: receivers that stay in use as well.
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

    def _try_drafts(self, drafts: Sequence[Draft], allowance: EffortBudget) -> None:
        """Try drafts from another source, and continue from what they reach."""
        before = len(self.found.best)
        self._try_new(drafts)
        if len(self.found.best) > before:
            self._go_on(allowance)

    def _try_model_drafts(self, allowance: EffortBudget) -> None:
        """Report uncovered branches to the outside source, and try its drafts while they help."""
        found = self.found
        last: tuple[TrialResult, ...] = ()
        while (
            self.sources.from_model is not None and found.coverage is not None and not found.is_done
        ):
            near = tuple(found.corpus()) or ((found.first,) if found.first else ())
            known = UnreachedGoals(self.inputs, self.block, found.coverage, near, last)
            drafts = self.sources.from_model(known)
            if not drafts:
                break
            before = len(found.best)
            if self._try_new(list(dict.fromkeys(drafts))):
                break
            last = found.last
            if len(found.best) > before:
                self._go_on(allowance)

    def _replace_collaborators(self) -> None:
        """Replace what the target calls, so that missing branches are taken, and go on there."""
        found = self.found
        is_enough = found.coverage is not None and found.coverage.share >= self.budget.enough
        share = _REPLACED_FOR_FEW if is_enough else _REPLACED
        allowance = self.effort.allow(self.budget.seconds * share, _ALL_EXPLORED)
        most = found.tried + round(self.budget.drafts * share)
        while not found.is_done and not allowance.is_spent and self.inputs.callees:
            before = len(found.best) + len(found.missing_paths)
            drafts = self.strategies.with_replaced_collaborators(self.inputs)
            if (
                not drafts
                or self._try(drafts)
                or len(found.best) + len(found.missing_paths) == before
            ):
                break
            self._go_on(allowance, most)

    def _go_on(self, allowance: EffortBudget, limit: int | None = None) -> None:
        """Vary the corpus until nothing new has been reached for some rounds."""
        found, idle = self.found, 0.0
        while (
            not found.is_done
            and idle < self.budget.idle_rounds
            and found.tried < (limit or self.budget.drafts)
            and not allowance.is_spent
        ):
            before = len(found.best)
            drafts = self.strategies.drafts(self.trial, self.inputs)
            if not drafts or self._try(drafts):
                break
            # a round with next to nothing to try counts for little
            idle = 0 if len(found.best) > before else idle + min(1, len(drafts) / BATCH)

    # -------------------------------------------------------------------- trying

    def _try_new(self, drafts: Sequence[Draft]) -> str:
        return self._try([draft for draft in drafts if draft not in self.found.known])

    def _try(self, drafts: Sequence[Draft]) -> str:
        """Run drafts and record what is new. Return why nothing ran, or an empty text."""
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
        for each in found.add_trials(drafts, trials.tried):
            if quality(each.trial) < 3 and len(each.draft.before) < 2:
                new = (s for s in each.draft.before if s in self.inputs.within)
                self.entered = tuple(dict.fromkeys((*self.entered, *new)))
        self.trial = replace(self.trial, seconds=found.patience.seconds)
        return ""
