"""Score candidates: each in processes of its own, several in parallel, with the verdict made
here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from types import TracebackType
from typing import Self

from ...slicer.errors import expect
from ..execution.executors.choose_executor import choose
from ..execution.executors.executor_pool import Pool, in_order
from ..execution.executors.interface import (
    Case,
    Executor,
    Limits,
    Module,
    Outcome,
    Profile,
    cost_of,
)
from ..observation.compare_observations import Comparison
from ..observation.observation import Observation
from ..sandbox.isolation.wire import END
from ..script.source_map import carried_texts
from .candidates.candidate_text import UnusableCandidate
from .module_holes import FilledText
from .oracle.compiled_cases import compiled_cases, compiled_modules
from .oracle.oracle import (
    NEUTRAL,
    NoCasesError,
    Oracle,
    OracleCase,
    Runs,
    decoded_observation,
    named,
)
from .substitute import template
from .verdict import Added, Judgement, Score, judge

AHEAD = 64
"""Candidates that are submitted before the first verdict is returned."""

LEAST_RECORD_BYTES = 256 << 10
_LONGEST_REASON = 300
_COMPILES_AT = 2
_MOST_BAD_ENDS = 3
"""Cases in which a candidate may hang or exit before the others are skipped."""
_MORE_TIME = 3.0
"""Factor on wall-clock time for a run on a busy machine, and on the cost of one run for all runs of
a candidate."""
_AFTER_HANG = 1.0
"""Seconds for a run after the candidate has hung once: the verdict stands by then."""
_TOO_LONG = "all its runs together take too long"
_IN_HIDDEN: dict[str, str] = {
    "failed": "a hidden case differs",
    "error": "its process does not come to the end of the hidden cases",
    "timeout": "it takes too long in the hidden cases",
    "unsafe": "it reached for what is forbidden in the hidden cases",
}
"""Reasons told about hidden cases. Nothing more is revealed."""
RECORD_FACTOR = 16
"""Largest output of a candidate as a multiple of the original's: reading it costs time here."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may replace the target."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class _Case:
    """A case under a neutral name."""

    name: str
    case: Case
    expected: Observation


class _Cases:
    """Cases of one kind as candidates run them.

    They are compiled at the second use, since compiling does not pay off for a single candidate.
    """

    def __init__(self, recorded: Sequence[OracleCase]) -> None:
        self._cases = tuple(
            _Case(f"case_{number}", each.case, decoded_observation(each.observation))
            for number, each in enumerate(recorded, start=1)
        )
        self._uses = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._cases)

    def ready(self, run: Runs, target: str) -> tuple[_Case, ...]:
        """Return the cases, compiled from the second call on."""
        with self._lock:
            self._uses += 1
            if self._uses == _COMPILES_AT:
                codes = compiled_cases(run, [each.case for each in self._cases], target, Limits())
                self._cases = tuple(map(_with_code, self._cases, codes))
            return self._cases


class _Carried:
    """The carried modules that are the same for all candidates: all but the target's own.

    Like cases, they are compiled at the second use.
    """

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._modules: tuple[Module, ...] = ()
        self._uses = 0
        self._lock = Lock()

    def ready(self, run: Runs) -> tuple[Module, ...]:
        """Return the compiled modules."""
        with self._lock:
            self._uses += 1
            if self._uses == _COMPILES_AT:
                texts = carried_texts(self._oracle.script)
                texts.pop(self._oracle.path, None)
                if modules := [Module(*each) for each in texts.items()]:
                    self._modules = compiled_modules(run, modules, Limits())
            return self._modules


class _HiddenRun:
    """Gives the hidden cases to the process that has passed the shown ones.

    Only a complete pass counts. Otherwise both kinds run again, each in a new process.
    """

    def __init__(
        self,
        shown: Callable[[Outcome], Judgement],
        hidden: Callable[[Outcome], Judgement],
        cases: Sequence[_Case],
    ) -> None:
        """Take the judges for the two parts of the run, and the hidden cases."""
        self._shown = shown
        self._hidden = hidden
        self._cases = cases
        self._first: Judgement | None = None
        self.passed: Judgement | None = None
        """The verdict on the hidden cases, once they have passed."""

    @property
    def has_begun(self) -> bool:
        """Whether the process was given hidden cases."""
        return self._first is not None and self._first.verdict == "passed"

    def __call__(self, records: tuple[str, ...]) -> tuple[Case, ...]:
        """Return the hidden cases, if the records are those of an honest run that passes."""
        with contextlib.suppress(Exception):  # the run as a whole will be judged later
            self._first = self._shown(Outcome("exited", 0, records=records))
        cases = (each.case.renamed(NEUTRAL) for each in self._cases)
        return tuple(cases) if self.has_begun else ()

    def judged(self, outcome: Outcome) -> Judgement | None:
        """Return the verdict on the shown cases, if the whole run passes."""
        if outcome.end != "exited" or outcome.exit_status or END not in outcome.records:
            return None
        rest = outcome.records[outcome.records.index(END) + 1 :]
        found = self._hidden(replace(outcome, records=rest))
        if found.verdict != "passed":
            return None
        self.passed = found
        return self._first


def _with_code(each: _Case, case: Case) -> _Case:
    return replace(each, case=case)


def _together(found: Sequence[Judgement]) -> Judgement:
    """Return the verdict of several runs: the first abnormal end, else the first difference."""
    passed = sum(each.cases_passed for each in found)
    others = [each for each in found if each.verdict != "passed"]
    bad = next((each for each in others if each.verdict != "failed"), None)
    worst = bad or next(iter(others), Judgement("passed"))
    first = next((each.first_difference for each in others if each.first_difference), None)
    return replace(worst, cases_passed=passed, first_difference=first)


def _is_busy() -> bool:
    """Whether more processes want to run than there are processors."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)


class _Pace:
    """The time that the runs of one candidate may still take."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._left = _MORE_TIME * limits.cpu_seconds
        self._has_hung = False

    @property
    def is_spent(self) -> bool:
        """Whether all runs together have taken too long."""
        return self._left <= 0

    def longer(self, outcome: Outcome) -> Limits | None:
        """Return limits for a second run, if only the clock of a busy machine ended the first.

        Such a run may have had little processor time.
        """
        if outcome.end != "timeout" or self._has_hung or not _is_busy():
            return None
        return replace(self.limits, wall_seconds=_MORE_TIME * self.limits.wall_seconds)

    def count_run(self, outcome: Outcome) -> None:
        """Count the cost of a run."""
        self._left -= cost_of(outcome.cpu_seconds, outcome.wall_seconds)
        if outcome.end in {"timeout", "cpu"} and not self._has_hung:
            self._has_hung = True
            least = min(_AFTER_HANG, self.limits.cpu_seconds)
            wall = min(2 * least, self.limits.wall_seconds)
            self.limits = replace(self.limits, cpu_seconds=least, wall_seconds=wall)


class Scorer:
    """Scores candidates for one oracle. Use it as a context manager, or call `close`."""

    def __init__(
        self,
        oracle: Oracle,
        *,
        jobs: int = 1,
        comparison: Comparison | None = None,
        limits: Limits | None = None,
        make: Callable[[], Executor] | None = None,
        profile: Profile | None = None,
        tells_hidden: bool = False,
    ) -> None:
        """Start the workers.

        Args:
            oracle: the recorded behaviour of the original.
            jobs: number of workers.
            comparison: what must agree, and how closely.
            limits: limits of each run.
            make: makes an executor; by default the best one that works here.
            profile: the interpreter of the runs.
            tells_hidden: whether scores contain the number of hidden cases passed. Authors of
                candidates must not see it: it leaks answers, one bit for each candidate.

        Raises:
            SandboxError: no executor works here.
            NoHoleError: the target cannot be cut out of the script.
            NoCasesError: nothing was recorded, so every candidate would pass.
        """
        expect(oracle, Oracle, "the oracle", "open_scorer(folder) reads one")
        if not oracle.recorded:
            raise NoCasesError(
                "no case is left that tells candidates apart: nothing can be scored",
                "write cases (--cases), and the environment anew",
            )
        self.oracle = oracle
        self._comparison = comparison or Comparison()
        sent = sum(len(each.observation) for each in oracle.every)
        limits = limits or Limits()
        self._limits = replace(
            limits,
            record_bytes=min(limits.record_bytes, LEAST_RECORD_BYTES + RECORD_FACTOR * sent),
        )
        self._template = template(oracle.script, oracle.path, oracle.qualname, oracle.imports)
        self._tells_hidden = tells_hidden
        self._shown = _Cases(oracle.recorded)
        self._hidden = _Cases(oracle.hidden)
        self._carried = _Carried(oracle)
        profile = profile or Profile()
        self._pool = Pool(make or choose(profile).make, jobs, profile)
        self._threads = ThreadPoolExecutor(jobs, "scorer")

    def score(self, candidate: Candidate) -> Score:
        """Return the verdict on a candidate. Thread-safe."""
        expect(candidate, Candidate, "the candidate", "write Candidate(name, text)")
        expect(candidate.text, str, "the candidate's text", "decode it first")
        start = time.monotonic()
        try:
            found, hidden_passed = self._found(candidate.text)
        except Exception as error:  # noqa: BLE001 - no text and no run may cost others their verdict
            problem = f"{type(error).__name__}: {error}"[:_LONGEST_REASON]
            found = Judgement("infrastructure", reason=f"no verdict could be found: {problem}")
            hidden_passed = None
        return Score(
            candidate=candidate.name,
            verdict=found.verdict,
            cases_passed=found.cases_passed,
            cases=len(self.oracle.recorded),
            hidden_passed=hidden_passed,
            hidden=len(self.oracle.hidden),
            first_difference=found.first_difference,
            reason=found.reason,
            seconds=round(time.monotonic() - start, 6),
        )

    def submit(self, candidate: Candidate) -> Future[Score]:
        """Submit a candidate. Return the future verdict."""
        return self._threads.submit(self.score, candidate)

    def score_all(self, candidates: Iterable[Candidate]) -> Iterator[Score]:
        """Yield verdicts in the order of the candidates, which are consumed as needed."""
        return in_order(self.submit, candidates, AHEAD)

    async def ascore(self, candidate: Candidate) -> Score:
        """Return the verdict on a candidate, for coroutines."""
        return await asyncio.wrap_future(self.submit(candidate))

    def close(self) -> None:
        """Finish running candidates, then end all workers."""
        self._threads.shutdown(cancel_futures=True)
        self._pool.close()

    def _found(self, text: str) -> tuple[Judgement, int | None]:
        """Return the verdict, and the number of hidden cases passed if that may be told."""
        filled = self._template.filled(text)
        if isinstance(filled, UnusableCandidate):
            return Judgement("error", reason=filled.reason), None
        pace = _Pace(self._limits)
        shown, unseen = (
            kind.ready(self._pool.run, self.oracle.qualname) if len(kind) else ()
            for kind in (self._shown, self._hidden)
        )
        hidden_run: _HiddenRun | None = None
        if unseen:
            first, second = (partial(self._verdict, filled, each) for each in (shown, unseen))
            hidden_run = _HiddenRun(first, second, unseen)
        found = self._judged(filled, shown, pace, hidden_run)
        if not unseen or (found.verdict != "passed" and not self._tells_hidden):
            return found, None if unseen else 0
        hidden = (hidden_run and hidden_run.passed) or self._judged(filled, unseen, pace)
        may_show = self._tells_hidden or hidden.verdict == "passed"
        passed = hidden.cases_passed if may_show else None
        if found.verdict != "passed" or hidden.verdict == "passed":
            return found, passed
        reason = hidden.reason if hidden.verdict == "infrastructure" else _IN_HIDDEN[hidden.verdict]
        return Judgement(hidden.verdict, found.cases_passed, reason=reason), passed

    def _judged(
        self,
        filled: FilledText,
        cases: Sequence[_Case],
        pace: _Pace,
        hidden_run: _HiddenRun | None = None,
    ) -> Judgement:
        """Return the verdict on some cases: from one run, and another one after each bad end."""
        parts = [list(cases)]
        found: list[Judgement] = []
        bad_ends = 0
        while parts and bad_ends < _MOST_BAD_ENDS:
            if pace.is_spent:
                found.append(Judgement("timeout", reason=_TOO_LONG))
                break
            part = parts.pop()
            judged = self._judged_part(filled, part, pace, hidden_run)
            hidden_run = None
            found.append(judged)
            if judged.verdict not in {"passed", "failed"}:
                bad_ends += 1
                if judged.ended is None:
                    break
                if rest := part[judged.ended + 1 :]:
                    parts.append(rest)
        return _together(found)

    def _judged_part(
        self, filled: FilledText, part: Sequence[_Case], pace: _Pace, hidden_run: _HiddenRun | None
    ) -> Judgement:
        """Return the verdict on some cases from one run, or from a second one on a busy machine."""
        cases = [each.case for each in part]
        job = self.oracle.job(filled.text, cases, pace.limits)
        job = replace(job, modules=self._carried.ready(self._pool.run))
        outcome = self._pool.run(replace(job, then=hidden_run))
        if hidden_run and hidden_run.has_begun:
            if found := hidden_run.judged(outcome):
                return found
            outcome = self._pool.run(job)
        if longer := pace.longer(outcome):
            outcome = self._pool.run(replace(job, limits=longer))
        pace.count_run(outcome)
        return self._verdict(filled, part, outcome)

    def _verdict(self, filled: FilledText, part: Sequence[_Case], outcome: Outcome) -> Judgement:
        """Return the verdict that one run of some cases gives."""
        added = Added(self._template.modules, filled.added)
        expected = [(each.name, each.expected) for each in part]
        return judge(
            named(outcome, [each.name for each in part]), expected, self._comparison, added
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is not None and not issubclass(kind, Exception):
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._pool.end()  # after an interrupt nobody waits for candidates
        self.close()


def score(oracle: Oracle, candidates: Iterable[Candidate], *, jobs: int = 1) -> tuple[Score, ...]:
    """Return the verdicts on candidates, in their order.

    Raises:
        SandboxError: no executor works here.
    """
    with Scorer(oracle, jobs=jobs) as scorer:
        return tuple(scorer.score_all(candidates))
