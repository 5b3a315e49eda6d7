"""Parameters that several tools have."""

from __future__ import annotations

from pydantic import Field

from ....llm.tools import Parameters
from .workspace import SECONDS, Thresholds

NAMED = (
    "as `path::qualname`, for example `shop/pricing.py::quote` or `shop/models.py::Order.total`; "
    "the path is relative to the repository. A name alone (`quote`) works if it is unique."
)


class TargetParameters(Parameters):
    """A function."""

    target: str = Field(min_length=1, description=f"The function, method or class, {NAMED}")


class BuildParameters(Parameters):
    """A function, and what its environment must reach."""

    target: str = Field(min_length=1, description=f"The function or method, {NAMED}")
    min_branches: int = Field(
        default=80, ge=0, le=100, description="Branches that its cases must take, in per cent."
    )
    min_killed: int = Field(
        default=80,
        ge=0,
        le=100,
        description="Mutants (small faults put into the function) that its cases must detect, in "
        "per cent; also of those that no case was made for.",
    )
    seconds: int = Field(
        default=SECONDS,
        ge=10,
        le=1800,
        description="Time limit for the search and the checks; installing comes on top.",
    )

    @property
    def thresholds(self) -> Thresholds:
        """Return them as the workspace takes them."""
        return Thresholds(self.min_branches, self.min_killed, self.min_killed, self.seconds)
