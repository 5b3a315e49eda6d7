"""Input and output of the search for duplicates: functions, references, verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Rule = Literal["exact", "near", "renamed", "part", "repository"]
"""Why a function falls.

`exact`: the same normalised syntax tree. `near`: the Jaccard similarity of token shingles.
`renamed`: that of shingles of the syntax tree without names of local variables.
`part`: the overlap with a fragment of a reference set. `repository`: a reference set has a task of
the same repository.
"""
Between = Literal["train", "eval", "train-eval", "reference"]
"""The splits of the two, or `reference` where the other one belongs to a reference set."""


@dataclass(frozen=True, slots=True)
class Function:
    """One function of a dataset."""

    id: str
    repo: str
    path: str
    qualname: str
    code: str
    """Its text, indented as in its file or not."""
    created: str | None = None
    """ISO date; of two that resemble one another, the earlier stays."""
    split: str | None = None
    """`eval`, or anything else for training."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A function, or a fragment of code, of a set that the dataset must not contain."""

    id: str
    """File, record and, in a text with functions, the function's name."""
    code: str
    qualname: str | None = None
    """Qualified name of a function; `None`: a fragment, with a part of one or with several."""
    repo: str = ""
    """`owner/name`, if the set says so."""


@dataclass(frozen=True, slots=True)
class Options:
    """How alike two functions must be, and which of them evaluate."""

    similarity: float = 0.7
    """Least similarity of near duplicates, above 0. With 1.0 their tokens must be the same."""
    eval_since: str | None = None
    """ISO date: functions created then or later are for evaluation, all that are dated and older
    for training. Those without a date keep their split."""
    is_same_repository_out: bool = False
    """Whether functions of a repository that a reference set has a task of fall."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """A function that is left out, and the one that it resembles."""

    id: str
    split: str
    resembles: str
    """Id of a function that stays, or of a reference."""
    similarity: float
    """1.0 for `exact` and `repository`."""
    rule: Rule
    between: Between


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What becomes of each function; both tuples are sorted by id."""

    kept: tuple[tuple[str, str], ...]
    """Id and split of each that stays."""
    fallen: tuple[Fallen, ...]
