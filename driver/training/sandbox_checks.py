"""Fresh inputs run answers, and cases run mutants that are nearly right, in the sandbox.

What fresh inputs refute is wrong, although it passes all cases: no right answer for rejection
sampling, and the hardest wrong answer for preferences.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from atexit import register
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from ...slicer.errors import SliceFuncError
from ...slicer.syntax.dedent import dedented
from ...verifier.execution.executors.choose_executor import choose
from ...verifier.execution.executors.shared_sandboxes import SharedSandboxes
from ...verifier.scoring.score import Candidate
from ..console.progress import Progress
from ..datasets.exports.answers import drawn_mutants, mutant_fates
from ..datasets.scoring.catalogue import Catalogue, open_catalogue
from ..datasets.scoring.warm_scorers import WarmScorers
from ..datasets.storage.columns import EnvironmentRow
from ..places.environment_scorer import ScoreOptions
from ..places.fresh_scorer import FreshScorer, FreshVerdict
from .functions import TrainingFunction
from .preferences import HIDDEN_MUTANT, REFUTED_MUTANT, WrongAnswer

_MOST_MUTANTS = 12
"""Mutants of a function that are run: so many that no case kills, and so many that some case
kills."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """An answer that fresh inputs refute, and the first input that does."""

    code: str
    input: str
    where: str
    expected: str
    observed: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What the sandbox says of a function's answers."""

    refutations: tuple[Refutation, ...] = ()
    why_not: str = ""
    """Why there are no fresh inputs; empty if there are."""
    answers: int = 0
    """Number of answers that fresh inputs agreed with or refuted."""
    unanswered: frozenset[str] = frozenset()
    """Texts that come to no end on fresh inputs."""
    mutants: int = 0
    """Number of mutants that were run."""
    wrong: tuple[WrongAnswer, ...] = ()
    """Mutants that pass all shown cases, and are wrong."""

    @property
    def refuted(self) -> frozenset[str]:
        """Return the texts of what is refuted."""
        return frozenset(each.code for each in self.refutations)


NOT_CHECKED = Checked()
Checks = Callable[[Mapping[TrainingFunction, Sequence[str]]], Mapping[str, Checked]]
"""Checks the answers of functions; returns what it says by id of the function."""


def no_checks(answers: Mapping[TrainingFunction, Sequence[str]]) -> Mapping[str, Checked]:
    """Check nothing."""
    return {}


@dataclass(frozen=True, slots=True)
class SandboxChecks:
    """Checks the answers to a dataset's functions, in a process for each processor.

    Threads would not do: CPython's parser fails in several of them (python/cpython#106905).
    """

    location: str
    """Of the dataset."""
    inputs: int
    """Number of fresh inputs of a function."""
    with_mutants: bool
    """Whether mutants are run, too."""
    seed: int = 0
    progress: Progress | None = None
    """Shows how far it is."""

    def __call__(self, answers: Mapping[TrainingFunction, Sequence[str]]) -> Mapping[str, Checked]:
        """Return what is found of each function that has answers, or mutants to be run."""
        wanted = [each for each in answers if answers[each] or self.with_mutants]
        given = (self.location, self.inputs, self.with_mutants, self.seed)
        spawning = multiprocessing.get_context("spawn")  # this process may have threads
        found: dict[str, Checked] = {}
        if self.progress:
            self.progress.begin(len(wanted), 0)
        pool = ProcessPoolExecutor(
            os.cpu_count(), mp_context=spawning, initializer=_begin, initargs=given
        )
        codes = [tuple(answers[each]) for each in wanted]
        ids = [each.id for each in wanted]
        try:
            for identity, checked in zip(ids, pool.map(_checked, ids, codes), strict=True):
                found[identity] = checked
                if self.progress:
                    self.progress.add(is_good=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for each in multiprocessing.active_children():
                each.terminate()
            raise
        pool.shutdown()
        return found


_worker: list[_Worker] = []
"""The one of this process, in a process that checks."""


def _begin(location: str, inputs: int, with_mutants: bool, seed: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends this one
    catalogue = open_catalogue(location)
    sandboxes = SharedSandboxes(choose().make)
    _worker.append(_Worker(catalogue, sandboxes, inputs, with_mutants, seed))
    register(sandboxes.close)


def _checked(identity: str, codes: Sequence[str]) -> Checked:
    try:
        return _worker[0].checked(identity, codes)
    except SliceFuncError as error:  # nothing is known of its answers
        return Checked(why_not=error.problem)


@dataclass(slots=True)
class _Worker:
    """Checks in one process."""

    catalogue: Catalogue
    sandboxes: SharedSandboxes
    inputs: int
    with_mutants: bool
    seed: int
    _rows: dict[str, EnvironmentRow] = field(default_factory=dict[str, EnvironmentRow])

    def checked(self, identity: str, codes: Sequence[str]) -> Checked:
        """Return what is found of a function.

        Raises:
            SliceFuncError: its environment cannot be prepared here.
        """
        environment = self.catalogue.environment(identity)
        fates = row = None
        if self.with_mutants:
            row = self._row(identity)
            fates = mutant_fates(row, environment)
        with FreshScorer(
            environment,
            seed=self.seed,
            count=self.inputs,
            make=self.sandboxes.lend,
            folder=self.catalogue.root,
        ) as fresh:
            answers = [(each, fresh.check(each)) for each in codes]
            refuted = [_refutation(*each) for each in answers if each[1].answer == "refuted"]
            alive: list[str] = []
            if fates and row and not fresh.why_not:
                alive = drawn_mutants(fates.survived, row, _MOST_MUTANTS)
            wrong = [
                WrongAnswer(dedented(each), REFUTED_MUTANT)
                for each in alive
                if fresh.check(each).answer == "refuted"
            ]
            why_not = fresh.why_not
        killed = drawn_mutants(fates.killed, row, _MOST_MUTANTS) if fates and row else []
        wrong += self._killed_by_hidden(identity, killed)
        decided = sum(verdict.answer != "unknown" for _, verdict in answers)
        late = frozenset(each for each, verdict in answers if _is_late(verdict))
        count = len(alive) + len(killed)
        return Checked(tuple(refuted), why_not, decided, late, count, tuple(wrong))

    def _row(self, identity: str) -> EnvironmentRow:
        if not self._rows:
            self._rows = {row.id: row for row in self.catalogue.dataset.rows()}
        return self._rows[identity]

    def _killed_by_hidden(self, identity: str, mutants: Sequence[str]) -> list[WrongAnswer]:
        """Return the mutants that pass all shown cases and fail hidden ones."""
        scorers = WarmScorers(self.catalogue, self.sandboxes, ScoreOptions())
        try:
            scorer = scorers.prepare(identity)
        except SliceFuncError:
            return []
        scores = [(each, scorer.score(Candidate("mutant", each))) for each in mutants]
        return [
            WrongAnswer(dedented(each), HIDDEN_MUTANT)
            for each, score in scores
            if score.verdict == "failed" and score.cases_passed == score.cases
        ]


def _is_late(verdict: FreshVerdict) -> bool:
    """Whether there were inputs, and the candidate came to no end on them."""
    return verdict.answer == "unknown" and verdict.inputs > 0


def _refutation(code: str, verdict: FreshVerdict) -> Refutation:
    first = verdict.difference
    if first is None:
        return Refutation(code, verdict.code, verdict.reason, "", "")
    return Refutation(code, verdict.code, first.where, first.expected, first.observed)
