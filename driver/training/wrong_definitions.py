"""Definitions of a dataset's functions that are known to be wrong: mutants that cases kill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...slicer.syntax.dedent import dedented
from ..datasets.exports.answers import wrong_definitions
from ..datasets.storage.columns import EnvironmentRow
from ..datasets.storage.dataset import Dataset
from .functions import TrainingFunction
from .preferences import MUTANT, WrongAnswer


@dataclass(slots=True)
class KilledMutants:
    """The mutants of a dataset's functions that its cases kill; nothing is run for that."""

    dataset: Dataset
    most: int
    """How many of a function."""
    _rows: dict[str, EnvironmentRow] | None = None

    def __call__(self, function: TrainingFunction) -> Sequence[WrongAnswer]:
        """Return some of a function."""
        if self._rows is None:
            self._rows = {row.id: row for row in self.dataset.rows()}
        environment = self.dataset.environment(function.id)
        found = wrong_definitions(self._rows[function.id], environment, self.most)
        return [WrongAnswer(dedented(each), MUTANT) for each in found]
