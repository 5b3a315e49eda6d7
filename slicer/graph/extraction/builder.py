"""The state of one extraction: variables, scopes, and how names are read and bound."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from ..facts import (
    CallPlace,
    Constant,
    Copy,
    DefinitionFacts,
    EdgeKind,
    ImportModule,
    ImportName,
    Load,
    NodeKind,
    Operation,
    Reference,
    Text,
    Variable,
)
from .scope_bindings import Bindings

ScopeKind = Literal["module", "class", "function", "comprehension"]


@dataclass(slots=True)
class Scope:
    """A scope whose statements are being walked."""

    kind: ScopeKind
    definition: int
    parent: Scope | None
    bindings: Bindings
    env: dict[str, Variable | None] = field(default_factory=dict)
    """Name → variable that it holds at this point; `None` if it holds nothing relevant."""
    cells: dict[str, Variable] = field(default_factory=dict)
    """Name → variable that merges all of its values."""
    versions: dict[str, list[Variable]] = field(default_factory=dict)
    imports: dict[str, ImportModule | ImportName] = field(default_factory=dict)
    result: Variable | None = None
    yields: Variable | None = None
    klass: int | None = None
    """The class whose body this is, or whose body contains this function."""
    receiver: str | None = None
    """Name of a method's first parameter."""
    function: int = -1
    """The function whose body contains this."""
    closures: set[str] = field(default_factory=set)
    """Names of the functions defined in the scope."""
    makes_closures: bool = False
    parameters: dict[str, Variable] = field(default_factory=dict)
    returned: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)


class Builder:
    """Collects the facts of one module; `scope` is the current scope of the walk."""

    def __init__(self, declared: frozenset[str], *, walrus: bool) -> None:
        self.declared = declared
        self.walrus = walrus
        self.owners: list[int] = []
        self.operations: list[Operation] = []
        self.definitions: list[DefinitionFacts] = []
        self.references: dict[tuple[int, EdgeKind, tuple[str, ...]], Reference] = {}
        self.globals: dict[str, Variable] = {}
        self.deferred: deque[Callable[[], None]] = deque()
        """Bodies of functions, walked after the enclosing scope."""
        self.scope: Scope
        self.subject: tuple[tuple[int, ...], EdgeKind] | None = None
        """The referring definitions and the kind of edge, if they differ from the default."""
        self.links: list[tuple[int, EdgeKind, int]] = []
        """Definitions that contain others and need them."""
        self.calls: list[CallPlace] = []
        self._constants: dict[str | int, Variable] = {}
        self._text: Variable | None = None
        self._loads: dict[tuple[Variable, str, int], Variable] = {}
        self._lambdas: dict[int, int] = {}
        self._variable_definitions: dict[str, int] = {}

    # -------------------------------------------------------------- variables

    def new(self, owner: int | None = None) -> Variable:
        """Return a new variable, which belongs to the current function unless `owner` is given."""
        self.owners.append(self.scope.function if owner is None else owner)
        return len(self.owners) - 1

    def emit(self, operation: Operation) -> None:
        """Record an operation."""
        self.operations.append(operation)

    def constant(self, value: str | int) -> Variable:
        """Return the variable that holds this constant."""
        known = self._constants.get(value)
        if known is None:
            known = self._constants[value] = self.new(-1)
            self.emit(Constant(known, value))
        return known

    def text(self) -> Variable:
        """Return the variable that holds a string of unknown text."""
        if self._text is None:
            self._text = self.new(-1)
            self.emit(Text(self._text))
        return self._text

    def union(self, variables: list[Variable | None]) -> Variable | None:
        """Return a variable that holds the values of all of these."""
        known = list(dict.fromkeys(v for v in variables if v is not None))
        if len(known) < 2:
            return known[0] if known else None
        target = self.new()
        for variable in known:
            self.emit(Copy(variable, target))
        return target

    def load(self, target: Variable | None, name: str, line: int) -> Variable | None:
        """Return the variable of `target.name`; all reads in a definition share it."""
        if target is None:
            return None
        key = (target, name, self.scope.definition)
        known = self._loads.get(key)
        if known is None:
            known = self._loads[key] = self.new()
            self.emit(Load(target, name, known, self.scope.definition, line))
        return known

    # ------------------------------------------------------------ definitions

    def define(self, kind: NodeKind, name: str, line: int, end_line: int) -> int:
        """Add a definition inside the current one."""
        outer = self.definitions[self.scope.definition].qualname if self.definitions else ""
        qualname = f"{outer}.{name}" if outer else name
        self.definitions.append(DefinitionFacts(kind, qualname, line, end_line))
        return len(self.definitions) - 1

    def define_variable(self, name: str, line: int, end_line: int) -> int:
        """Return the definition of a module-level variable, however often it is bound."""
        known = self._variable_definitions.get(name)
        if known is None:
            known = self.define("variable", name, line, end_line)
            self._variable_definitions[name] = known
        return known

    def next_lambda(self) -> str:
        """Return the name of the next lambda in the current definition."""
        number = self._lambdas.get(self.scope.definition, 0) + 1
        self._lambdas[self.scope.definition] = number
        return f"<lambda{number}>"

    def refer(
        self,
        names: tuple[str, ...],
        line: int,
        imported: ImportModule | ImportName | None = None,
        kind: EdgeKind | None = None,
    ) -> None:
        """Record that the current definition mentions a global or imported name."""
        sources, default = self.subject or ((self.scope.definition,), "uses")
        for source in sources:
            key = (source, kind or default, names)
            if key not in self.references:
                self.references[key] = Reference(source, kind or default, names, imported, line)

    @contextmanager
    def referring(self, definitions: tuple[int, ...], kind: EdgeKind) -> Generator[None]:
        """Attribute all mentions inside the context to these definitions, if there are any."""
        previous = self.subject
        self.subject = (definitions, kind) if definitions else None
        yield
        self.subject = previous

    def link(self, definition: int) -> None:
        """Record that the current definition contains this one and needs it."""
        sources, kind = self.subject or ((self.scope.definition,), "uses")
        self.links.extend((source, kind, definition) for source in sources)

    def note_call(self, function: ast.expr, callee: Variable | None) -> None:
        """Record the position of a call; code in an evaluated text has none."""
        name: str | None = None
        if isinstance(function, ast.Name | ast.Attribute):
            name = function.id if isinstance(function, ast.Name) else function.attr
        start = function.lineno, function.col_offset
        match function.end_lineno, function.end_col_offset:
            case int(line), int(column):
                caller = self.scope.definition
                self.calls.append(CallPlace(callee, caller, name, *start, line, column))
            case _:
                pass

    # ------------------------------------------------------------------ names

    def read(
        self, name: str, attributes: tuple[str, ...], line: int, kind: EdgeKind | None = None
    ) -> Variable | None:
        """Return the variable that a name holds here, and record the reference.

        Args:
            name: the name.
            attributes: attributes that are read from it at once.
            line: line of the read.
            kind: kind of dependency, if not the default.
        """
        scope: Scope = self.scope
        inline = True
        while scope.parent is not None:
            if inline and name in scope.env:
                self._refer_local(scope, (name, *attributes), line, kind)
                return scope.env[name]
            if scope.kind == "function":
                if name in scope.bindings.global_:
                    inline = False
                    break
                if name in scope.bindings.bound:
                    self._refer_local(scope, (name, *attributes), line, kind)
                    return self.cell(scope, name)
                inline = False
            scope = scope.parent
        while scope.parent is not None:
            scope = scope.parent
        self.refer((name, *attributes), line, None, kind)
        if inline and name in scope.env:
            return scope.env[name]
        return self.global_cell(name)

    def _refer_local(
        self, scope: Scope, names: tuple[str, ...], line: int, kind: EdgeKind | None
    ) -> None:
        imported = scope.imports.get(names[0])
        if imported is not None:
            self.refer(names, line, imported, kind)

    def global_cell(self, name: str) -> Variable:
        """Return the variable for all values of a global name."""
        cell = self.globals.get(name)
        if cell is None:
            cell = self.globals[name] = self.new(-1)
        return cell

    def cell(self, scope: Scope, name: str) -> Variable:
        """Return the variable for all values of a name in that scope."""
        if scope.parent is None:
            return self.global_cell(name)
        cell = scope.cells.get(name)
        if cell is None:
            cell = scope.cells[name] = self.new(scope.function)
            for version in scope.versions.get(name, ()):
                self.emit(Copy(version, cell))
        return cell

    def bind(self, name: str, variable: Variable | None) -> None:
        """Bind a name in the current scope."""
        scope = self.scope
        while scope.kind == "comprehension" and name not in scope.env and scope.parent:
            scope = scope.parent  # an assignment expression binds outside
        bindings = scope.bindings
        if scope.kind == "function" and name in bindings.global_:
            self._copy(variable, self.global_cell(name))
        elif scope.kind == "function" and name in bindings.nonlocal_:
            self._copy(variable, self._outer_cell(scope, name))
        elif scope.kind == "comprehension":
            scope.env[name] = variable
        elif name in bindings.weak or name in self.declared:
            cell = self.cell(scope, name)
            self._copy(variable, cell)
            scope.env[name] = cell
        else:
            scope.env[name] = variable
            if variable is None:
                return
            if scope.kind == "function":
                scope.versions.setdefault(name, []).append(variable)
                if name in scope.cells:
                    self._copy(variable, scope.cells[name])
            else:
                self._copy(variable, self.cell(scope, name))

    def _outer_cell(self, scope: Scope, name: str) -> Variable:
        outer = scope.parent
        while outer is not None and outer.parent is not None:
            if outer.kind == "function" and name in outer.bindings.bound:
                return self.cell(outer, name)
            outer = outer.parent
        return self.global_cell(name)

    def _copy(self, source: Variable | None, target: Variable) -> None:
        if source is not None and source != target:
            self.emit(Copy(source, target))
