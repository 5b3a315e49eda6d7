"""Which docstring a model sees: the original, none, or one that a model wrote."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace
from textwrap import indent
from typing import Any

from ..datasets.storage.columns import EnvironmentRow
from ..record.writer_prompt import quoted_docstring
from .contexts import hole_start
from .tasks import NoTaskError

ORIGINAL = "original"
DOCSTRINGS = (ORIGINAL, "none", "generated")
_QUOTED = re.compile(r'[ \t]*(?:[rRuU]?)"""(?:[^"\\]|\\.|"(?!""))*"""[ \t]*\n\Z', re.S)


def chosen_docstring(row: EnvironmentRow, record: Mapping[str, Any], which: str) -> str | None:
    """Return the docstring that a choice means.

    Raises:
        NoTaskError: none was generated.
    """
    if which == "none":
        return None
    if which == "generated":
        found: str | None = record["prompt"].get("generated_docstring")
        if not found:
            raise NoTaskError("no docstring was generated")
        return found
    return row.docstring


def with_docstring(
    row: EnvironmentRow, record: Mapping[str, Any], which: str
) -> tuple[EnvironmentRow, dict[str, Any]]:
    """Return an environment's row and record with another docstring wherever a model reads it.

    Raises:
        NoTaskError: none was generated.
    """
    if which == ORIGINAL:
        return row, dict(record)
    docstring = chosen_docstring(row, record, which)
    prompt: dict[str, Any] = dict(record["prompt"])
    for name in ("context", "file_with_hole"):
        prompt[name] = _replaced(prompt[name], row.signature, docstring)
    prompt["docstring"] = docstring
    changed = replace(row, docstring=docstring, prompt=prompt["context"])
    return changed, {**record, "prompt": prompt}


def definition_with_docstring(code: str, docstring: str | None) -> str:
    """Return a definition with another docstring, or without any."""
    is_indented = code[:1] in (" ", "\t")
    text = f"if 1:\n{code}" if is_indented else code
    try:
        (node,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return code
    if isinstance(node, ast.If):
        (node, *_) = node.body
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return code
    lines = text.splitlines(keepends=True)
    first = node.body[0]
    has_docstring = ast.get_docstring(node, clean=False) is not None
    if first.lineno == node.lineno or (has_docstring and len(node.body) == 1):
        return code
    space = " " * first.col_offset
    new = (
        []
        if docstring is None
        else [indent(f"{quoted_docstring(docstring)}\n", space, lambda _line: True)]
    )
    last = (first.end_lineno or first.lineno) if has_docstring else first.lineno - 1
    lines[first.lineno - 1 : last] = new
    return "".join(lines[1:] if is_indented else lines)


def _replaced(text: str, signature: str, docstring: str | None) -> str:
    """Return a text with another docstring above its hole."""
    hole = hole_start(text, signature)
    if hole is None:
        return text
    above, below = _QUOTED.sub("", text[:hole]), text[hole:]
    if docstring is None:
        return above + below
    space = below[: len(below) - len(below.lstrip())]
    return above + indent(f"{quoted_docstring(docstring)}\n", space, lambda _line: True) + below
