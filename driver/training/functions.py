"""The functions of a dataset that may train: their questions, answers, and what is left out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...slicer.errors import OptionError
from ...slicer.syntax.dedent import dedented
from ..datasets.exports.task_files import ANSWER, fenced, instruction_with
from ..datasets.storage.columns import EnvironmentRow
from ..datasets.storage.dataset import Dataset
from ..evaluation.contexts import REGIMES, bounded_context, token_estimate
from ..evaluation.options import EvaluationOptions
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
    shown: str
    """The code that the question shows, before any of it is cut."""
    cut: int
    """Estimated number of tokens that are cut from it, so that the example fits."""
    code: str
    """Text of the original, at the left margin."""
    split: str
    """`train` or `validation`: the same for all functions of a repository."""

    def tokens_with(self, answer: str) -> int:
        """Return the estimated number of tokens of the question and an answer."""
        return token_estimate(self.question) + token_estimate(answer)


def training_functions(dataset: Dataset, options: TrainingOptions) -> Iterator[TrainingFunction]:
    """Yield the functions of the training split, in the order of the dataset.

    Raises:
        OptionError: repositories are to be held back, and there is only one.
    """
    repositories = {row.repo for row in dataset.rows() if row.split == TRAIN}
    held_back = held_back_of(repositories, options.validation)
    if options.validation and not held_back:
        raise OptionError(
            f"--validation {options.validation}: all functions are of one repository",
            "give more repositories, or no --validation",
        )
    for row in dataset.rows():
        if row.split == TRAIN:
            split = VALIDATION if row.repo in held_back else TRAIN
            yield _function_of(row, options, split)


def _function_of(row: EnvironmentRow, options: TrainingOptions, split: str) -> TrainingFunction:
    record, code = json.loads(row.record), dedented(row.code)
    available = record["prompt"]["available"]

    def asked(context: str) -> str:
        return f"{instruction_with(row, context, available)}\n{ANSWER}"

    # the question and the original have room together
    room = options.most_tokens - token_estimate(asked("")) - token_estimate(answer_of(code))
    whole = REGIMES[options.context](row, record)
    context = bounded_context(whole, row.signature, min(room, EvaluationOptions().context_tokens))
    return TrainingFunction(
        row.id,
        row.repo,
        row.path,
        row.qualname,
        asked(context.text),
        whole,
        context.cut,
        code,
        split,
    )


def held_back_of(repositories: Iterable[str], validation: int) -> frozenset[str]:
    """Return the repositories that are held back for validation.

    They are the first by a hash of their names: so they are the same for each recipe, run and
    size, and a larger share has those of a smaller one. At least one is held back if a share is
    asked for, and at least one is left to train on.

    Args:
        repositories: names of the repositories.
        validation: share that is held back, in per cent.
    """

    def number(name: str) -> bytes:
        return hashlib.sha256(f"validation\0{name}".encode("utf-8", "surrogatepass")).digest()

    ordered = sorted(set(repositories), key=number)
    count = -(-len(ordered) * validation // 100)
    return frozenset(ordered[: min(count, max(0, len(ordered) - 1))])


def answer_of(code: str) -> str:
    """Return the answer with some code, in the form for which the question asks."""
    return fenced(code)
