"""What a model is asked for an environment, in one regime."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...llm.agents import READS_REPOSITORY, CodingTask
from ...llm.agents.follow_ups import passages_text
from ...slicer.errors import SliceFuncError
from ...verifier.scoring.verdict import Score
from ..datasets.exports.task_files import ANSWER, instruction_with
from ..datasets.scoring.catalogue import Catalogue
from ..datasets.storage.columns import EnvironmentRow
from .contexts import (
    DEPENDENCIES,
    REGIMES,
    RETRIEVED,
    Context,
    bounded_context,
    in_file,
    token_estimate,
)
from .docstrings import with_docstring
from .options import EvaluationOptions
from .repair import Defect, defect_of, repair_task, repaired, with_defect
from .repository_places import RepositoryPlace, RepositoryPlaces

FROM_REPOSITORY = frozenset({DEPENDENCIES, RETRIEVED})
"""Regimes that read the repository."""
REPAIR = "repair"
_FILE = re.compile(r"^# \S+\.py$", re.M)
"""The line above the code of each file, where a slice has code of several."""
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
    files: int
    """Files of the repository that the slice has code of."""
    place: RepositoryPlace | None
    """Its repository, where the regime or the agent reads it."""
    defect: Defect | None = None
    """What is to be repaired, where that is the task."""

    def candidate(self, answer: str) -> str:
        """Return the candidate that an answer means."""
        return answer if self.defect is None else repaired(self.row, self.defect, answer)


@dataclass(frozen=True, slots=True)
class TaskMaker:
    """Makes the tasks of a run."""

    catalogue: Catalogue
    options: EvaluationOptions
    places: RepositoryPlaces
    score: Callable[[str, str], Score]
    """Scores a candidate for the environment of an id."""

    def task(self, row: EnvironmentRow) -> EvaluationTask:
        """Return what is asked for an environment.

        Raises:
            SliceFuncError: its repository is needed, and cannot be had; or there is nothing to
                repair.
        """
        options = self.options
        shown, record = with_docstring(row, json.loads(row.record), options.docstring)
        head = stub_head(shown)
        place = None
        if options.context in FROM_REPOSITORY or options.agent in READS_REPOSITORY:
            place = self.places.place(row, in_file(shown, record), head)
        context = _context(shown, record, head, options, place)
        defect = self._defect(row) if options.task == REPAIR else None
        if defect is None:
            available = record["prompt"]["available"]
            question = f"{instruction_with(row, context.text, available)}\n{ANSWER}"
        else:
            code = with_defect(context.text, row, defect.code) or f"{context.text}\n{defect.code}"
            question = repair_task(row, defect, code)
        return EvaluationTask(
            row,
            CodingTask(question, head, options.rounds, options.shown),
            context,
            record["cases"],
            row.code.strip("\n").count("\n") + 1,
            max(0, _definitions(row.prompt) - 1),
            max(1, len(_FILE.findall(row.prompt))),
            place,
            defect,
        )

    def _defect(self, row: EnvironmentRow) -> Defect:
        environment = self.catalogue.environment(row.id)
        found = defect_of(row, environment, lambda text: self.score(row.id, text))
        if found is None:
            raise NoTaskError(
                f"{row.repo} {row.path}::{row.qualname}: no wrong version fails in a shown case"
            )
        return found


class NoTaskError(SliceFuncError):
    """An environment of which this task cannot be made."""

    advice = "it is left out, and counted"


def _context(
    row: EnvironmentRow,
    record: Mapping[str, Any],
    head: str,
    options: EvaluationOptions,
    place: RepositoryPlace | None,
) -> Context:
    most = options.context_tokens
    if place is not None and options.context == DEPENDENCIES:
        return bounded_context(place.dependencies(row), row.signature, most)
    if place is None or options.context != RETRIEVED:
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


def stub_head(row: EnvironmentRow) -> str:
    """Return the signature of an environment's target, with its docstring."""
    if not row.docstring:
        return row.signature
    return f'{row.signature}\n    """{row.docstring}"""'


def _definitions(text: str) -> int:
    """Return the number of functions and classes at the top of a text."""
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return 0
    return sum(isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for n in body)
