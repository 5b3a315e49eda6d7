"""The verifier: runs slices in a sandbox, compares what they do, scores
candidates.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know this name; importing `typing` would slow each start
if TYPE_CHECKING:
    from .scoring.score import score

__all__ = ["score"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .scoring.score import score

    return score
