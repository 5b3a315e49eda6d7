"""Scorers of many environments: each is opened when first asked for, and few stay open."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ...verifier.scoring.score import Candidate, Scorer
from ...verifier.scoring.substitute import template
from ...verifier.scoring.verdict import Score
from ..record.environment_files import read_environment
from .environment_scorer import ScoreOptions, open_scorer

MOST_OPEN = 8
"""Maximum number of idle scorers that stay open; each holds a warm sandbox."""


@dataclass(slots=True)
class _Open:
    scorer: Scorer
    users: int = 0


class ScorerPool:
    """Scores candidates for the environments below one folder. Thread-safe."""

    def __init__(
        self, folder: str | Path, options: ScoreOptions | None = None, most: int = MOST_OPEN
    ) -> None:
        """Open nothing yet.

        Args:
            folder: holds the folder of each environment.
            options: how candidates are scored.
            most: maximum number of scorers that stay open.
        """
        self._folder = Path(folder)
        self._options = options
        self._most = most
        self._lock = threading.Lock()
        self._open: OrderedDict[str, _Open] = OrderedDict()

    def score(self, environment: str, text: str) -> Score:
        """Return the verdict on a candidate.

        Args:
            environment: name of the environment's folder.
            text: the candidate: the function, its body, or an answer in Markdown.

        Raises:
            SliceFuncError: no such environment, no sandbox, or requirements that cannot be
                installed.
        """
        with self._used(environment) as scorer:
            return scorer.score(Candidate(environment, text))

    def original(self, environment: str) -> str:
        """Return the original function, which a scorer must pass.

        Raises:
            SliceFuncError: no such environment.
        """
        oracle = read_environment(self._folder / environment).oracle
        return template(oracle.script, oracle.path, oracle.qualname).original

    def close(self) -> None:
        """Close all scorers that are idle."""
        with self._lock:
            self._close_idle(0)

    @contextmanager
    def _used(self, name: str) -> Generator[Scorer]:
        with self._lock:
            if name not in self._open:
                self._open[name] = _Open(open_scorer(self._folder / name, self._options))
            found = self._open[name]
            found.users += 1
            self._open.move_to_end(name)
        try:
            yield found.scorer
        finally:
            with self._lock:
                found.users -= 1
                self._close_idle(self._most)

    def _close_idle(self, most: int) -> None:
        idle = [name for name, each in self._open.items() if not each.users]
        for name in idle[: max(0, len(self._open) - most)]:
            self._open.pop(name).scorer.close()

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close it."""
        self.close()
