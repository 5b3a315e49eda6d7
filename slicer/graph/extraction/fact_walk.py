"""The walk over one module. The dispatch table for each kind of node is passed in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from ..facts import ClassFacts, FunctionFacts, ImportModule, ImportName, Variable
from .builder import Builder

ExpressionHandler = Callable[..., Variable | None]
"""Takes the walk and a node; returns the variable of its value, if the value can matter."""
StatementHandler = Callable[..., bool]
"""Takes the walk and a node; returns whether control may reach the next statement."""


class Walk:
    """One extraction: dispatches each node to its function, and holds the collected facts."""

    def __init__(
        self,
        builder: Builder,
        expressions: Mapping[type[ast.expr], ExpressionHandler],
        statements: Mapping[type[ast.stmt], StatementHandler],
    ) -> None:
        self.builder = builder
        self.functions: list[FunctionFacts | None] = []
        self.classes: list[ClassFacts | None] = []
        self.stored: dict[int, set[str]] = {}
        """Attributes that the methods of each class assign on their first parameter."""
        self.finishers: list[Callable[[], None]] = []
        """Actions to run after all bodies have been walked."""
        self.imports: dict[str, ImportModule | ImportName] = {}
        self.stars: list[tuple[str | None, int]] = []
        self.exports: tuple[str, ...] | None = None
        self._expressions = expressions
        self._statements = statements

    def evaluate(self, node: ast.expr | None) -> Variable | None:
        """Return the variable that holds the expression's value."""
        if node is None:
            return None
        handler = self._expressions.get(type(node))
        return None if handler is None else handler(self, node)

    def execute(self, body: Sequence[ast.stmt]) -> bool:
        """Walk statements; return whether control may reach the end."""
        falls_through = True
        for node in body:
            handler = self._statements.get(type(node))
            if handler is not None and not handler(self, node):
                falls_through = False
        return falls_through
