"""Scorers that are ready, the most recently used ones, within a bounded amount of memory."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from ....slicer.errors import SliceFuncError
from ....verifier.execution.executors.shared_sandboxes import SharedSandboxes
from ....verifier.scoring.score import Candidate, Scorer
from ....verifier.scoring.verdict import Score
from ...places.environment_scorer import (
    ScoreOptions,
    comparison_of,
    limits_of,
    scoring_profile,
)
from ...places.newer_scorer import NewerScorer, python_for
from ...record.environment_files import Environment
from .catalogue import Catalogue

MEMORY = 512 << 20
"""Default bound on the memory of all scorers, in bytes."""
_FACTOR = 6
"""Memory of a scorer as a multiple of its environment's text: decoded observations, trees."""
_SAYS_AGAIN = 60.0
"""Seconds for which an environment that could not be prepared is not tried again."""


class CandidateScorer(Protocol):
    """What scores candidates for one environment, in whatever process."""

    def score(self, candidate: Candidate) -> Score:
        """Return the verdict on a candidate. Thread-safe."""
        ...


@dataclass(slots=True)
class _Entry:
    """One environment's scorer, or why there is none."""

    lock: Lock = field(default_factory=Lock)
    """Held while it is prepared, so that this happens once."""
    scorer: CandidateScorer | None = None
    size: int = 0
    error: SliceFuncError | None = None
    until: float = 0.0
    """When the error is forgotten."""


@dataclass(slots=True)
class WarmScorers:
    """Prepares a scorer when its environment is first asked for."""

    catalogue: Catalogue
    sandboxes: SharedSandboxes
    options: ScoreOptions
    most_bytes: int = MEMORY
    clock: Callable[[], float] = time.monotonic
    _entries: OrderedDict[str, _Entry] = field(default_factory=OrderedDict[str, _Entry])
    """By id; the last used one is last."""
    _bytes: int = 0
    _lock: Lock = field(default_factory=Lock)

    def __len__(self) -> int:
        return len(self._entries)

    def ready(self, identity: str) -> CandidateScorer | None:
        """Return a scorer that is prepared, at once; `None` if it is not."""
        with self._lock:
            entry = self._entries.get(identity)
            if entry is None or entry.scorer is None:
                return None
            self._entries.move_to_end(identity)
            return entry.scorer

    def prepare(self, identity: str) -> CandidateScorer:
        """Return the scorer of an environment; this may install its requirements.

        Raises:
            SliceFuncError: there can be none here.
        """
        with self._lock:
            entry = self._entries.setdefault(identity, _Entry())
            self._entries.move_to_end(identity)
        with entry.lock:
            if entry.scorer is not None:
                return entry.scorer
            if entry.error is not None and self.clock() < entry.until:
                raise entry.error
            try:
                environment = self.catalogue.environment(identity)
                scorer = self._scorer(environment)
            except SliceFuncError as error:
                entry.error, entry.until = error, self.clock() + _SAYS_AGAIN
                raise
            self._keep(entry, scorer, _FACTOR * _size(environment))
            return scorer

    def _scorer(self, environment: Environment) -> CandidateScorer:
        python = python_for(environment)
        if python is not None:
            return NewerScorer(python, environment, self.options)
        profile = scoring_profile(environment, self.catalogue.root)
        return Scorer(
            environment.oracle,
            comparison=comparison_of(environment, self.options),
            limits=limits_of(self.options),
            jobs=self.options.jobs,
            make=self.sandboxes.lend,
            profile=profile,
            tells_hidden=self.options.hidden_counts,
        )

    def _keep(self, entry: _Entry, scorer: CandidateScorer, size: int) -> None:
        """Keep a scorer, and drop those that were not used for longest while all are too large.

        A dropped one is garbage when its last candidate is scored.
        """
        with self._lock:
            entry.scorer, entry.size, entry.error = scorer, size, None
            self._bytes += size
            for identity in list(self._entries):
                if self._bytes <= self.most_bytes:
                    break
                old = self._entries[identity]
                if old is not entry and old.scorer is not None:
                    del self._entries[identity]
                    self._bytes -= old.size


def _size(environment: Environment) -> int:
    return sum(map(len, environment.files.values()))
