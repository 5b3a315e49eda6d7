"""Regimes: how much of the repository a model sees beside what it is to write.

Each is a function from an environment's row to code with `...` where the body belongs. A budget
bounds it; what is farthest from the hole is cut first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from ...llm.retrieval.copy_holes import without_copies
from ...llm.retrieval.target_guard import hidden_target
from ...slicer.syntax.dedent import dedented
from ..datasets.storage.columns import EnvironmentRow
from ..record.writer_prompt import quoted_docstring

_TOKEN = re.compile(r"\w{1,6}|[^\w\s]|\n[ \t]*")
_CUT = "# … code is left out here\n"
_HOLE = re.compile(r"^[ \t]*\.\.\.[ \t]*$", re.M)


@dataclass(frozen=True, slots=True)
class Context:
    """Code that a model sees, with the hole."""

    text: str
    tokens: int
    """Estimated number of tokens, without the marks where code is left out."""
    cut: int
    """Estimated number of tokens that the budget has cut."""


def token_estimate(text: str) -> int:
    """Return about how many tokens a text has: six letters, a sign, or an indented line each."""
    return len(_TOKEN.findall(text))


def stub(row: EnvironmentRow) -> str:
    """Return the definition with its docstring and a hole, alone; `none` is this regime."""
    quoted = f"    {quoted_docstring(row.docstring)}\n" if row.docstring else ""
    text = f"{_decorators(row.code)}{row.signature.strip()}\n{quoted}    ...\n"
    owner = row.qualname.rpartition(".")[0].rpartition(".")[2]
    if not owner or owner == "<locals>":
        return text
    return f"class {owner}:\n{indent(text, '    ')}"


def _decorators(code: str) -> str:
    """Return the lines of a definition's decorators."""
    text = dedented(code)
    try:
        node = ast.parse(text).body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return ""
    lines = text.splitlines(keepends=True)
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min((each.lineno for each in decorators), default=getattr(node, "lineno", 1))
    return "".join(lines[first - 1 : getattr(node, "lineno", 1) - 1])


def in_file(row: EnvironmentRow, record: Mapping[str, Any]) -> str:
    """Return the target's file with the hole, and with holes for copies of the target."""
    name = row.qualname.rpartition(".")[2]
    target = hidden_target(row.path, 0, -1, name, row.code)  # it is not in the file
    return without_copies(row.path, str(record["prompt"]["file_with_hole"]), target)


def slice_of(row: EnvironmentRow, record: Mapping[str, Any]) -> str:
    """Return the slice with the hole: all that the function needs, and nothing else."""
    return row.prompt


def alone(row: EnvironmentRow, record: Mapping[str, Any]) -> str:
    """Return the definition alone."""
    return stub(row)


Regime = Callable[[EnvironmentRow, Mapping[str, Any]], str]
REGIMES: dict[str, Regime] = {
    "none": alone,
    "in-file": in_file,
    "slice": slice_of,
}
"""The regimes that need nothing but the environment."""
DEPENDENCIES = "dependencies"
"""The regime of R2E: the whole statements that the target needs, of all files, and no more."""
RETRIEVED = "retrieved"
"""The regime of the file, and passages of other files that retrieval finds."""


def bounded_context(text: str, signature: str, most: int) -> Context:
    """Return the context within a budget of tokens: lines nearest to the hole stay."""
    tokens = token_estimate(text)
    if tokens <= most:
        return Context(text, tokens, 0)
    lines = text.splitlines(keepends=True)
    sizes = [token_estimate(line) for line in lines]
    most -= 2 * token_estimate(_CUT)
    hole = _hole_line(text, signature)
    first, last, size = hole, hole + 1, sizes[hole]
    while True:
        above = sizes[first - 1] if first > 0 else None
        below = sizes[last] if last < len(lines) else None
        is_above = above is not None and (below is None or hole - first <= last - 1 - hole)
        step = above if is_above else below
        if step is None or size + step > most:
            break
        size += step
        first, last = (first - 1, last) if is_above else (first, last + 1)
    kept = "".join(lines[first:last])
    before, after = _CUT if first else "", _CUT if last < len(lines) else ""
    return Context(before + kept + after, size, tokens - size)


def hole_start(text: str, signature: str) -> int | None:
    """Return where the line of the hole below a signature begins; `None` if there is none."""
    found = _HOLE.search(text, max(0, text.find(signature.strip())))
    return found.start() if found else None


def _hole_line(text: str, signature: str) -> int:
    """Return the number of the line of the hole, or else of the signature, from 0 on."""
    start = hole_start(text, signature)
    return text.count("\n", 0, max(0, text.find(signature.strip())) if start is None else start)
