"""What may be installed, from where, and for which interpreter."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Policy:
    """How requirements become an environment."""

    python: Path = Path(sys.executable)
    """The interpreter that the environment is made of."""
    exclude_newer: str = ""
    """Only what was uploaded before counts: an RFC 3339 time, the commit's; empty for no bound."""
    undated: tuple[str, ...] = ()
    """Distributions to which that bound does not apply: fakes may be younger than the code."""
    constraints: tuple[str, ...] = ()
    """Versions that count where something needs these distributions, as `name==version`."""
    builds_sources: bool = False
    """Whether source distributions are built where there is no wheel. That runs the packages' code
    on this machine, unprotected and with the network; without, they are not installable."""
    index: str = ""
    """Address of the package index; empty for the installer's own setting."""
    find_links: tuple[str, ...] = ()
    """Folders or pages with further wheels."""
    no_index: bool = False
    """Whether only `find_links` count."""
    compiles_bytecode: bool = True
    """Whether modules are compiled once, so that runs in a read-only environment need not."""
    seconds: float = 600.0
    """For one step: resolving, or installing."""

    def sources(self) -> tuple[str, ...]:
        """Options of the installer that say where packages come from, and of which kind."""
        return (
            *(("--no-index",) if self.no_index else ()),
            *(("--default-index", self.index) if self.index else ()),
            *(option for place in self.find_links for option in ("--find-links", place)),
            *(() if self.builds_sources else ("--only-binary", ":all:")),
        )
