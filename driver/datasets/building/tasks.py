"""What a worker is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from ....slicer.model import Target
from ...settings.options import Options, Verification
from .plan import RepositoryPlan


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Options that decide what comes of each function."""

    options: Options
    verification: Verification
    seconds: float = 120
    """Time limit for one function."""
    memory_gb: float = 8
    """Memory limit of a worker."""


@dataclass(frozen=True, slots=True)
class Survey:
    """Fetch a repository, and say which functions it has."""

    plan: RepositoryPlan


@dataclass(frozen=True, slots=True)
class Surveyed:
    """The functions of a repository, or why it cannot be used."""

    repo: str
    targets: tuple[Target, ...] = ()
    commit: str | None = None
    licence: str | None = None
    rule: str | None = None
    """Code of the reason why it cannot be used."""
    reason: str = ""
    """Details of that; without a code, what else is to be known of it."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Make:
    """Make an environment of one function."""

    plan: RepositoryPlan
    target: Target
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one function."""

    repo: str
    is_environment: bool
    row: bytes
    """Its row in the journal, packed where it was made: the driver only joins what comes."""
    disk_full: str = ""
    """Which disk was full, if that is why there is no environment."""


Task = Survey | Make
Result = Surveyed | Made
