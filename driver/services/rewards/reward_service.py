"""The service without HTTP: a bounded number of accepted candidates, each of which is answered."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from ....slicer.errors import SliceFuncError
from ....verifier.scoring.score import Candidate
from ....verifier.scoring.verdict import Score
from ...datasets.scoring.catalogue import Catalogue
from ...datasets.scoring.warm_scorers import WarmScorers
from ...record.score_log import ScoreLog
from .metrics import Metrics
from .verdict_memory import VerdictMemory

_PREPARING = 2
"""Threads that read environments and install what they need, beside the workers."""
_SLOW_AFTER = 1.0
"""Seconds after which a candidate, which may hang, no longer keeps others waiting."""
_SLOW = 4
"""Most candidates that run beside the workers for that reason, as a multiple of these."""
_SMOOTHING = 0.05
"""Weight of the last score in the mean time of a score."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """One candidate for one environment."""

    environment: str
    candidate: str


@dataclass(frozen=True, slots=True)
class ServiceOptions:
    """How much is done at once."""

    workers: int = 2
    """Candidates that are scored at once."""
    queue: int = 64
    """Accepted candidates that may wait."""
    remembered: int = 10_000
    """Verdicts that are kept, so that the same candidate is not run again."""
    has_feedback: bool = True
    """Whether answers have more than verdict and reward."""
    hidden_counts: bool = False
    """Whether answers have counts of hidden cases."""

    @property
    def threads(self) -> int:
        """Return how many candidates run at once when many are slow."""
        return self.workers * (1 + _SLOW)


class RewardService:
    """Accepts candidates while there is room, and scores them."""

    def __init__(
        self,
        scorers: WarmScorers,
        options: ServiceOptions,
        metrics: Metrics,
        report: Callable[[str], None],
        log: ScoreLog | None = None,
    ) -> None:
        """Take the scorers, a function that prints a line for people, and a log of all scores."""
        self.options = options
        self.metrics = metrics
        self.is_stopping = False
        self._scorers = scorers
        self._memory = VerdictMemory(options.remembered)
        self._report = report
        self._log = log
        self._workers = ThreadPoolExecutor(options.threads, "score")
        self._free = asyncio.Semaphore(options.workers)
        self._slow = 0
        self._preparing = ThreadPoolExecutor(_PREPARING, "prepare")
        self._accepted = 0
        self._running = 0
        self._mean = 0.05
        self._faults: set[str] = set()
        metrics.watch(self._gauges, scorers.sandboxes.usage)

    @property
    def catalogue(self) -> Catalogue:
        """Return the environments that it scores."""
        return self._scorers.catalogue

    @property
    def most(self) -> int:
        """Return how many candidates can be accepted at once."""
        return self.options.workers + self.options.queue

    @property
    def room(self) -> int:
        """Return how many further candidates can be accepted now."""
        return self.most - self._accepted + self._slow

    @property
    def retry_after(self) -> int:
        """Return after how many seconds half of what waits will be done."""
        return max(1, math.ceil(self._accepted * self._mean / self.options.workers / 2))

    def accept(self, count: int) -> bool:
        """Accept so many candidates, or none of them; `scores` must follow."""
        if count > self.room:
            return False
        self._accepted += count
        return True

    async def scores(self, requests: list[ScoreRequest]) -> list[dict[str, Any]]:
        """Return the answers to accepted requests, in their order."""
        return list(await asyncio.gather(*map(self._answered, requests)))

    def close(self) -> None:
        """End the threads, which have nothing left to do."""
        self._preparing.shutdown()
        self._workers.shutdown()

    async def _answered(self, request: ScoreRequest) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        begin = loop.time()
        try:
            found = await self._memory.answer(
                request.environment, request.candidate, partial(self._scored, request, loop)
            )
        except SliceFuncError as error:  # nothing is known about the candidate
            found = _no_verdict(str(error))
        except Exception as error:  # noqa: BLE001 - whatever fails here, the candidate did not
            found = _no_verdict(f"{type(error).__name__}: {error}")
        finally:
            self._accepted -= 1
        self.metrics.seconds.observe(loop.time() - begin)
        self.metrics.scores.labels(found["verdict"]).inc()
        if found["verdict"] == "infrastructure":
            self._say_fault(str(found["reason"]))
        if self._log is not None:
            self._log.add(request.environment, request.candidate, found)
        if not self.options.has_feedback:
            found = {name: found[name] for name in ("verdict", "reward")}
        elif not self.options.hidden_counts:
            found = {**found, "hidden_passed": None, "hidden": None}
        return {"environment": request.environment, **found}

    async def _scored(
        self, request: ScoreRequest, loop: asyncio.AbstractEventLoop
    ) -> dict[str, Any]:
        scorer = self._scorers.ready(request.environment)
        if scorer is None:
            scorer = await loop.run_in_executor(
                self._preparing, self._scorers.prepare, request.environment
            )
        candidate = Candidate(request.environment, request.candidate)
        score = await self._run(partial(scorer.score, candidate), loop)
        self._mean += _SMOOTHING * (score.seconds - self._mean)
        found = score.to_json()
        del found["candidate"]
        return found

    async def _run(self, call: Callable[[], Score], loop: asyncio.AbstractEventLoop) -> Score:
        """Return the score when a worker was free for it; a slow one makes room for others."""
        await self._free.acquire()
        self._running += 1
        is_slow = False
        try:
            coming = loop.run_in_executor(self._workers, call)
            await asyncio.wait((coming,), timeout=_SLOW_AFTER)
            if not coming.done() and self._slow < _SLOW * self.options.workers:
                is_slow = True
                self._slow += 1
                self._free.release()
            return await coming
        finally:
            self._running -= 1
            if is_slow:
                self._slow -= 1
            else:
                self._free.release()

    def _say_fault(self, reason: str) -> None:
        """Print each reason once; metrics count them all."""
        first = reason.splitlines()[0] if reason else "unknown"
        if first not in self._faults and len(self._faults) < 100:
            self._faults.add(first)
            self._report(f"warning: no verdict, so a null reward: {first}")

    def _gauges(self) -> dict[str, int]:
        return {
            "queue_length": self._accepted - self._running,
            "running": self._running,
            "running_slow": self._slow,
            "queue_limit": self.options.queue,
            "environments": len(self._scorers.catalogue.ids),
            "prepared_environments": len(self._scorers),
            "remembered_answers": self._memory.repeated,
        }


def _no_verdict(reason: str) -> dict[str, Any]:
    """Return the answer where the service itself has failed."""
    return {
        "verdict": "infrastructure",
        "reward": None,
        "cases_passed": 0,
        "cases": None,
        "hidden_passed": None,
        "hidden": None,
        "first_difference": None,
        "reason": reason,
        "seconds": 0.0,
    }
