"""Which methods of a class a Java test calls directly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .index import JavaIndex, JavaType
from .source import JavaFile, base_name, name_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARATIONS = frozenset({
    "local_variable_declaration", "field_declaration", "formal_parameter", "resource",
    "enhanced_for_statement",
})  # fmt: skip


def methods_called(index: JavaIndex, owner: JavaType, test: JavaFile) -> set[str]:
    """Return the names of a class's methods that a test calls; its own name for a constructor.

    A call counts if its receiver is the class, a variable or a cast of that type, a new object, or
    what another such call or a method of the test returns.
    """
    names = {name for name, each in index.visible(test).items() if each is owner}
    imported = {name for name, each in index.static_names(test).items() if each is owner}
    nodes = [each for node in test.types for each in walk(node)]
    calls = _Calls(owner, owner.members, frozenset({*names, name_of(owner.node)}), imported)
    calls.learn(nodes)
    return {name for each in nodes for name in calls.called(each)} & calls.members.keys()


@dataclass(slots=True)
class _Calls:
    owner: JavaType
    members: Mapping[str, tuple[Node, ...]]
    names: frozenset[str]
    """Names of the class in the test."""
    imported: set[str]
    """Static members of the class that the test imports."""
    variables: set[str] = field(default_factory=set[str])
    """Variables of the test that hold its objects."""
    makers: set[str] = field(default_factory=set[str])
    """Methods of the test that return its objects."""

    def learn(self, nodes: Sequence[Node]) -> None:
        """Collect the variables and methods of the test whose type is the class."""
        self.makers |= {
            name_of(each)
            for each in nodes
            if each.type == "method_declaration"
            and base_name(each.child_by_field_name("type")) in self.names
        }
        for each in nodes:
            if each.type in _DECLARATIONS:
                self.variables |= set(self._declared(each))

    def called(self, node: Node) -> Iterator[str]:
        """Yield the method that a node calls, if it is one of the class."""
        match node.type:
            case "method_invocation":
                name, receiver = name_of(node), node.child_by_field_name("object")
                if name in self.imported if receiver is None else self._is_own(receiver):
                    yield name
            case "method_reference":
                if self._is_own(node.children[0]):
                    yield text_of(node.children[-1])
            case "object_creation_expression":
                if base_name(node.child_by_field_name("type")) in self.names:
                    yield name_of(self.owner.node)
            case _:
                return

    def _declared(self, node: Node) -> Iterator[str]:
        type_ = node.child_by_field_name("type")
        declarators = node.children_by_field_name("declarator") or [node]
        for each in declarators:
            value = each.child_by_field_name("value")
            is_inferred = text_of(type_) == "var" and value is not None and self._is_own(value)
            if is_inferred or base_name(type_) in self.names:
                yield name_of(each)

    def _is_own(self, node: Node) -> bool:
        """Whether an expression is the class or one of its objects."""
        match node.type:
            case "identifier":
                return text_of(node) in self.variables | self.names
            case "object_creation_expression" | "cast_expression":
                return base_name(node.child_by_field_name("type")) in self.names
            case "parenthesized_expression":
                return any(self._is_own(each) for each in node.named_children)
            case "field_access":
                is_variable = text_of(node.child_by_field_name("field")) in self.variables
                return is_variable or text_of(node) == self.owner.full_name
            case "method_invocation":
                name, receiver = name_of(node), node.child_by_field_name("object")
                is_own = name in self.imported if receiver is None else self._is_own(receiver)
                is_made = receiver is None and name in self.makers
                return is_made or (is_own and self._returns_itself(name))
            case _:
                return False

    def _returns_itself(self, name: str) -> bool:
        """Whether a method of the class returns an object of the class."""
        own = name_of(self.owner.node)
        return any(
            base_name(each.child_by_field_name("type")) == own
            for each in self.members.get(name, ())
        )
