"""What a mutation operator is: its edits of a function, with examples and counter-examples."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..value_changes import KillingValues, any_change
from .mutated_function import MutatedFunction

Edit = tuple[ast.AST, str]
"""A node, and the text that stands in its place."""


@dataclass(frozen=True, slots=True)
class Operator:
    """One kind of mistake."""

    name: str
    edits: Callable[[MutatedFunction], Iterator[Edit]]
    """Each is a mutant of its own."""
    examples: tuple[tuple[str, tuple[str, ...]], ...]
    """Statements of a function, and what they become; `HEAD` stands above them."""
    unchanged: tuple[str, ...] = ()
    """Statements in which there is nothing for it to do."""
    is_hint: bool = False
    """Whether its mutants often do the same as the original, and nothing tells which.

    Then they say where to look for cases, and count in no rate.
    """
    killed_by: KillingValues = any_change
    """Which changes of what flows into such a mutant may show it, the likeliest first."""


HEAD = "def f(self, a, b: int, c: int, text: str = '', items: list = (), *, flag=False, **options):"
"""Of the function that examples are the body of."""
