"""Copies of closure-making functions, one for each call site (context sensitivity).

Without copies, all functions under one decorator would share the decorator's variables: each would
receive the arguments and return the results of all others. A copy has its own variables and shares
the definition, so the graph does not show it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ..facts import FunctionFacts, Invoke, NewClass, NewFunction, Operation, Variable, renumbered
from .calls.call_edges import Calls
from .constraints.constraint_loader import Loader
from .site_table import Site

_DEEPEST = 2
_MOST_OPERATIONS = 600
"""Maximum number of operations of a copied function, including nested ones."""
_MOST_DECORATED = 1000
_MOST_CALLED = 24
_BUDGET = 300_000
"""Maximum number of operations of all copies together."""


class FunctionCopies:
    """Makes the copies and remembers them."""

    def __init__(self, calls: Calls, loader: Loader) -> None:
        self._calls = calls
        self._loader = loader
        self._budget = _BUDGET
        self._originals = len(calls.program.functions)
        self._inner: dict[int, list[int]] = {}
        for index, (linked, facts) in enumerate(calls.program.functions):
            if facts.outer is not None:
                self._inner.setdefault(linked.functions + facts.outer, []).append(index)
        self._made: dict[int, int] = {}
        self._trees: dict[int, tuple[int, ...]] = {}

    def copy_for(self, function: int, site: Site) -> int:
        """Return the copy that the site calls, or the function itself."""
        if site.depth >= _DEEPEST or site.caller < 0 or function >= self._originals:
            return function
        name = f"copy {function}"
        known = site.made.get(name)
        if known is None:
            made = self._made.get(function, 0)
            if made >= (_MOST_DECORATED if site.decorates else _MOST_CALLED):
                return function
            self._made[function] = made + 1
            known = site.made[name] = self._copy(function, site.depth + 1)
        return known

    def _tree(self, function: int) -> tuple[int, ...]:
        """Return the function and its nested functions; empty if they cannot be copied."""
        known = self._trees.get(function)
        if known is None:
            tree = [function]
            for index in tree:
                tree += self._inner.get(index, ())
            linked, _ = self._calls.program.functions[function]
            operations = [
                operation
                for index in tree
                for operation in self._operations(index, linked.facts.operations)
            ]
            too_large = len(operations) > _MOST_OPERATIONS
            has_class = any(isinstance(operation, NewClass) for operation in operations)
            known = self._trees[function] = () if too_large or has_class else tuple(tree)
        return known

    def _operations(
        self, function: int, operations: tuple[Operation, ...]
    ) -> tuple[Operation, ...]:
        start, end = self._calls.program.functions[function][1].span
        return operations[start:end]

    def _copy(self, function: int, depth: int) -> int:
        program = self._calls.program
        tree = self._tree(function)
        linked, _ = program.functions[function]
        if not tree or self._budget < 0:
            return function
        first = len(program.functions)
        copied = {original: first + i for i, original in enumerate(tree)}
        local = {
            original - linked.functions: new - linked.functions for original, new in copied.items()
        }
        numbers: dict[Variable, Variable] = {}
        owners = linked.facts.owners

        def number(variable: Variable) -> Variable:
            known = numbers.get(variable)
            if known is None:
                owned = owners[variable] in local
                known = self._calls.engine.variable() - linked.variables if owned else variable
                numbers[variable] = known
            return known

        loaded: list[Operation] = []
        for original in tree:
            for operation in self._operations(original, linked.facts.operations):
                changed = renumbered(operation, number)
                if isinstance(changed, NewFunction) and changed.function in local:
                    changed = changed._replace(function=local[changed.function])
                if isinstance(operation, Invoke) and isinstance(changed, Invoke):
                    known = self._calls.copied_callees.setdefault(
                        linked.variables + operation.callee, []
                    )
                    known.append(linked.variables + changed.callee)
                loaded.append(changed)
        for original in tree:
            facts = program.functions[original][1]
            program.functions.append((linked, _with_numbers(facts, number)))
        self._budget -= len(loaded)
        module = program.definitions[linked.definitions][0]
        self._loader.load_copy(module, loaded, depth)
        return first


def _with_numbers(facts: FunctionFacts, number: Callable[[Variable], Variable]) -> FunctionFacts:
    def new(variable: Variable | None) -> Variable | None:
        return None if variable is None else number(variable)

    return dataclasses.replace(
        facts,
        parameters={name: number(v) for name, v in facts.parameters.items()},
        defaults={name: number(v) for name, v in facts.defaults.items()},
        rest=new(facts.rest),
        keywords=new(facts.keywords),
        result=number(facts.result),
        yields=new(facts.yields),
    )
