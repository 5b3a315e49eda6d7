"""A Java file as its syntax tree shows it: package, imports, types and their members."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .....llm.retrieval.languages import parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

TYPES = frozenset({
    "class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
    "annotation_type_declaration",
})  # fmt: skip
CLASSES = frozenset({"class_declaration", "record_declaration"})
"""Types that can be a task: classes, abstract ones too, and records."""
CONSTRUCTORS = frozenset({"constructor_declaration", "compact_constructor_declaration"})
METHODS = CONSTRUCTORS | {"method_declaration"}
FIELDS = frozenset({"field_declaration", "constant_declaration"})
COMMENTS = frozenset({"block_comment", "line_comment"})


@dataclass(frozen=True, slots=True)
class JavaImport:
    """One import."""

    name: str
    """Full name, without the asterisk."""
    is_static: bool
    is_wildcard: bool


@dataclass(frozen=True, slots=True)
class JavaFile:
    """A file, parsed."""

    path: str
    text: str
    package: str
    """Its name; empty for the default package."""
    imports: tuple[JavaImport, ...]
    types: tuple[Node, ...]
    """Top-level types."""

    @property
    def main_type(self) -> Node | None:
        """Return the type that is called as the file is."""
        stem = self.path.rpartition("/")[2].removesuffix(".java")
        return next((each for each in self.types if name_of(each) == stem), None)

    def full_name(self, node: Node) -> str:
        """Return the name of a top-level type with its package."""
        return f"{self.package}.{name_of(node)}".lstrip(".")


def java_file(path: str, text: str) -> JavaFile:
    """Return a file, parsed."""
    root = parser_of("java").parse(text.encode("utf-8", "surrogateescape")).root_node
    package = next(
        (
            text_of(each.named_children[-1])
            for each in root.children
            if each.type == "package_declaration"
        ),
        "",
    )
    return JavaFile(
        path,
        text,
        package,
        tuple(_import(each) for each in root.children if each.type == "import_declaration"),
        tuple(each for each in root.children if each.type in TYPES),
    )


def _import(node: Node) -> JavaImport:
    kinds = {each.type for each in node.children}
    names = (
        each for each in node.named_children if each.type in ("scoped_identifier", "identifier")
    )
    name = text_of(next(names, None))
    return JavaImport(name, "static" in kinds, "asterisk" in kinds)


def text_of(node: Node | None) -> str:
    """Return the text of a node; empty for none."""
    text = node.text if node is not None else None
    return (text or b"").decode("utf-8", "surrogateescape")


def name_of(node: Node) -> str:
    """Return the name of a type or method."""
    return text_of(node.child_by_field_name("name"))


def members_of(node: Node) -> Iterator[Node]:
    """Yield the members in the body of a type, and the comments between them."""
    body = node.child_by_field_name("body")
    for each in body.named_children if body is not None else ():
        if each.type == "enum_body_declarations":
            yield from each.named_children
        else:
            yield each


def names_of_member(node: Node) -> Iterator[str]:
    """Yield the names that a member declares."""
    if node.type in FIELDS:
        for each in node.children_by_field_name("declarator"):
            yield name_of(each)
    elif node.type in METHODS | TYPES:
        yield name_of(node)


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes below it, in the order of the text."""
    left = [node]
    while left:
        each = left.pop()
        yield each
        left += reversed(each.children)


def base_name(node: Node | None) -> str:
    """Return the simple name of a type without its parameters; empty for an array."""
    if node is None:
        return ""
    match node.type:
        case "type_identifier" | "identifier":
            return text_of(node)
        case "generic_type" | "annotated_type":
            return base_name(node.named_children[0] if node.named_children else None)
        case "scoped_type_identifier":
            return base_name(node.named_children[-1])
        case _:
            return ""
