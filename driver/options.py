"""Options of a run that the user may set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ..slicer.model import Emit

Search = Literal["plain", "crosshair"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the user may choose about a slice."""

    emit: Emit = "script"
    """Layout that is asked for."""
    keep: tuple[str, ...] = ()
    """Definitions to keep beside what the targets reach, each as `path::qualname`."""
    recorded: tuple[str, ...] = ()
    """The same, of definitions that the repository's tests hand to the target."""
    mock: str | None = None
    """`auto` or `none`; what the repository says, else `auto`, if not given."""
    stubs: tuple[str, ...] = ()
    """Distributions to stub even where they could be installed."""
    variants: tuple[tuple[str, str], ...] = ()
    """Places, as the manifest names them, with one more literal that a case may choose."""
    distributions: tuple[tuple[str, str], ...] = ()
    """Modules, each with the requirement that provides it; over the repository's own table."""
    observed: tuple[str, ...] = ()
    """What was seen to run in the repository and is to be kept, each as `path:line`."""
    explain: bool = False
    """Whether the slice holds every reason for which something is kept."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What the user may choose about verifying."""

    cases: str | None = None
    """File of cases."""
    test: bool = False
    """Whether cases are synthesised."""
    min_branches: int = 80
    """Of the target's branches, in per cent."""
    min_killed: int = 80
    """Of its mutants, in per cent."""
    min_unseen: int = 80
    """Of those of its mutants that no case was made for, in per cent."""
    installs: bool = True
    """Whether what the script imports is installed for it; else the interpreter at hand runs it."""
    executor: str | None = None
    """Name of the executor; the first sandbox that works here if not given."""
    search: Search = "plain"
    """Whether a solver helps to synthesise cases."""
    seconds: float | None = None
    """By the clock, that all of it may take: the search for cases ends in time for what follows."""
