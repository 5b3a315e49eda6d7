"""What is asked of a run: how many samples, in which regime, by which agent."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """Options of `slice-func eval`."""

    task: str = "completion"
    """`completion`, or `repair` of a wrong version."""
    context: str = "slice"
    docstring: str = "original"
    """The docstring that a model sees: `original`, `none` or `generated`."""
    agent: str = "basic"
    samples: int = 1
    """Samples of each environment."""
    temperature: float | None = None
    seed: int | None = None
    """Sent with each request, plus the number of the sample; `None` sends none."""
    description: str = "detailed"
    """Which description of a repository's task is shown, where it has several."""
    rounds: int = 0
    """Maximum number of tries after the first."""
    shown: int = 5
    """Number of retrieved passages in a prompt."""
    retriever: str = "reachable"
    """How passages are ranked."""
    embedder: str = "hashed"
    """Model of the vectors of `dense` and `hybrid`."""
    context_tokens: int = 8000
    """Budget of the context."""
    answer_tokens: int = 4000
    """Maximum number of tokens of an answer."""
    limit: int | None = None
    """Only so many environments, drawn by a hash of their ids."""
    concurrency: int = 8
    """Samples that are under way at once."""
    workers: int = 2
    """Candidates that are scored at once."""
    resumes: bool = False

    def header(self) -> dict[str, Any]:
        """Return all that decides what a sample is: not how much is done at once."""
        return {name: value for name, value in asdict(self).items() if name not in _PACE}


_PACE = frozenset({"concurrency", "workers", "resumes"})
