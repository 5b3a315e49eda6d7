"""What a writer of candidates is shown: signature, docstring, surroundings, and the file's hole."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ..slicer.model import Slice
from ..verifier.held import lines_of
from ..verifier.scoring.holes import Filled, NoHoleError, holed
from ..verifier.scoring.substitute import template


@dataclass(frozen=True, slots=True)
class Prompt:
    """The target without what it does."""

    signature: str
    docstring: str | None
    context: str
    """The slice's script with the target's hole."""
    file_with_hole: str
    """The target's file likewise."""


def prompt_of(text: str, sliced: Slice) -> Prompt:
    """What can be shown of the target without its body.

    Args:
        text: of the target's file in the repository.
        sliced: the slice.

    Raises:
        NoHoleError: the target cannot be cut out.
    """
    (target, *_) = sliced.manifest.targets
    hole = holed(text, target.qualname)
    main = hole.holes[0].slots[hole.holes[0].main]
    own = "\n".join(lines_of(text)[main.first - 1 : main.last])
    docstring = _docstring(own)
    signature = main.header or own.lstrip().splitlines()[len(main.decorators.splitlines())]
    quoted = f"    {_quoted(docstring)}\n" if docstring else ""
    stub = f"{signature}\n{quoted}    ...\n"
    if not main.header:  # a class, or a name that something is assigned to
        stub = f"{target.qualname.rpartition('.')[2]} = ...\n"
    shown = [
        template(sliced.source, target.path, target.qualname).filled(stub),
        hole.filled(stub),
    ]
    texts = [each.text for each in shown if isinstance(each, Filled)]
    if len(texts) < len(shown):
        raise NoHoleError(f"{target}: its signature cannot stand alone")
    return Prompt(signature, docstring, *texts)


def _docstring(definition: str) -> str | None:
    try:
        node = ast.parse("if 1:\n" + definition if definition[:1].isspace() else definition)
    except SyntaxError:
        return None
    for inner in ast.walk(node):
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return ast.get_docstring(inner)
    return None


def _quoted(text: str) -> str:
    inner = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    end = " " if inner.endswith('"') else ""
    return f'"""{inner}{end}"""'
