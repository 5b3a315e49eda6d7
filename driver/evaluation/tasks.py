"""What a model is asked for an environment, in one regime."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..datasets.exports.task_files import ANSWER, instruction_with
from ..datasets.storage.columns import EnvironmentRow
from .contexts import REGIMES, Context, bounded_context
from .options import EvaluationOptions


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """An environment as it is put to a model."""

    row: EnvironmentRow
    question: str
    context: Context
    cases: Sequence[Mapping[str, str]]
    """Shown cases."""
    lines: int
    """Lines of the original definition."""
    dependencies: int
    """Functions and classes that the slice holds beside the target."""


def task_of(row: EnvironmentRow, options: EvaluationOptions) -> EvaluationTask:
    """Return what is asked for an environment."""
    record: dict[str, Any] = json.loads(row.record)
    text = REGIMES[options.context](row, record)
    context = bounded_context(text, row.signature, options.context_tokens)
    question = f"{instruction_with(row, context.text, record['prompt']['available'])}\n{ANSWER}"
    return EvaluationTask(
        row,
        question,
        context,
        record["cases"],
        row.code.strip("\n").count("\n") + 1,
        max(0, _definitions(row.prompt) - 1),
    )


def _definitions(text: str) -> int:
    """Return the number of functions and classes at the top of a text."""
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return 0
    return sum(isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for n in body)
