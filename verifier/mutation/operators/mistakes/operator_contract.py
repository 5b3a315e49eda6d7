"""The contract of mutation operators: edits of a function, with examples and counterexamples."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..value_changes import KillingValues, any_change
from .mutated_function import MutatedFunction

Edit = tuple[ast.AST, str]
"""A node, and the text that replaces it."""


@dataclass(frozen=True, slots=True)
class Operator:
    """One kind of mistake."""

    name: str
    edits: Callable[[MutatedFunction], Iterator[Edit]]
    """Yields the edits; each makes a mutant."""
    examples: tuple[tuple[str, tuple[str, ...]], ...]
    """Statements of a function with their mutants. The function's first line is `HEAD`."""
    unchanged: tuple[str, ...] = ()
    """Statements without an edit."""
    is_hint: bool = False
    """Whether its mutants are often equivalent, without a way to tell.

    Such mutants only hint at where to look for cases, and count in no rate.
    """
    killed_by: KillingValues = any_change
    """Which changes of what flows into such a mutant may show it, the likeliest first."""


HEAD = "def f(self, a, b: int, c: int, text: str = '', items: list = (), *, flag=False, **options):"
"""First line of the function whose body the examples are."""
