"""What a model is asked for an environment, in one regime."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...llm.agents import READS_REPOSITORY, CodingTask
from ...llm.agents.follow_ups import passages_text
from ..datasets.exports.task_files import ANSWER, instruction_with
from ..datasets.storage.columns import EnvironmentRow
from .contexts import REGIMES, RETRIEVED, Context, bounded_context, in_file, token_estimate
from .options import EvaluationOptions
from .repository_places import RepositoryPlace, RepositoryPlaces

_SHARE = 2
"""The part of the budget that retrieved passages have: one half."""


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """An environment as it is put to a model."""

    row: EnvironmentRow
    asked: CodingTask
    context: Context
    cases: Sequence[Mapping[str, str]]
    """Shown cases."""
    lines: int
    """Lines of the original definition."""
    dependencies: int
    """Functions and classes that the slice holds beside the target."""
    place: RepositoryPlace | None
    """Its repository, where the regime or the agent reads it."""


def task_of(
    row: EnvironmentRow, options: EvaluationOptions, places: RepositoryPlaces
) -> EvaluationTask:
    """Return what is asked for an environment.

    Raises:
        SliceFuncError: its repository is needed, and cannot be had.
    """
    record: dict[str, Any] = json.loads(row.record)
    head = f'{row.signature}\n    """{row.docstring}"""' if row.docstring else row.signature
    place = None
    if options.context == RETRIEVED or options.agent in READS_REPOSITORY:
        place = places.place(row, in_file(row, record), head)
    context = _context(row, record, head, options, place)
    question = f"{instruction_with(row, context.text, record['prompt']['available'])}\n{ANSWER}"
    return EvaluationTask(
        row,
        CodingTask(question, head, options.rounds, options.shown),
        context,
        record["cases"],
        row.code.strip("\n").count("\n") + 1,
        max(0, _definitions(row.prompt) - 1),
        place,
    )


def _context(
    row: EnvironmentRow,
    record: Mapping[str, Any],
    head: str,
    options: EvaluationOptions,
    place: RepositoryPlace | None,
) -> Context:
    most = options.context_tokens
    if options.context != RETRIEVED or place is None:
        return bounded_context(REGIMES[options.context](row, record), row.signature, most)
    passages = place.search(head, options.shown)
    kept: list[str] = []
    left, cut = most // _SHARE, 0
    for each in passages:
        text = passages_text([each])
        size = token_estimate(text)
        if size <= left:
            kept.append(text)
            left -= size
        else:
            cut += size
    found = "".join(f"{text}\n\n\n" for text in kept)
    around = bounded_context(in_file(row, record), row.signature, most - token_estimate(found))
    whole = f"{found}# {row.path}\n{around.text}"
    return replace(around, text=whole, tokens=token_estimate(whole), cut=around.cut + cut)


def _definitions(text: str) -> int:
    """Return the number of functions and classes at the top of a text."""
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return 0
    return sum(isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for n in body)
