"""Small bounds of the search for cases, for tests of what is done with what it finds.

All of a search runs, on a fraction of the drafts: they are most of a build. With its own bounds it
runs in the tests of `verifier/search`, and in commands that `run_anew` starts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

DRAFTS = 150
HIDDEN = 12
PROPOSALS = 48
SEEDS = (1,)
"""Further hash seeds under which cases are run: each is a sandbox that starts."""


Change = Callable[[Any, str, Any], None]
"""Sets an attribute."""


def search_little(change: Change = setattr) -> None:
    """Set the bounds in this process."""
    from slicefunc.verifier.scoring.oracle import stability
    from slicefunc.verifier.search.exploration import Budget

    hide_little(change)
    for seeded in (stability.seeded, stability.stable, stability.under_seeds):
        change(seeded, "__defaults__", (SEEDS,))
    defaults = Budget.__init__.__defaults__ or ()
    change(Budget.__init__, "__defaults__", (DRAFTS, *defaults[1:]))


def hide_little(change: Change) -> None:
    """Set the bounds of hidden cases alone."""
    from slicefunc.verifier.search.hidden import hidden_cases, proposals

    change(hidden_cases, "MOST_HIDDEN", HIDDEN)
    change(proposals, "_MOST_TRIED", PROPOSALS)
