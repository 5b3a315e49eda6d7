"""verl: rows in parquet, and the function that scores an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ......slicer.model import EmittedFile
from ...answers import question
from ...exporter import Consumer, Exporter, Pair
from ...reward_files import HIDDEN, REWARD, reward_text, scoring_files


@dataclass(frozen=True, slots=True)
class _Message:
    role: str
    content: str


@dataclass(frozen=True, slots=True)
class _RewardModel:
    style: str
    ground_truth: str


@dataclass(frozen=True, slots=True)
class _ExtraInfo:
    index: int
    split: str
    repo: str
    path: str
    function: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of verl's reinforcement learning."""

    data_source: str
    prompt: tuple[_Message, ...]
    ability: str
    reward_model: _RewardModel
    extra_info: _ExtraInfo


def row_of(
    environment: str,
    asked: str,
    index: int,
    split: str,
    repo: str,
    path: str,
    function: str,
) -> Row:
    """Return the row of a question, whose answers the reward of an environment scores."""
    return Row(
        "slice_func",
        (_Message("user", asked),),
        "code",
        _RewardModel("rule", environment),
        _ExtraInfo(index, split, repo, path, function),
    )


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    from ....storage.parquet import table_bytes  # it loads pyarrow

    rows: dict[str, list[Row]] = {}
    for pair in pairs:
        row, environment = pair
        some = rows.setdefault(row.split, [])
        asked = question(row, environment)
        some.append(row_of(row.id, asked, len(some), row.split, row.repo, row.path, row.qualname))
        yield from scoring_files(pair)
    for split, some in sorted(rows.items()):
        yield EmittedFile(f"{split}.parquet", table_bytes(Row, some))
    yield EmittedFile(REWARD, reward_text(__name__, "reward.py.txt").encode())


EXPORTER = Exporter(
    gives="rows in parquet, and compute_score",
    consumers=(Consumer("verl", "0.9.1", "3.12"),),
    files=_files,
    hidden=HIDDEN,
)
