"""The installation policy: what may be installed, from where, and for which interpreter."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules by which requirements become an environment."""

    python: Path = Path(sys.executable)
    """The interpreter of the environment."""
    exclude_newer: str = ""
    """Upload time after which files are ignored: RFC 3339, the commit's time; empty for no
    limit."""
    undated: tuple[str, ...] = ()
    """Distributions exempt from that limit: fakes may be newer than the code."""
    constraints: tuple[str, ...] = ()
    """Versions to use if something needs these distributions, as `name==version`."""
    builds_sources: bool = False
    """Whether to build source distributions where there is no wheel. That runs the packages' code
    unsandboxed and with network access. Otherwise these are not installable."""
    index: str = ""
    """Address of the package index; empty for uv's own setting."""
    find_links: tuple[str, ...] = ()
    """Folders or pages with further wheels."""
    no_index: bool = False
    """Whether only `find_links` count."""
    compiles_bytecode: bool = True
    """Whether modules are compiled once, so that runs in a read-only environment need not."""
    seconds: float = 600.0
    """Time limit in seconds of one step: resolving, or installing."""

    def sources(self) -> tuple[str, ...]:
        """Return uv's options for the sources and kinds of packages."""
        return (
            *(("--no-index",) if self.no_index else ()),
            *(("--default-index", self.index) if self.index else ()),
            *(option for place in self.find_links for option in ("--find-links", place)),
            *(() if self.builds_sources else ("--only-binary", ":all:")),
        )
