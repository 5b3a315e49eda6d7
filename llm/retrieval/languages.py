"""The languages that are cut along their syntax: their files, and the nodes that define something.

Names of nodes are those of the tree-sitter grammars.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser


@dataclass(frozen=True, slots=True)
class Language:
    """A language, as the chunker sees it."""

    name: str
    endings: tuple[str, ...]
    grammar: str
    """Module with the grammar."""
    functions: frozenset[str]
    """Nodes that are functions or methods."""
    classes: frozenset[str]
    """Nodes that have members: classes, interfaces, implementations."""
    wrappers: frozenset[str] = frozenset()
    """Nodes around a definition that belong to it: decorators, `export`."""
    bodies: frozenset[str] = frozenset()
    """Nodes that hold the members of a class."""


LANGUAGES: tuple[Language, ...] = (
    Language(
        "python",
        (".py", ".pyi", ".pyx"),
        "tree_sitter_python",
        frozenset({"function_definition"}),
        frozenset({"class_definition"}),
        frozenset({"decorated_definition"}),
        frozenset({"block"}),
    ),
    Language(
        "java",
        (".java",),
        "tree_sitter_java",
        frozenset({"method_declaration", "constructor_declaration"}),
        frozenset({
            "class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
        }),
        frozenset(),
        frozenset({"class_body", "interface_body", "enum_body", "enum_body_declarations"}),
    ),
    Language(
        "javascript",
        (".js", ".mjs", ".cjs", ".jsx"),
        "tree_sitter_javascript",
        frozenset({
            "function_declaration", "method_definition", "generator_function_declaration",
        }),
        frozenset({"class_declaration"}),
        frozenset({"export_statement"}),
        frozenset({"class_body"}),
    ),
    Language(
        "go",
        (".go",),
        "tree_sitter_go",
        frozenset({"function_declaration", "method_declaration"}),
        frozenset({"type_declaration"}),
    ),
    Language(
        "rust",
        (".rs",),
        "tree_sitter_rust",
        frozenset({"function_item", "function_signature_item"}),
        frozenset({"enum_item", "impl_item", "mod_item", "struct_item", "trait_item"}),
        frozenset(),
        frozenset({"declaration_list"}),
    ),
)  # fmt: skip
_BY_ENDING = {ending: language for language in LANGUAGES for ending in language.endings}


def language_of(path: str) -> Language | None:
    """Return the language of a file by the ending of its name."""
    return _BY_ENDING.get(path[path.rfind(".") :]) if "." in path else None


@cache
def parser_of(name: str) -> Parser:
    """Return the parser of a language."""
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser

    language = next(each for each in LANGUAGES if each.name == name)
    pointer = import_module(language.grammar).language()
    return Parser(Grammar(pointer))  # pyright: ignore[reportDeprecated] - only for old pointers
