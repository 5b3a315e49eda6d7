"""Visitor for string literals: names, annotations and code written as text."""

from __future__ import annotations

import ast
import re

from ....repo.module_paths import module_paths
from ..names_in_text.format_fields import fields_of
from ..use_records import ModuleUse, PathUse, Role
from ..use_walk import Walk

_CODE_MARKS = ("=", "import ", "(")
"""Marks of which text that runs as code contains at least one, unless it is a name."""
_IMPORT_IN_TEXT = re.compile(r"\s*from\s+([A-Za-z_][\w.]*)\s+import\b")
_ATTRIBUTE = re.compile(r"\.([A-Za-z_]\w+)")
_PATH = re.compile(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*")
"""`"pkg.mod.Thing"`, `"pkg.mod:thing"`."""
_INSIDE = re.compile(r"((?:[A-Za-z_]\w*\.)+)(?:%s|\{\w*\})|((?:[A-Za-z_]\w*\.)+)")
"""`"pkg.providers."`, `"providers.%s"`: what follows names a module in the package."""
_WORDS = re.compile(r"[A-Za-z_]\w+")
_HOLE = re.compile(r"\{([^\W\d]\w*)|%\(([^\W\d]\w*)\)|\$\{?([^\W\d]\w*)")
"""A name in a text that is filled: `{name}`, `%(name)s`, `$name`."""


def visit_constant(walk: Walk, node: ast.Constant) -> None:
    """Visit a literal: its text may be a name, an annotation, or code."""
    if isinstance(node.value, str):
        if walk.role == "annotation":
            visit_text(walk, node.value, node.lineno, "annotation")
        elif all(map(str.isidentifier, parts := node.value.split("."))):
            walk.strings.update(parts)  # each part of a dotted path may be accessed in turn
        if _PATH.fullmatch(node.value):
            walk.use(PathUse(walk.module, node.value.replace(":", "."), node.lineno))
        elif inside := _INSIDE.fullmatch(node.value):
            walk.use(PathUse(walk.module, inside[1] or inside[2], node.lineno))
        if ":" in node.value or not _PATH.fullmatch(node.value):
            for path in module_paths(node.value, walk.module, walk.inference.repository):
                walk.use(PathUse(walk.module, path, node.lineno))
        _see_import_in_text(walk, node.value, node.lineno)
        walk.attributes.update(_ATTRIBUTE.findall(node.value))
        walk.fields.update(name for field in fields_of(node.value) for name in field.names)
        if walk.runs_text and any(mark in node.value for mark in _CODE_MARKS):
            walk.words.update(_WORDS.findall(node.value))
        if walk.fills_texts:
            walk.words.update(map("".join, _HOLE.findall(node.value)))


def _see_import_in_text(walk: Walk, text: str, line: int) -> None:
    """Record an import in the text of generated code: `"from pkg.mod import " + names`."""
    found = _IMPORT_IN_TEXT.match(text)
    if found is not None and ("." in found[1] or text.rstrip().endswith("*")):
        walk.use(ModuleUse(walk.module, found[1], line, is_text=True))


def visit_text(walk: Walk, text: str, line: int, role: Role = "value") -> None:
    """Visit an expression that is written as text."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return
    for item in ast.walk(tree):
        if isinstance(item, (ast.expr, ast.keyword)):
            item.lineno = line
    walk.visit(tree, role)
