"""Program repair: a wrong version of a function in its file, and a shown case that fails.

The wrong version is one that the cases tell from the original. A patch of the file is asked for,
and a whole definition is taken too. All cases decide, as for any candidate.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import indent

from ...llm.prompts.prompts import plain_text
from ...verifier.scoring.verdict import Score
from ..datasets.exports.answers import wrong_definitions
from ..datasets.exports.task_files import fenced
from ..datasets.storage.columns import EnvironmentRow
from ..record.environment_files import Environment
from .contexts import hole_start, in_file
from .feedback import feedback_text
from .patches import Unapplied, hunks_of, patched


@dataclass(frozen=True, slots=True)
class Defect:
    """A wrong version of an environment's function."""

    code: str
    file: str
    """Text of the file with it."""
    failing: str
    """The first shown case that fails, for the model."""


def defect_of(
    row: EnvironmentRow, environment: Environment, score: Callable[[str], Score]
) -> Defect | None:
    """Return the first wrong version that fails in a shown case; `None` if there is none.

    Args:
        row: the environment's row.
        environment: the environment.
        score: scores a definition.
    """
    record = environment.record
    for code in wrong_definitions(row, environment):
        file = with_defect(in_file(row, record), row, code)
        found = score(code)
        if file is not None and found.verdict == "failed" and found.first_difference:
            return Defect(code, file, feedback_text(found, record["cases"]))
    return None


def repair_task(row: EnvironmentRow, defect: Defect, context: str) -> str:
    """Return what a model is asked, in Markdown.

    Args:
        row: the environment.
        defect: what is wrong.
        context: the code around it that the model sees.
    """
    parts = {
        "path": row.path,
        "name": row.qualname,
        "context": fenced(context),
        "failing": defect.failing,
    }
    return plain_text("program_repair", parts) + "\n"


def repaired(row: EnvironmentRow, defect: Defect, answer: str) -> str:
    """Return the candidate that an answer means: the definition after its patch, or the answer."""
    hunks = [each for each in hunks_of(answer) if each.path in ("", row.path)]
    if not hunks:
        return answer
    text = patched(defect.file, hunks)
    if isinstance(text, Unapplied):
        return f"raise SyntaxError({text.reason!r})"
    return _definition(text, row.qualname) or f"raise SyntaxError({'no such definition'!r})"


def with_defect(text: str, row: EnvironmentRow, code: str) -> str | None:
    """Return a text with a definition in place of the one with the hole; `None` if it has none."""
    hole = hole_start(text, row.signature)
    if hole is None:
        return None
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    line = text.count("\n", 0, hole) + 1
    holders = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    if not holders:
        return None
    node = max(holders, key=lambda each: each.lineno)
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    lines = text.splitlines(keepends=True)
    start = lines[first - 1]
    space = start[: len(start) - len(start.lstrip())]
    own = code if code.startswith(space or code[:1]) else indent(code, space)
    lines[first - 1 : node.end_lineno] = [own.rstrip("\n") + "\n"]
    return "".join(lines)


def _definition(text: str, qualname: str) -> str | None:
    """Return the last definition of that name in a text."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    node: ast.AST = tree
    for name in qualname.split("."):
        inner = [
            each
            for each in ast.walk(node)
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and each.name == name
        ]
        if not inner:
            return None
        node = inner[-1]
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return "".join(text.splitlines(keepends=True)[first - 1 : node.end_lineno])
