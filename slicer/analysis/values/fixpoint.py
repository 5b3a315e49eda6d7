"""Memoised recursive evaluation of sets of values, which are unknown once they get large.

Queries that depend on one another ("what does f return?" asks "what is x?", which asks the first
again) have their least fixed point as answer (see `tabling`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable

from .abstract_values import NOTHING, Values, join
from .tabling import Table

MAX_VALUES = 12
"""Maximum size of a set; larger ones are treated as unknown."""


class Fixpoint:
    """A table of final answers, and of those still being computed."""

    def __init__(self) -> None:
        # in tuples, since unknown values are `None`, as is the answer that a table lacks
        self._table = Table[tuple[Values]]((NOTHING,), operator.ne)

    @property
    def is_solving(self) -> bool:
        """Whether a query is being evaluated, so that answers may not be final."""
        return self._table.is_solving

    def solve(self, key: Hashable, compute: Callable[[], Values]) -> Values:
        """Return the answer to a query; `compute` may make further queries, even this one."""
        return self._table.solve(key, lambda: self._grown(key, compute()))[0]

    def _grown(self, key: Hashable, values: Values) -> tuple[Values]:
        """Return the answer of this round: a set only grows, so that rounds come to an end."""
        grown = join(*self._table.so_far(key), values)
        return (None if grown is not None and len(grown) > MAX_VALUES else grown,)
