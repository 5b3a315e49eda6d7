"""Imports in Java, JavaScript, Go and Rust: which there are, and which would bring a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from ..retrieval.languages import Language
from .file_records import Definition, ImportedName

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = r"[^\W\d]\w*"
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)", re.M)
_JAVA = re.compile(r"^\s*(import\s+(?:static\s+)?[\w.]+\.(\w+)\s*;)", re.M)
_RUST = re.compile(r"^\s*(?:pub\s+)?(use\s+([^;]+);)", re.M)
_GO = re.compile(r'^\s*(?:import\s+)?(?:(\w+)\s+)?("[\w./-]+")\s*$', re.M)
_JAVASCRIPT = re.compile(
    r"^\s*(import\s+([^'\"]+?)\s+from\s+['\"][^'\"]+['\"];?"
    r"|(?:const|let|var)\s+([^=]+?)\s*=\s*require\(['\"][^'\"]+['\"]\);?)",
    re.M,
)
_PATHS = ("identifier", "type_identifier")


def module_of(path: str, text: str, language: Language) -> str:
    """Return what a file's names are imported from: a package, or the path without its ending."""
    if language.name == "java":
        found = _PACKAGE.search(text)
        return found[1] if found else ""
    if language.name == "go":
        return str(PurePosixPath(path).parent)
    return str(PurePosixPath(path).with_suffix(""))


def imports_of(text: str, language: Language) -> Iterator[ImportedName]:
    """Yield the names that a file imports."""
    match language.name:
        case "java":
            for found in _JAVA.finditer(text):
                yield ImportedName(found[2], " ".join(found[1].split()))
        case "rust":
            for found in _RUST.finditer(text):
                for name in re.findall(rf"({_NAME})\s*(?=[,}}]|$)", found[2].strip()):
                    yield ImportedName(name, " ".join(found[1].split()))
        case "go":
            for found in _GO.finditer(text):
                name = found[1] or found[2].strip('"').rpartition("/")[2]
                yield ImportedName(name, f"import {f'{found[1]} ' if found[1] else ''}{found[2]}")
        case _:
            for found in _JAVASCRIPT.finditer(text):
                bound = re.sub(rf"{_NAME}\s*(?:as|:)\s*", "", found[2] or found[3])
                for name in re.findall(_NAME, bound):
                    yield ImportedName(name, " ".join(found[1].split()))


def import_statement(definition: Definition, module: str, language: Language) -> str:
    """Return the statement that imports a definition, as code elsewhere would write it."""
    name = definition.qualname.partition(".")[0]
    match language.name:
        case "java":
            return f"import {module}.{name};" if module else f"// {name} has no package"
        case "go":
            return f'import "{module}"  // below the module of go.mod; then its package.{name}'
        case "rust":
            inner = module.removeprefix("src/").removesuffix("/mod").replace("/", "::")
            place = "" if inner in ("lib", "main") else f"{inner}::"
            return f"use crate::{place}{name};"
        case _:
            return f'import {{ {name} }} from "{module}.js"  // or a path relative to your file'


def used_names(root: Node) -> set[str]:
    """Return the identifiers of a program."""
    names: set[str] = set()
    left = [root]
    while left:
        node = left.pop()
        if node.type in _PATHS and node.text is not None:
            names.add(node.text.decode("utf-8", "replace"))
        left.extend(node.children)
    return names
