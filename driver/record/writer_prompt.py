"""The prompt for writers of candidates: signature, docstring, context, and the file's hole."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from ...slicer.model import Slice
from ...slicer.syntax.scopes import bound_in
from ...verifier.scoring.candidates.offered_names import OfferedName, is_future_import, run_time
from ...verifier.scoring.module_holes import FilledText, NoHoleError, holed
from ...verifier.scoring.substitute import template
from ...verifier.script.source_map import lines_of
from .reader_context import context_of


@dataclass(frozen=True, slots=True)
class Prompt:
    """The description of a target without its body."""

    signature: str
    docstring: str | None
    context: str
    """The repository's code in the slice's script, with a hole for the target."""
    file_with_hole: str
    """The target's file, with the same hole."""
    available: tuple[str, ...]
    """Names of the file's own module and its imports that a candidate can use."""


def prompt_of(text: str, sliced: Slice, imports: Sequence[OfferedName] = ()) -> Prompt:
    """Return the description of the target without its body.

    Args:
        text: text of the target's file in the repository.
        sliced: the slice.
        imports: imports of the file that a candidate may use besides the slice's.

    Raises:
        NoHoleError: the target cannot be cut out.
    """
    (target, *_) = sliced.manifest.targets
    hole = holed(text, target.qualname)
    main = hole.holes[0].slots[hole.holes[0].main]
    own = "\n".join(lines_of(text)[main.first - 1 : main.last])
    docstring = _docstring(own)
    signature = main.header or own.lstrip().splitlines()[len(main.decorators.splitlines())]
    written = _docstring(own, clean=False)  # with its indentation
    quoted = f"    {quoted_docstring(written)}\n" if written else ""
    stub = f"{signature}\n{quoted}    ...\n"
    if not main.header:  # a class, or an assigned name
        stub = f"{target.qualname.rpartition('.')[2]} = ...\n"
    slotted = template(sliced.source, target.path, target.qualname)
    shown = [
        slotted.filled(stub),
        hole.filled(stub),
    ]
    texts = [each.text for each in shown if isinstance(each, FilledText)]
    if len(texts) < len(shown):
        raise NoHoleError(f"{target}: its signature cannot stand alone")
    names = _of_file(text, slotted.names) | {each.name for each in imports}
    context = context_of(texts[0], target.path, sliced.manifest.data_files)
    return Prompt(signature, docstring, context, texts[1], tuple(sorted(names)))


def _of_file(text: str, names: frozenset[str]) -> frozenset[str]:
    """Return the subset of the names that a file binds; with a star import, all of them."""
    body = [node for node in run_time(ast.parse(text).body) if not is_future_import(node)]
    alias = (each for node in body for each in ast.walk(node) if isinstance(each, ast.alias))
    if any(each.name == "*" for each in alias):
        return names
    return names & bound_in(body)


def _docstring(definition: str, *, clean: bool = True) -> str | None:
    try:
        node = ast.parse("if 1:\n" + definition if definition[:1].isspace() else definition)
    except SyntaxError:
        return None
    for inner in ast.walk(node):
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return ast.get_docstring(inner, clean=clean)
    return None


def quoted_docstring(text: str) -> str:
    """Return a docstring as code writes it, without its indentation."""
    inner = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    end = " " if inner.endswith('"') else ""
    return f'"""{inner}{end}"""'
