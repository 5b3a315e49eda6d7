"""Solutions that people wrote into their sheets, scored by the environments."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ....verifier.scoring.score import Candidate
from ...places.environment_scorer import ScoreOptions, scorer_of
from ...record.environment_files import write_environment

if TYPE_CHECKING:
    from ...datasets.storage.dataset import Dataset
    from .filled_sheets import Response
    from .sheets import KeyItem


def score_solutions(
    dataset: Dataset,
    responses: Sequence[Response],
    key: Mapping[str, KeyItem],
    executor: str | None,
    report: Callable[[str], None],
) -> dict[tuple[str, str], str]:
    """Return the verdict on each solution, by person and item.

    Args:
        dataset: the dataset that the sheets were made of.
        responses: the sheets.
        key: the key.
        executor: name of the executor; by default the first sandbox that works here.
        report: receives messages for people, line by line.

    Raises:
        SliceFuncError: the dataset lacks an environment, or no sandbox works.
    """
    by_item: dict[str, list[Response]] = {}
    for each in responses:
        if each.solution:
            by_item.setdefault(each.item, []).append(each)
    found: dict[tuple[str, str], str] = {}
    for item, solved in sorted(by_item.items()):
        environment = dataset.environment(key[item].environment)
        with tempfile.TemporaryDirectory(prefix="slice-func-") as parent:
            folder = Path(parent) / "environment"
            write_environment(folder, environment)
            options = ScoreOptions(executor=executor)
            with scorer_of(folder, environment, options, report) as scorer:
                texts = [Candidate(each.person, each.solution) for each in solved]
                for score in scorer.score_all(texts):
                    found[score.candidate, item] = score.verdict
    return found
