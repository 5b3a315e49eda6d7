"""The columns of a dataset's three tables: environments, functions tried, repositories.

Each table is a frozen dataclass; `parquet.py` derives its schema from the annotations. Nothing in
them depends on when or how fast they were made, so that a build of the same commits gives the same
bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from ...record.environment_files import is_python_version

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class FileRef:
    """A file of an environment: its name, and the SHA-256 of its content, which names its blob."""

    name: str
    blob: str


@dataclass(frozen=True, slots=True)
class EnvironmentRow:
    """One environment."""

    id: str
    """SHA-256 of the record and its files."""
    repo: str
    commit: str | None
    licence: str | None
    """SPDX identifier."""
    created: str | None
    """Date on which the repository was created, `YYYY-MM-DD`."""
    path: str
    qualname: str
    split: str
    """`train` or `eval`."""
    signature: str
    docstring: str | None
    prompt: str
    """Text that a model reads: the context of the function, with a hole where its body is."""
    code: str
    """Text of the original function."""
    layout: str
    python: str
    """Version of Python under which it was observed."""
    requirements: tuple[str, ...]
    mocks: tuple[str, ...]
    """Names of the mock families that stand in."""
    branch_coverage: float | None
    kill_rate: float | None
    unseen_kill_rate: float | None
    mutants: int
    cases: int
    hidden: int
    compared: int
    """Number of cases that were also run in the repository itself."""
    same: int
    """Number of those that behaved the same there."""
    lines: int
    """Lines of the script."""
    tool_version: str
    record: str
    """Text of `environment.json`."""
    files: tuple[FileRef, ...]


_ID = re.compile("[0-9a-f]{64}")


def is_environment_row(row: EnvironmentRow) -> bool:
    """Whether a row's id, split and Python have their forms: exports make names of them."""
    return (
        _ID.fullmatch(row.id) is not None
        and row.split in {"train", "eval"}
        and is_python_version(row.python)
    )


DUPLICATE = "duplicate"
"""Reason code of a function that repeats an environment of the dataset."""
IN_REFERENCE_SET = "in_reference_set"
"""Reason code of a function that a reference set has, such as a benchmark."""


@dataclass(frozen=True, slots=True)
class FunctionRow:
    """One function that a build tried, environment or not."""

    repo: str
    commit: str | None
    path: str
    qualname: str
    split: str
    sliced: bool
    layout: str | None
    lines: int
    definitions: int
    gaps: int
    runs: bool | None
    called: bool | None
    stable: bool | None
    compared: int
    same: int
    branches: float | None
    """Share of its branches that the cases take."""
    killed: float | None
    """Share of its mutants that the cases kill."""
    unseen_killed: float | None
    cases: int | None
    environment: str | None
    """Id of its environment; `None` if it became none, or a duplicate of another."""
    reasons: tuple[str, ...]
    """Codes of the reasons why it became none."""
    detail: str
    """First of these reasons in words."""
    duplicate_of: str | None
    """Id of the environment that this function repeats, or the entry of a reference set."""
    similarity: float | None
    """Similarity to it, from 0 to 1; 1 is the same tree."""

    def as_duplicate(
        self, of: str | None, similarity: float, split: str, code: str = DUPLICATE
    ) -> FunctionRow:
        """Return the row of a function that is left out for the sake of another.

        Args:
            of: id of what stays: an environment, or an entry of a reference set.
            similarity: similarity to it, from 0 to 1.
            split: the split in which it would have been.
            code: `DUPLICATE`, or `IN_REFERENCE_SET` where the other is an entry of one.
        """
        return replace(
            self,
            split=split,
            environment=None,
            reasons=(*self.reasons, code),
            duplicate_of=of,
            similarity=round(similarity, 6),
        )


@dataclass(frozen=True, slots=True)
class RepositoryRow:
    """One repository that a build tried; with `--limit` it may not reach all that it was given."""

    repo: str
    source: str
    """Address or folder, as given."""
    commit: str | None
    licence: str | None
    created: str | None
    pushed: str | None
    split: str
    functions: int
    """Number of functions tried."""
    environments: int
    rule: str | None
    """Reason code if it could not be built, else `None`."""
    reason: str
    metadata: str
    """Further fields of its row in the list of repositories, as JSON."""


def to_json(row: object) -> dict[str, Any]:
    """Return a row as plain JSON values, with texts that UTF-8 can hold.

    A docstring may hold half of a surrogate pair, and so does the name of a file that is no UTF-8:
    it is escaped here, and exact in the record.
    """
    assert is_dataclass(row)
    assert not isinstance(row, type)
    return {name: _storable(value) for name, value in asdict(row).items()}


def _storable(value: Any) -> Any:  # noqa: ANN401 - values of any column
    match value:
        case str():
            is_plain = value.isascii()
            return value if is_plain else value.encode("utf-8", "backslashreplace").decode()
        case list() | tuple():
            return tuple(map(_storable, cast("Sequence[Any]", value)))
        case dict():
            return {name: _storable(each) for name, each in cast("dict[str, Any]", value).items()}
        case _:
            return value


def from_json(kind: type[Row], values: Mapping[str, Any]) -> Row:
    """Return the row that `to_json` or a table gave; columns that it does not know are dropped.

    Raises:
        TypeError: a column is missing.
    """
    hints = _hints(kind)
    given = {name: _typed(hints[name], values[name]) for name in hints if name in values}
    return kind(**given)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _typed(hint: Any, value: Any) -> Any:  # noqa: ANN401 - values of any column
    """Return a value with tuples instead of lists, and rows in them as such."""
    if get_origin(hint) is not tuple or value is None:
        return value
    kind = cast("type[Any]", get_args(hint)[0])
    if not is_dataclass(kind):
        return tuple(value)
    return tuple(from_json(kind, each) for each in value)
