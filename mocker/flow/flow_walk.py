"""The walk over kept definitions: its state, and what the visitors of all node kinds share."""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from ...slicer.analysis.inference import Inference
from ...slicer.analysis.names.name_resolution import (
    Bound,
    Builtin,
    FromStar,
    ImportedExternal,
    ImportedModule,
    ImportedName,
)
from ...slicer.analysis.scopes.definitions import ClassInfo, FunctionInfo, Scope
from ...slicer.analysis.values.abstract_values import (
    ClassValue,
    External,
    ExternalInstance,
    Instance,
    ModuleValue,
    Value,
    ordered,
)
from ...slicer.errors import SourceError
from ...slicer.repo.repository import Module, Namespace
from .flow_graph import Fact, FactKind, Graph, Node

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Names = dict[str, Node]
"""The node of each local name at a point of the text (after Braun et al., "Simple and Efficient
Construction of Static Single Assignment Form", CC 2013)."""
Visitor = Callable[..., Node]
_MAX_BASES = 20


@dataclass(slots=True)
class Frame:
    """The function or module whose statements are being walked."""

    scope: Scope
    names: Names = field(default_factory=Names)
    result: Node = 0
    """The node of its return value."""
    module: Module | None = None
    """Set if the statements are a module's own: their names are global."""
    breaks: list[list[Names]] = field(default_factory=list[list[Names]])
    continues: list[list[Names]] = field(default_factory=list[list[Names]])


class Walk:
    """Builds the graph of one slice."""

    def __init__(self, inference: Inference, visitors: Mapping[type[ast.AST], Visitor]) -> None:
        self.inference = inference
        self.graph = Graph()
        self.frame: Frame
        self.in_endless = False
        """Whether the place is directly in a loop that only `break` and `return` end."""
        self.caught: list[tuple[str, ...]] = []
        """Names of the exceptions that are handled around the place."""
        self.parameters: dict[FunctionNode, dict[str, Node]] = {}
        self.pending: list[tuple[FunctionNode, Scope]] = []
        """Nested functions, walked after the one around them."""
        self.modules: dict[Node, tuple[Module | Namespace, Module]] = {}
        """Nodes that stand for modules of the repository."""
        self.callables: dict[Node, FunctionNode | ast.Lambda] = {}
        """Nodes that stand for functions of the slice."""
        self.adapters: dict[Node, tuple[ast.expr, Scope]] = {}
        """Nodes that stand for type adapters, each with its type."""
        self.checks: list[tuple[Node, Node]] = []
        """Nodes of type adapters or models, each with the node of the data."""
        self._visitors = visitors

    # ------------------------------------------------------------------ values

    def value(self, node: ast.expr | None) -> Node:
        """Return the node of an expression, and walk everything in it."""
        visitor = self._visitors.get(type(node)) if node is not None else None
        if visitor is not None:
            return visitor(self, node)
        for child in ast.iter_child_nodes(node) if node is not None else ():
            if isinstance(child, ast.expr):
                self.value(child)
        return self.graph.new()

    def add_use(
        self, node: Node, kind: FactKind, value: object = None, result: Node | None = None
    ) -> None:
        """Add a fact to a node, at the current place."""
        self.graph.add_use(node, Fact(kind, value, result, self.graph.is_weak))

    @contextmanager
    def weakly(self, is_weak: bool = True) -> Generator[None]:
        """Mark what is walked inside as off the path that is taken when all goes well."""
        graph = self.graph
        before, graph.is_weak = graph.is_weak, graph.is_weak or is_weak
        yield
        graph.is_weak = before

    @contextmanager
    def in_frame(self, frame: Frame) -> Generator[None]:
        """Walk the statements of another function."""
        before = self.frame if hasattr(self, "frame") else None
        self.frame = frame
        yield
        if before is not None:
            self.frame = before

    @contextmanager
    def in_scope(self, scope: Scope) -> Generator[None]:
        """Walk a comprehension, which sees the names around it."""
        frame = self.frame
        before, names = frame.scope, dict(frame.names)
        frame.scope = scope
        yield
        frame.scope, frame.names = before, names

    def inferred(self, node: ast.expr) -> list[Value]:
        """Return the values that the slicer infers for an expression here."""
        try:
            return ordered(self.inference.evaluate(node, self.frame.scope))
        except (SourceError, RecursionError):
            return []

    # ------------------------------------------------------------------ names

    def name(self, name: str) -> Node:
        """Return the node of a name here."""
        known = self.frame.names.get(name)
        if known is not None:
            return known
        holder = self.frame.scope.lookup(name)
        if holder is None:
            return self.global_name(self.frame.scope.module, name)
        return self.graph.at(("name", holder, name))

    def bind(self, name: str, node: Node) -> None:
        """Bind a name to a node here."""
        frame = self.frame
        scope = frame.scope
        if frame.module is not None and not scope.is_class:
            self.graph.flow(node, self.graph.at(("global", frame.module.path, name)))
        elif name in scope.module_names:
            self.graph.flow(node, self.graph.at(("global", scope.module.path, name)))
            return
        elif name in scope.outer_names:
            holder = scope.parent.lookup(name) if scope.parent else None
            if holder is not None:
                self.graph.flow(node, self.graph.at(("name", holder, name)))
            return
        else:
            self.graph.flow(node, self.graph.at(("name", scope, name)))
        frame.names[name] = node

    def global_name(self, module: Module, name: str) -> Node:
        """Return the node of a module's global name or of a builtin."""
        try:
            found = self.inference.names.lookup(module, name)
        except SourceError:
            return self.graph.new()
        match found:
            case Bound(module=home, units=units):
                node = self.graph.at(("global", home.path, name))
                key = ("imports", home.path, name)
                if key not in self.graph.named:
                    self.graph.at(key)
                    for unit in units:
                        for statement in unit.nodes:
                            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                                self.imported(statement, home, name, node)
                return node
            case FromStar(local=[*_, (_, _, source)]) if source is not module:
                return self.global_name(source, name)
            case FromStar(external=[(_, star), *_]):
                return self.graph.root(f"{star.module}.{name}")
            case Builtin():
                return self.graph.root(f"builtins.{name}")
            case _:
                return self.graph.new()

    def imported(
        self, statement: ast.Import | ast.ImportFrom, module: Module, name: str, node: Node
    ) -> None:
        """Let the object that an import statement binds to a name flow into its node."""
        for alias in statement.names:
            top = alias.name.split(".")[0]
            if (alias.asname or alias.name) == name:
                brought = alias
            elif isinstance(statement, ast.Import) and not alias.asname and top == name:
                brought = ast.alias(top)
            else:
                continue
            match self.inference.names.imported(module, statement, brought):
                case ImportedName(module=source, name=inner):
                    if source is not module or inner not in module.bindings:
                        self.graph.flow(self.global_name(source, inner), node)
                case ImportedExternal(name=dotted):
                    self.graph.flow(self.graph.root(dotted), node)
                case ImportedModule(module=found):
                    self.modules[node] = (found, module)
                case _:
                    continue

    # ------------------------------------------------------------------ objects

    def attribute_of(self, cls: ClassInfo, name: str) -> Node:
        """Return the node of an attribute in all instances of a class and its bases."""
        return self.graph.at(("attribute", self._top(cls).node, name))

    def _top(self, cls: ClassInfo) -> ClassInfo:
        try:
            return self.inference.mro(cls)[-1]
        except (SourceError, IndexError):
            return cls

    def receiver(self, function: FunctionNode, cls: ClassInfo) -> Node:
        """Return the node of `self` in a method, connected with the class's outside bases."""
        del function
        node = self.graph.at(("self", cls.node))
        if ("bases", cls.node) not in self.graph.named:
            self.graph.at(("bases", cls.node))
            try:
                bases = sorted(self.inference.external_bases(cls))
            except SourceError:
                bases = []
            for base in bases[:_MAX_BASES]:
                if base not in ("?", "builtins.object"):
                    root = self.graph.root(base)
                    self.graph.flow(self.graph.take(root, ("call", 0, (), ())), node)
        return node

    def result_of(self, function: FunctionInfo) -> Node:
        """Return the node of a repository function's result."""
        return self.graph.at(("result", function.node))

    def dotted(self, node: ast.expr) -> tuple[str, ...]:
        """Return the outside names that an expression may have, such as `json.loads`."""
        return tuple(
            value.name
            for value in self.inferred(node)
            if isinstance(value, (External, ExternalInstance))
        )

    def classes(self, node: ast.expr) -> Iterator[ClassInfo]:
        """Yield the repository's classes whose instance an expression may be."""
        for value in self.inferred(node):
            if isinstance(value, (Instance, ClassValue)):
                yield value.cls

    def module_of(self, node: Node, expression: ast.expr) -> tuple[Module, Module] | None:
        """Return the module of the repository that an expression names."""
        known = self.modules.get(node)
        if known is not None:
            found, importer = known
            return (found, importer) if isinstance(found, Module) else None
        if isinstance(expression, ast.Attribute):
            for value in self.inferred(expression):
                if isinstance(value, ModuleValue) and isinstance(value.module, Module):
                    return value.module, value.importer
        return None
