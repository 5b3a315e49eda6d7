"""Load the operations of all modules, in the order that the analysis needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...facts import Invoke, Load, Operation
from ..calls.call_edges import Calls
from ..program import LinkedModule
from ..site_table import Site

OperationHandler = Callable[..., None]
"""Handles one kind of operation; takes the loader and the operation."""


class Loader:
    """Turns the operations of the modules into constraints, module by module."""

    def __init__(
        self,
        calls: Calls,
        handlers: Mapping[type[Operation], OperationHandler],
        early: tuple[type[Operation], ...],
    ) -> None:
        """Args: the calls, the handler of each kind of operation, and the kinds that bind names."""
        self.calls = calls
        self.engine = calls.engine
        self.values = calls.values
        self.declared: list[tuple[int, int]] = []
        """Annotations: variables of the class and of the declared object."""
        self.reflected: list[Callable[[], None]] = []
        """Operators whose right operand is tried last."""
        self.linked: LinkedModule
        self.module = 0
        self.base = 0
        self.depth = 0
        self._handlers = handlers
        self._early = early

    def names(self) -> None:
        """Load operations that bind names: definitions, imports, copies, decorators."""
        for index in range(len(self.calls.program.modules)):
            self._select(index)
            self._load(op for op in self.linked.facts.operations if isinstance(op, self._early))
            self.calls.program.connect_free_names(index)
        for index in range(len(self.calls.program.modules)):
            self._select(index)
            self._load(
                op for op in self.linked.facts.operations if isinstance(op, Load) or _decorates(op)
            )

    def actions(self) -> None:
        """Load all other operations."""
        done = (*self._early, Load)
        for index in range(len(self.calls.program.modules)):
            self._select(index)
            self._load(
                op
                for op in self.linked.facts.operations
                if not isinstance(op, done) and not _decorates(op)
            )

    def load_copy(self, module: int, operations: Iterable[Operation], depth: int) -> None:
        """Load the operations of a copied function into a module."""
        before = self.module, self.depth
        self._select(module)
        self.depth = depth
        self._load(operations)
        self._select(before[0])
        self.depth = before[1]

    def _load(self, operations: Iterable[Operation]) -> None:
        for operation in operations:
            self._handlers[type(operation)](self, operation)

    def _select(self, index: int) -> None:
        self.module = index
        self.linked = self.calls.program.modules[index]
        self.base = self.linked.variables

    def at(self, variable: int | None) -> int | None:
        """Return the program's number of a variable of the module."""
        return None if variable is None else self.base + variable

    def caller(self, caller: int) -> int:
        """Return the program's number of a definition of the module."""
        return self.linked.definitions + caller

    def site(self, caller: int, line: int, *arguments: int | None, target: int | None) -> Site:
        """Return a site in the module."""
        return Site(
            self.caller(caller),
            line,
            arguments,
            target=target,
            module=self.module,
            depth=self.depth,
        )


def _decorates(operation: Operation) -> bool:
    return isinstance(operation, Invoke) and operation.decorates
