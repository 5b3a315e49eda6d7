"""Scoring candidates: each in processes of its own, several at once, the verdict made here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from ..executors.choose import choose
from ..executors.interface import Executor, Limits, Profile
from ..executors.pool import Pool, in_order
from ..observations.compare import Comparison
from .candidate import Unusable
from .holes import Filled
from .oracle import NoCasesError, Oracle, decoded_observation, named
from .substitute import template
from .verdict import Added, Judgement, Score, judge

AHEAD = 64
"""Candidates that are taken before the first verdict is given back."""

LEAST_RECORD_BYTES = 256 << 10
_LONGEST_REASON = 300
RECORD_FACTOR = 16
"""What a candidate may send, in sizes of what the original sends: reading it costs time here."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may stand for the target."""

    name: str
    text: str


class Scorer:
    """Scores candidates for one oracle; use it as a context manager, or call `close`."""

    def __init__(
        self,
        oracle: Oracle,
        *,
        jobs: int = 1,
        comparison: Comparison | None = None,
        limits: Limits | None = None,
        make: Callable[[], Executor] | None = None,
        profile: Profile | None = None,
    ) -> None:
        """Start the workers.

        Args:
            oracle: what the original does.
            jobs: workers.
            comparison: what must agree.
            limits: of each run.
            make: makes an executor; the best one that works here if not given.
            profile: the interpreter of the runs.

        Raises:
            SandboxError: no executor works here.
            NoHoleError: the target cannot be cut out of the script.
            NoCasesError: nothing was recorded, so every candidate would pass.
        """
        if not oracle.recorded:
            raise NoCasesError("no case is left that tells candidates apart: nothing can be scored")
        self.oracle = oracle
        self._comparison = comparison or Comparison()
        sent = sum(len(each.observation) for each in oracle.every)
        limits = limits or Limits()
        self._limits = replace(
            limits,
            record_bytes=min(limits.record_bytes, LEAST_RECORD_BYTES + RECORD_FACTOR * sent),
        )
        self._template = template(oracle.script, oracle.path, oracle.qualname, oracle.imports)
        self._expected = tuple(
            (each.case.name, decoded_observation(each.observation)) for each in oracle.every
        )
        profile = profile or Profile()
        self._pool = Pool(make or choose(profile).make, jobs, profile)
        self._threads = ThreadPoolExecutor(jobs, "scorer")

    def score(self, candidate: Candidate) -> Score:
        """The verdict; callable from any thread."""
        start = time.monotonic()
        try:
            found = self._found(candidate.text)
        except Exception as error:  # noqa: BLE001 - no text and no run may cost others their verdict
            told = f"{type(error).__name__}: {error}"[:_LONGEST_REASON]
            found = Judgement("infrastructure", reason=f"no verdict could be found: {told}")
        return Score(
            candidate=candidate.name,
            verdict=found.verdict,
            cases_passed=found.cases_passed,
            cases=len(self.oracle.recorded),
            hidden_passed=found.hidden_passed,
            hidden=len(self.oracle.hidden),
            first_difference=found.first_difference,
            reason=found.reason,
            seconds=round(time.monotonic() - start, 6),
        )

    def submit(self, candidate: Candidate) -> Future[Score]:
        """The verdict, later."""
        return self._threads.submit(self.score, candidate)

    def score_all(self, candidates: Iterable[Candidate]) -> Iterator[Score]:
        """Verdicts in the order of the candidates, which are taken as they are needed."""
        return in_order(self.submit, candidates, AHEAD)

    async def ascore(self, candidate: Candidate) -> Score:
        """The same as `score`, for coroutines."""
        return await asyncio.wrap_future(self.submit(candidate))

    def close(self) -> None:
        """Finish what runs, then end all workers."""
        self._threads.shutdown(cancel_futures=True)
        self._pool.close()

    def _found(self, text: str) -> Judgement:
        filled = self._template.filled(text)
        if isinstance(filled, Unusable):
            return Judgement("error", reason=filled.reason)
        return self._judged(filled)

    def _judged(self, filled: Filled) -> Judgement:
        if not self.oracle.is_apart:
            return self._judged_part(filled, 0, len(self._expected))
        passed = hidden_passed = 0
        first: Judgement | None = None
        for number in range(len(self._expected)):
            found = self._judged_part(filled, number, number + 1)
            passed += found.cases_passed
            hidden_passed += found.hidden_passed
            if found.verdict not in {"passed", "failed"}:
                return found
            if found.verdict == "failed":
                first = first or found
        found = first or Judgement("passed")
        return replace(found, cases_passed=passed, hidden_passed=hidden_passed)

    def _judged_part(self, filled: Filled, first: int, last: int) -> Judgement:
        """The verdict on some cases, by one run."""
        cases = [each.case for each in self.oracle.every[first:last]]
        outcome = self._pool.run(self.oracle.job(filled.text, cases, self._limits))
        added = Added(self._template.modules, filled.added)
        outcome = named(outcome, cases)
        shown = max(len(self.oracle.recorded) - first, 0)
        return judge(outcome, self._expected[first:last], self._comparison, added, shown=shown)

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
            self._pool.end()  # whoever interrupts does not wait for candidates
        self.close()


def score(oracle: Oracle, candidates: Iterable[Candidate], *, jobs: int = 1) -> tuple[Score, ...]:
    """The verdicts on these candidates, in their order.

    Raises:
        SandboxError: no executor works here.
    """
    with Scorer(oracle, jobs=jobs) as scorer:
        return tuple(scorer.score_all(candidates))
