"""Hugging Face: parquet and a card, each environment whole in its row.

Unlike a dataset on disk, whose environments share files, this needs nothing of ours to be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from ......slicer.model import EmittedFile
from .....record.environment_files import content_of
from ....storage.card import cell, hub_licence
from ....storage.columns import EnvironmentRow
from ...answers import question
from ...exporter import Consumer, Exporter, Pair
from ...task_files import text_of

_SHARD_ROWS = 1000


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    content: str


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    repo: str
    commit: str | None
    licence: str | None
    created: str | None
    path: str
    qualname: str
    signature: str
    docstring: str | None
    question: str
    code: str
    python: str
    requirements: tuple[str, ...]
    mocks: tuple[str, ...]
    branch_coverage: float | None
    kill_rate: float | None
    unseen_kill_rate: float | None
    cases: int
    hidden: int
    files: tuple[_File, ...]


_COPIED = tuple(
    each.name for each in fields(_Row) if each.name in {of.name for of in fields(EnvironmentRow)}
)


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    waiting: dict[str, list[_Row]] = {}
    counts: Counter[str] = Counter()
    licences: Counter[str] = Counter()
    for pair in pairs:
        row, _ = pair
        licences[row.licence or "not known"] += 1
        some = waiting.setdefault(row.split, [])
        some.append(_row(pair))
        counts[row.split] += 1
        if len(some) == _SHARD_ROWS:
            yield _shard(row.split, counts[row.split], waiting.pop(row.split))
    for split, some in sorted(waiting.items()):
        yield _shard(split, counts[split], some)
    yield EmittedFile("README.md", _card(counts, licences).encode())


def _row(pair: Pair) -> _Row:
    row, environment = pair
    copied = {name: getattr(row, name) for name in _COPIED if name != "files"}
    files = tuple(
        _File(name, content.decode()) for name, content in sorted(content_of(environment).items())
    )
    return _Row(**copied, question=question(row, environment), files=files)


def _shard(split: str, count: int, rows: list[_Row]) -> EmittedFile:
    from ....storage.parquet import table_bytes  # it loads pyarrow

    number = (count - 1) // _SHARD_ROWS
    return EmittedFile(f"data/{split}-{number:05}.parquet", table_bytes(_Row, rows))


def _card(counts: Counter[str], licences: Counter[str]) -> str:
    splits = "".join(
        f"  - split: {split}\n    path: data/{split}-*.parquet\n" for split in sorted(counts)
    )
    table = "".join(
        f"| {cell(name)} | {number:,} |\n"
        for name, number in sorted(licences.items(), key=lambda each: (-each[1], each[0]))
    )
    text = text_of(__name__, "card.md.txt")
    return text.format(
        splits=splits, count=f"{counts.total():,}", licences=table, licence=hub_licence(licences)
    )


EXPORTER = Exporter(
    gives="parquet with whole environments, and a card",
    consumers=(Consumer("datasets", "5.2.0", "3.12"),),
    files=_files,
    hidden=("data/*",),
)
