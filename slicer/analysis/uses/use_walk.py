"""The walk over a definition. The table of visitors for each kind of node is passed in."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping

from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.builtin_models import ORDER
from ...syntax.call_shapes import CallShape
from ...syntax.memo import memo
from ...syntax.nodes import children
from ..external.base_class_hooks import deciding_members
from ..inference import Inference
from ..scopes.definitions import Scope, function_scope
from ..values.abstract_values import (
    NOTHING,
    ClassValue,
    External,
    FunctionValue,
    Instance,
    Parameter,
    TupleOf,
    Value,
    Values,
    is_abstract,
    ordered,
)
from .use_records import (
    ComputedUse,
    DeclaredUse,
    InstanceCallUse,
    ListedUse,
    MemberUse,
    OverriddenUse,
    ProtocolUse,
    Role,
    StoreUse,
    Use,
    Uses,
)
from .values_with_members import (
    OURS,
    WITH_MEMBERS,
    contained_values,
    displayed,
    flattened,
    has_only_if_stored,
    inner_members,
    may_have_member,
)

Visitor = Callable[..., None]
"""Visits a node for the walk."""
_STORED = (Instance, ClassValue, FunctionValue, Parameter)
_COMPUTED = (ast.Attribute, ast.Call, ast.BinOp, ast.IfExp, ast.BoolOp)
_CLASS_WALKS = frozenset({"__mro__", "__bases__", "__base__", "mro", "getmro"})
"""Attributes with which code may inspect each class of a resolution order."""
_SPECIAL_ATTRIBUTES = frozenset(
    {
        "__module__",
        "__globals__",
        "__code__",
        "__doc__",
        "__annotations__",
        "annotation",
        "__abstractmethods__",
    }
)


class Walk:
    """The walk over one definition: it dispatches nodes to visitors, and collects uses."""

    def __init__(
        self,
        inference: Inference,
        module: Module,
        unit: Unit,
        visitors: Mapping[type[ast.AST], Visitor],
    ) -> None:
        self.inference = inference
        self.module = module
        self.unit = unit
        self.uses: dict[tuple[type[Use], Use], None] = {}
        self.externals: set[str] = set()
        self.strings: set[str] = set()
        self.words: set[str] = set()
        self.attributes: set[str] = set()
        self.fields: set[str] = set()
        self.runs_text = _runs_text(module)
        self.fills_texts = _fills_texts(module)
        self.flags: set[str] = set()
        self.role: Role = "value"
        self.scope: Scope
        self.changed: ast.Name | None = None
        """The name whose object the statement changes, and does nothing else with."""
        self.decorating: ast.Name | None = None
        self.listed_prefixes: dict[ast.AST, tuple[str, ...]] = {}
        """Calls of `dir`, each with the prefixes of the names that are used."""
        self.without_methods: set[ast.AST] = set()
        """Lookups and listings of members whose values pass a test that no function passes."""
        self.key_tested: set[ast.AST] = set()
        """Names of tables that this place only tests for a key."""
        self.own_names: set[str] = set()
        """Module-level names that an enclosing `with` or `for` has just bound."""
        self._visitors = visitors
        self._class_walk_line: int | None = None
        self._walked: set[Value] = set()
        """Values whose classes' resolution order is walked."""
        self.lists_unknown = False
        """Whether all members of an unknown value are listed."""
        self.lists_data = False
        """Whether they are listed in a way that treats plain methods like missing names."""

    def result(self) -> Uses:
        """Return the collected uses."""
        if self._class_walk_line is not None:
            names = {use.name for _, use in self.uses if isinstance(use, MemberUse)} | self.strings
            for name in sorted(names):
                self.use(OverriddenUse(name, self._class_walk_line))
            if self._walked and (self.lists_unknown or self.lists_data):
                walked = frozenset(self._walked)
                self.use(ListedUse(walked, self._class_walk_line, not self.lists_unknown))
        return Uses(
            tuple(use for _, use in self.uses), frozenset(self.externals), frozenset(self.strings),
            frozenset(self.words), frozenset(self.flags), frozenset(self.attributes),
            frozenset(self.fields),
        )  # fmt: skip

    def use(self, use: Use) -> None:
        """Record a use, once."""
        self.uses.setdefault((type(use), use))  # uses of two kinds may be equal as tuples

    def visit(self, node: ast.AST | None, role: Role = "value") -> None:
        """Visit a node in a role."""
        if node is None:
            return
        before, self.role = self.role, role
        method = self._visitors.get(type(node))
        if method is not None:
            method(self, node)
        else:
            for child in children(node):
                self.visit(child)
        self.role = before

    def visit_all(self, nodes: Iterable[ast.AST | None], role: Role = "value") -> None:
        """Visit nodes in a role."""
        for node in nodes:
            self.visit(node, role)

    def visit_in(self, scope: Scope, nodes: Iterable[ast.AST | None]) -> None:
        """Visit nodes in another scope."""
        before, self.scope = self.scope, scope
        self.visit_all(nodes)
        self.scope = before

    def values(self, node: ast.expr) -> Values:
        """Return the values of the node."""
        return self.inference.evaluate(node, self.scope)

    def possible(self, node: ast.expr) -> Values:
        """Return the values of the node, including parameters."""
        return self.inference.possible(node, self.scope)

    def holding(self, node: ast.expr) -> Values:
        """Return the values of the node; for unknown `self.x`, parameters stored there."""
        values = self.possible(node)
        if values is not None or not isinstance(node, ast.Attribute):
            return values
        owners = [v.cls for v in ordered(self.values(node.value)) if isinstance(v, Instance)]
        stored = [
            self.inference.possible(value, scope) or frozenset()
            for owner in owners
            for above in self.inference.mro(owner)
            for value, scope in above.self_assignments.get(node.attr, ())
            if isinstance(value, ast.expr)
        ]
        parameters = frozenset(v for each in stored for v in each if isinstance(v, Parameter))
        return parameters or None

    def deciding(self, node: ast.expr) -> list[str]:
        """Return the members by which an external class recognises its virtual subclasses."""
        kinds = sorted(v.name for v in self.values(node) or () if isinstance(v, External))
        return [member for kind in kinds for member in deciding_members(kind)]

    def protocol(self, node: ast.expr, members: tuple[str, ...] | None) -> None:
        """Record that the members are called on the node's value."""
        self.query_members(self.possible(node), members, node.lineno)
        inner = inner_members(members)
        for part in displayed(node) if inner != () else ():
            self._query_contained(self.possible(part), inner, node.lineno)

    def _query_contained(self, values: Values, members: tuple[str, ...] | None, line: int) -> None:
        # External code is assumed to access nothing on unknown items.
        if values is not None or members is not None:
            self.query_members(values, members, line)

    def query_members(self, values: Values, members: tuple[str, ...] | None, line: int) -> None:
        """Record that the members are called on the values."""
        if members == ():
            return
        if members is None and is_abstract(self.inference.closed(values)):
            values = None
        inner = inner_members(members)
        for contained in contained_values(values) if inner != () else ():
            self._query_contained(contained, inner, line)
        if members and not set(ORDER).isdisjoint(members) and _holds_tuple(values):
            members = (*members, "__eq__")  # the first unequal parts decide
        values = _repository_instances(values)
        if values != NOTHING:
            self.use(ProtocolUse(values, members, line))

    def query_items(self, node: ast.expr, members: tuple[str, ...]) -> None:
        """Record that the members are called on the items of the node's value."""
        parts = list(displayed(node)) if not isinstance(node, ast.Dict) else []
        if parts:
            for part in parts:
                self.protocol(part, members)
        else:
            self.query_members(self.inference.items(self.values(node)), members, node.lineno)

    def store(self, receivers: Values, name: str, node: ast.expr) -> None:
        """Record that the node's value is stored in an attribute of the receivers."""
        values = self.possible(node)
        if isinstance(node, ast.Lambda):
            values = self.inference.possible(node.body, function_scope(node, self.scope, None))
        self.store_values(receivers, name, values, node.lineno)
        if values is None and any(isinstance(v, Parameter) for v in receivers or ()):
            self.store_computed(receivers, name, node)

    def store_computed(self, receivers: Values, name: str, node: ast.expr) -> None:
        """Record that a computed value, which the slice may know, is stored in an attribute."""
        if isinstance(node, _COMPUTED):
            self.use(ComputedUse(receivers, name, node, self.scope, node.lineno))

    def store_values(self, receivers: Values, name: str, values: Values, line: int) -> None:
        """Record that the values are stored in an attribute of the receivers."""
        stored = frozenset(v for v in values or () if isinstance(v, _STORED))
        if stored:
            self.use(StoreUse(receivers, name, stored, line))

    def declare(self, annotation: ast.expr | None, node: ast.expr | None, outer: Scope) -> None:
        """Record that the node's value is used where an annotation declares a type."""
        if annotation is None or node is None:
            return
        declared = self.inference.annotation(annotation, outer)
        values = frozenset(v for v in self.possible(node) or () if isinstance(v, _STORED))
        if declared is not None and values:
            self.use(DeclaredUse(declared, values, node.lineno))

    def call(self, values: Values, shape: CallShape, line: int) -> None:
        """Record that the values are called."""
        values = _repository_instances(values)
        if values != NOTHING:
            self.use(InstanceCallUse(values, shape, line))

    def member(self, values: Values, name: str, role: Role, line: int) -> None:
        """Record that a member of the values is used."""
        if name in _SPECIAL_ATTRIBUTES:
            self.flags.add(name)
        if name in _CLASS_WALKS:
            self._class_walk_line = line
            self._walked.update(v for v in values or () if may_have_member(v, OURS))
        if name in _CODING:
            self.externals.add(f"builtins.str().{name}")
        if values is None:
            is_data = role == "data"
            self.lists_data = self.lists_data or is_data
            self.lists_unknown = self.lists_unknown or (name == "__dict__" and not is_data)
        else:
            for value in values:
                if isinstance(value, External):
                    self.externals.add(f"{value.name}.{name}")
            values = frozenset(
                v for v in values if may_have_member(v, WITH_MEMBERS) or has_only_if_stored(v, name)
            )
            if not values:
                return
        self.use(MemberUse(values, name, role, line))


_CODING = frozenset({"encode", "decode"})
"""Methods of text and bytes that use the process's codecs and error handlers."""


def _repository_instances(values: Values) -> Values:
    """Return the subset of the values whose types may be repository classes."""
    if values is None:
        return None
    return frozenset(v for v in flattened(values) if may_have_member(v, OURS))


def _holds_tuple(values: Values) -> bool:
    return values is not None and any(isinstance(v, TupleOf) for v in values)


@memo
def _runs_text(module: Module) -> bool:
    """Whether the module may run strings as code."""
    return any(call in module.source.text for call in ("exec(", "eval(", "compile("))


@memo
def _fills_texts(module: Module) -> bool:
    """Whether the module may fill texts with its own names: `text.format(**globals())`."""
    return any(table in module.source.text for table in ("globals()", "vars()", "locals()"))
