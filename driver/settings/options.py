"""Options of a run that the user may set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ...slicer.model import Emit

Search = Literal["plain", "crosshair"]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a slice."""

    emit: Emit = "script"
    """The requested layout."""
    keep: tuple[str, ...] = ()
    """Definitions to keep in addition to what the targets reach, each as `path::qualname`."""
    recorded: tuple[str, ...] = ()
    """Further definitions to keep, because the repository's tests pass them to the target."""
    mock: str | None = None
    """`auto` or `none`; by default the repository's setting, else `auto`."""
    stubs: tuple[str, ...] = ()
    """Distributions to stub even where they could be installed."""
    variants: tuple[tuple[str, str], ...] = ()
    """Places, named as in the manifest, each with one more literal that a case may choose."""
    distributions: tuple[tuple[str, str], ...] = ()
    """Modules with the requirement that provides each; they override the table's."""
    observed: tuple[str, ...] = ()
    """Definitions to keep because they were seen to run in the repository, each as `path:line`."""
    explain: bool = False
    """Whether the slice records every reason for keeping a definition."""


@dataclass(frozen=True, slots=True)
class Verification:
    """Options of a verification."""

    cases: str | None = None
    """File of cases."""
    test: bool = False
    """Whether cases are synthesised."""
    min_branches: int = 80
    """Minimum of the target's branches that cases must take, in per cent."""
    min_killed: int = 80
    """Minimum of its mutants that cases must kill, in per cent."""
    min_unseen: int = 80
    """Minimum of the mutants that no case was made for that cases must kill, in per cent."""
    installs: bool = True
    """Whether the script's imports are installed, or the current interpreter runs it."""
    executor: str | None = None
    """Name of the executor; by default the first sandbox that works here."""
    search: Search = "plain"
    """Whether a solver helps to synthesise cases."""
    seconds: float | None = None
    """Wall-clock limit of the verification; the search for cases leaves time for the rest."""
