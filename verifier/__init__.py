"""Running what was sliced: isolated, observed, compared, and scored."""

from __future__ import annotations

TYPE_CHECKING = False  # what a type checker takes for typing's own; importing typing costs a start
if TYPE_CHECKING:
    from .scoring.score import score

__all__ = ["score"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .scoring.score import score

    return score
