"""Scores of candidates, with no text scored twice for one environment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from hashlib import sha256

from ...verifier.scoring.score import Candidate
from ...verifier.scoring.verdict import Score
from ..datasets.scoring.warm_scorers import WarmScorers


@dataclass(slots=True)
class CandidateScores:
    """Scores candidates for the environments of a dataset. Thread-safe."""

    scorers: WarmScorers
    workers: int
    """Candidates that are scored at once."""
    _known: dict[bytes, Future[Score]] = field(default_factory=dict[bytes, "Future[Score]"])
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _turns: threading.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        """Make the turns."""
        self._turns = threading.Semaphore(self.workers)

    def score(self, environment: str, text: str) -> Score:
        """Return the score of a candidate; `infrastructure` where a sandbox failed.

        Raises:
            SliceFuncError: the environment cannot be prepared here.
        """
        key = sha256(f"{environment}\0{text}".encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            coming = self._known.get(key)
            is_mine = coming is None
            if coming is None:
                coming = self._known[key] = Future()
        if is_mine:
            self._settle(key, coming, lambda: self._scored(environment, text))
        return coming.result()

    def _settle(self, key: bytes, coming: Future[Score], find: Callable[[], Score]) -> None:
        try:
            found = find()
        except BaseException as error:
            self._forget(key)
            coming.set_exception(error)
            raise
        if found.verdict == "infrastructure":
            self._forget(key)
        coming.set_result(found)

    def _forget(self, key: bytes) -> None:
        with self._lock:
            self._known.pop(key, None)

    def _scored(self, environment: str, text: str) -> Score:
        with self._turns:
            scorer = self.scorers.ready(environment) or self.scorers.prepare(environment)
            candidate = Candidate(environment, text)
            found = scorer.score(candidate)
            return scorer.score(candidate) if found.verdict == "infrastructure" else found
