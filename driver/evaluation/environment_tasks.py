"""Environments as tasks: completion of their functions, and repair of wrong versions."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...llm.agents import READS_REPOSITORY, CodingTask
from ...llm.agents.follow_ups import passages_text
from ...slicer.errors import OptionError
from ...verifier.scoring.verdict import Score
from ..datasets.exports.task_files import ANSWER, instruction_with
from ..datasets.scoring.catalogue import Catalogue
from ..datasets.storage.columns import EnvironmentRow
from ..datasets.storage.dataset import Dataset
from .contexts import (
    DEPENDENCIES,
    REGIMES,
    RETRIEVED,
    Context,
    bounded_context,
    in_file,
    token_estimate,
)
from .docstrings import ORIGINAL, definition_with_docstring, with_docstring
from .feedback import feedback_text
from .options import EvaluationOptions
from .repair import Defect, defect_of, repair_task, repaired, with_defect
from .repository_places import RepositoryPlace, RepositoryPlaces
from .tasks import EvaluationTask, NoTaskError, TaskName

FROM_REPOSITORY = frozenset({DEPENDENCIES, RETRIEVED})
"""Regimes that read the repository."""
REPAIR = "repair"
_FILE = re.compile(r"^# (\S+\.py)$", re.M)
"""The line above the code of each file, where a slice has code of several."""
_SHARE = 2
"""The part of the budget that retrieved passages have: one half."""


@dataclass(slots=True)
class EnvironmentTasks:
    """The environments of a dataset as tasks."""

    catalogue: Catalogue
    options: EvaluationOptions
    places: RepositoryPlaces
    score: Callable[[str, str], Score]
    """Scores a candidate for the environment of an id."""
    _rows: dict[str, EnvironmentRow] = field(default_factory=dict[str, EnvironmentRow])

    def names(self) -> list[TaskName]:
        """Return the names of all environments."""
        if not self._rows:
            self._rows = {row.id: row for row in self.catalogue.dataset.rows()}
        return [TaskName(row.id, row.repo) for row in self._rows.values()]

    def task(self, name: TaskName) -> EvaluationTask:
        """Return the task that an environment gives.

        Raises:
            NoTaskError: there is nothing to repair.
            SliceFuncError: its repository is needed, and cannot be had.
        """
        row, options = self._rows[name.id], self.options
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
            wrong = defect.code
            if options.docstring != ORIGINAL:
                wrong = definition_with_docstring(wrong, shown.docstring)
            code = with_defect(context.text, row, wrong) or f"{context.text}\n{wrong}"
            question = repair_task(row, defect, code)

        def candidate(answer: str) -> str:
            return answer if defect is None else repaired(row, defect, answer)

        return EvaluationTask(
            id=row.id,
            repo=row.repo,
            path=row.path,
            qualname=row.qualname,
            families=row.mocks,
            code=row.code,
            dependencies=max(0, _definitions(row.prompt) - 1),
            files=len({row.path, *_FILE.findall(row.prompt)}),
            asked=CodingTask(question, head, options.rounds, options.shown),
            context=context,
            score=lambda answer: self.score(row.id, candidate(answer)),
            feedback=lambda score: feedback_text(score, record["cases"]),
            candidate=candidate,
            place=place,
        )

    def _defect(self, row: EnvironmentRow) -> Defect:
        environment = self.catalogue.environment(row.id)
        found = defect_of(row, environment, lambda text: self.score(row.id, text))
        if found is None:
            raise NoTaskError("no wrong version fails in a shown case")
        return found


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
    found = "".join(f"{text}\n\n\n" for text in kept) + f"# {row.path}\n"
    around = bounded_context(in_file(row, record), row.signature, most - token_estimate(found))
    whole = f"{found}{around.text}"
    return replace(around, text=whole, tokens=token_estimate(whole), cut=around.cut + cut)


def require_repositories(dataset: Dataset, options: EvaluationOptions) -> None:
    """Check that a dataset says where its repositories are, if they are read.

    Raises:
        OptionError: it does not.
    """
    reads = options.context in FROM_REPOSITORY or options.agent in READS_REPOSITORY
    if reads and not any(True for _ in dataset.repositories()):
        raise OptionError(
            f"{dataset.location} does not say where its repositories are, and --context "
            f"{options.context} with --agent {options.agent} reads them",
            "use a dataset that slice-func build has written",
        )


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
