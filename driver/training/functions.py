"""The functions of a dataset that may train: their questions, answers, and what is left out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from ...slicer.syntax.dedent import dedented
from ..datasets.exports.task_files import ANSWER, fenced, instruction_with
from ..datasets.storage.columns import EnvironmentRow
from ..datasets.storage.dataset import Dataset
from ..evaluation.contexts import REGIMES, token_estimate
from .options import TrainingOptions

TRAIN, VALIDATION = "train", "validation"


@dataclass(frozen=True, slots=True)
class TrainingFunction:
    """A function of the training split."""

    id: str
    """Id of its environment."""
    repo: str
    path: str
    qualname: str
    question: str
    """What a model is asked, in Markdown, as an evaluation asks it."""
    code: str
    """Text of the original, at the left margin."""
    split: str
    """`train` or `validation`: the same for all functions of a repository."""

    def tokens_with(self, answer: str) -> int:
        """Return the estimated number of tokens of the question and an answer."""
        return token_estimate(self.question) + token_estimate(answer)


def training_functions(dataset: Dataset, options: TrainingOptions) -> Iterator[TrainingFunction]:
    """Yield the functions of the training split, in the order of the dataset."""
    for row in dataset.rows():
        if row.split == TRAIN:
            yield _function_of(row, options)


def _function_of(row: EnvironmentRow, options: TrainingOptions) -> TrainingFunction:
    record = json.loads(row.record)
    context = REGIMES[options.context](row, record)
    question = f"{instruction_with(row, context, record['prompt']['available'])}\n{ANSWER}"
    split, code = split_of(row.repo, options.validation), dedented(row.code)
    return TrainingFunction(row.id, row.repo, row.path, row.qualname, question, code, split)


def split_of(repo: str, validation: int) -> str:
    """Return the split of all functions of a repository: its name alone decides.

    So it is the same for each recipe, run and size, and no repository is in both.

    Args:
        repo: name of the repository.
        validation: share of the repositories for validation, in per cent.
    """
    number = int.from_bytes(hashlib.sha256(f"validation\0{repo}".encode()).digest()[:8])
    return VALIDATION if number % 100 < validation else TRAIN


def answer_of(code: str) -> str:
    """Return the answer with some code, in the form for which the question asks."""
    return fenced(code)
