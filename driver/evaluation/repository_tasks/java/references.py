"""What a method of a Java class needs of the rest of the repository."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .index import JavaIndex, JavaType
from .source import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = frozenset({"identifier", "type_identifier"})
_FULL_NAMES = frozenset({"scoped_type_identifier", "scoped_identifier", "field_access"})


def used_by_methods(
    index: JavaIndex, owner: JavaType, methods: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Return the types and inherited members outside a class that each method needs.

    What the members of the class that it names need counts too.

    Args:
        index: types of the repository.
        owner: the class.
        methods: names of its methods.
    """
    own = owner.members
    known = {**index.static_names(owner.file), **index.visible(owner.file)}
    known = {name: each for name, each in known.items() if name not in own}
    inherited = index.inherited(owner)

    def needs(nodes: Sequence[Node]) -> Iterator[str]:
        for node in nodes:
            for each in walk(node):
                text = text_of(each) if each.type in _NAMES | _FULL_NAMES else ""
                found = index.types.get(text) if each.type in _FULL_NAMES else known.get(text)
                if found is not None and found is not owner:
                    yield found.label
                called = _called_without_receiver(each)
                if called in inherited and called not in own:
                    yield f"{inherited[called].label}.{called}"

    return {name: tuple(sorted(set(needs(_reached(own, name))))) for name in methods}


def _reached(own: Mapping[str, tuple[Node, ...]], name: str) -> list[Node]:
    """Return the members that a member names, itself among them."""
    found: list[Node] = []
    seen, left = {name}, [name]
    while left:
        nodes = own.get(left.pop(), ())
        found += nodes
        named = {text_of(each) for node in nodes for each in walk(node) if each.type in _NAMES}
        left += sorted((named & own.keys()) - seen)
        seen |= named
    return found


def _called_without_receiver(node: Node) -> str:
    """Return the name of a method that is called on the object itself; else nothing."""
    if node.type != "method_invocation":
        return ""
    receiver = node.child_by_field_name("object")
    is_own = receiver is None or receiver.type in ("super", "this")
    return text_of(node.child_by_field_name("name")) if is_own else ""
