"""A dataset for reading: its tables, and each environment in it.

A folder of environments that no build has made, or one environment, is read in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from ....slicer.errors import SliceFuncError
from ...record.environment_files import RECORD, Environment, read_environment
from .columns import EnvironmentRow, FunctionRow, RepositoryRow, is_environment_row
from .environment_rows import Source, environment_from, environment_row
from .manifest import is_manifest
from .store import Store

if TYPE_CHECKING:
    from .blobs import Blobs

Row = TypeVar("Row")
SCHEMA = 1
MANIFEST = "manifest.json"


class DatasetError(SliceFuncError):
    """A location that holds no dataset, or a damaged one."""

    advice = "name a folder that slice-func build has written, or a folder of environments"


class Dataset(Protocol):
    """What a command reads, whatever it is stored in."""

    @property
    def location(self) -> str:
        """Where it is, as the user named it."""
        ...

    @property
    def manifest(self) -> dict[str, Any]:
        """Return its manifest; for environments that no build has made, counts alone."""
        ...

    def rows(self) -> Iterator[EnvironmentRow]:
        """Yield the environments, by repository, path and qualified name."""
        ...

    def ids(self) -> frozenset[str]:
        """Return the ids of all environments, without reading anything else of them."""
        ...

    def environment(self, identity: str) -> Environment:
        """Return the environment of an id.

        Raises:
            DatasetError: there is none.
        """
        ...

    def functions(self) -> Iterator[FunctionRow]:
        """Yield the functions that were tried, environments or not."""
        ...

    def repositories(self) -> Iterator[RepositoryRow]:
        """Yield the repositories that were tried."""
        ...


def open_dataset(location: str | Path) -> Dataset:
    """Return the dataset at a folder or URL.

    Raises:
        DatasetError: there is neither a dataset nor an environment.
    """
    place = Path(location)
    if place.is_dir() and not (place / MANIFEST).exists():
        return _folder(place)
    store = Store.at(str(location))
    try:
        found: object = json.loads(store.read(MANIFEST))
    except FileNotFoundError:
        raise DatasetError(f"{location}: no dataset: it has no {MANIFEST}") from None
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{location}/{MANIFEST}: {error}") from None
    manifest = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    if manifest.get("schema", SCHEMA) != SCHEMA:
        raise DatasetError(
            f"{location}/{MANIFEST}: schema {manifest['schema']}, this version reads {SCHEMA}",
            "install the version of slice-func that has written it",
        )
    if not is_manifest(manifest):
        raise DatasetError(f"{location}/{MANIFEST}: it is no manifest of a dataset")
    return StoredDataset(store, manifest)


def open_built(location: str | Path) -> StoredDataset:
    """Return the dataset at a folder or URL, which a build has written.

    Raises:
        DatasetError: there is none.
    """
    found = open_dataset(location)
    if not isinstance(found, StoredDataset):
        raise DatasetError(f"{location}: environments that are no dataset yet", DatasetError.advice)
    return found


def find_row(dataset: Dataset, start: str) -> EnvironmentRow:
    """Return the environment whose id begins so.

    Raises:
        DatasetError: none does, or several.
    """
    found = [row for row in dataset.rows() if row.id.startswith(start)]
    if len(found) != 1:
        problem = f"{len(found) or 'no'} environments have an id that begins with {start}"
        raise DatasetError(
            f"{dataset.location}: {problem}", "look at the ids with slice-func dataset show"
        )
    return found[0]


@dataclass(slots=True)
class StoredDataset:
    """A dataset that a build has written."""

    store: Store
    manifest: dict[str, Any]
    _blobs: Blobs | None = None
    _records: dict[str, EnvironmentRow] = field(default_factory=dict[str, EnvironmentRow])

    @property
    def location(self) -> str:
        """Where it is, as the user named it."""
        return self.store.location

    def table(self, name: str, columns: Sequence[str] | None = None) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Return an Arrow table: `environments`, `functions` or `repositories`."""
        from .parquet import UNREADABLE, read_table

        names = [each["file"] for each in self.manifest["tables"][name]]
        with self.store.reading(", ".join(names), UNREADABLE):
            return read_table([self.store.open(each) for each in names], columns)

    def files(self) -> Iterator[dict[str, Any]]:
        """Yield each file with its size and digest, as the manifest has them."""
        for table in self.manifest["tables"].values():
            yield from table
        yield from self.manifest["blobs"]

    def rows(self) -> Iterator[EnvironmentRow]:
        """Yield the environments, by split, repository, path and qualified name.

        Raises:
            DatasetError: a row is none of an environment.
            StoreError: a table is damaged.
        """
        for row in self._rows("environments", EnvironmentRow):
            if not is_environment_row(row):
                raise DatasetError(
                    f"{self.location}: environment {row.id}: it has a wrong id, split or Python",
                    "do not use it",
                )
            yield row

    def ids(self) -> frozenset[str]:
        """Return the ids of all environments, without reading anything else of them."""
        return frozenset(self.table("environments", ["id"]).column("id").to_pylist())

    def environment(self, identity: str) -> Environment:
        """Return the environment of an id.

        Raises:
            DatasetError: there is none.
        """
        if not self._records:
            self._records = {each.id: each for each in self.rows()}
        row = self._records.get(identity)
        if row is None:
            raise DatasetError(f"{self.location}: no environment {identity}", "look at its ids")
        return self.environment_of(row)

    def environment_of(self, row: EnvironmentRow) -> Environment:
        """Return the environment of a row."""
        return environment_from(self.location, row, self.blobs.read)

    @property
    def blobs(self) -> Blobs:
        """Return the files of its environments."""
        from .blobs import Blobs

        if self._blobs is None:
            packs = tuple(each["file"] for each in self.manifest["blobs"])
            self._blobs = Blobs(self.store, packs)
        return self._blobs

    def functions(self) -> Iterator[FunctionRow]:
        """Yield the functions that were tried, environments or not."""
        return self._rows("functions", FunctionRow)

    def repositories(self) -> Iterator[RepositoryRow]:
        """Yield the repositories that were tried."""
        return self._rows("repositories", RepositoryRow)

    def _rows(self, name: str, kind: type[Row]) -> Iterator[Row]:
        from .parquet import UNREADABLE, read_rows

        for each in self.manifest["tables"][name]:
            with self.store.reading(each["file"], UNREADABLE):
                file = self.store.open(each["file"])
            with file:
                rows = read_rows(kind, file)
                while True:
                    with self.store.reading(each["file"], UNREADABLE):
                        row = next(rows, None)
                    if row is None:
                        break
                    yield row


@dataclass(frozen=True, slots=True)
class EnvironmentFolder:
    """Environments that lie in folders."""

    place: Path
    folders: dict[str, Path]
    """Id → folder."""

    @property
    def location(self) -> str:
        """Where it is, as the user named it."""
        return str(self.place)

    @property
    def manifest(self) -> dict[str, Any]:
        """Return the number of its environments."""
        return {"schema": SCHEMA, "counts": {"environments": len(self.folders)}}

    def rows(self) -> Iterator[EnvironmentRow]:
        """Yield the environments, by repository, path and qualified name."""
        rows: list[EnvironmentRow] = []
        for folder in self.folders.values():
            environment = read_environment(folder)
            rows.append(_row_of(folder, environment))
        return iter(sorted(rows, key=lambda each: (each.repo, each.path, each.qualname)))

    def ids(self) -> frozenset[str]:
        """Return the ids of all environments."""
        return frozenset(self.folders)

    def environment(self, identity: str) -> Environment:
        """Return the environment of an id.

        Raises:
            DatasetError: there is none.
        """
        if identity not in self.folders:
            raise DatasetError(f"{self.location}: no environment {identity}", "look at its ids")
        return read_environment(self.folders[identity])

    def functions(self) -> Iterator[FunctionRow]:
        """Yield nothing: only a build says what was tried."""
        return iter(())

    def repositories(self) -> Iterator[RepositoryRow]:
        """Yield nothing: only a build says what was tried."""
        return iter(())


def _row_of(folder: Path, environment: Environment) -> EnvironmentRow:
    """Return the row of an environment that anybody may have written.

    Raises:
        DatasetError: its record lacks what a row needs.
    """
    try:
        row = environment_row(environment, Source(str(environment.record["repo"])))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DatasetError(f"{folder}/{RECORD}: it makes no row: {error!r}") from error
    if not is_environment_row(row):
        raise DatasetError(f"{folder}/{RECORD}: it has a wrong id or Python", "do not use it")
    return row


def _folder(place: Path) -> EnvironmentFolder:
    """Return the environments below a folder; one that is not accepted is left out."""
    folders: dict[str, Path] = {}
    for file in sorted(place.rglob(RECORD)):
        environment = read_environment(file.parent)
        if environment.is_accepted or file.parent == place:
            folders[str(environment.record["id"])] = file.parent
    if not folders:
        raise DatasetError(f"{place}: no dataset: it has neither {MANIFEST} nor {RECORD}")
    return EnvironmentFolder(place, folders)
