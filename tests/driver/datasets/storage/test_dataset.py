"""Datasets as other programs read them, and the parts that they are written of."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.datasets.storage.blobs import Blobs, PackWriter
from slicefunc.driver.datasets.storage.card import cell, hub_licence
from slicefunc.driver.datasets.storage.columns import (
    EnvironmentRow,
    FunctionRow,
    RepositoryRow,
    from_json,
    to_json,
)
from slicefunc.driver.datasets.storage.dataset import (
    DatasetError,
    StoredDataset,
    open_built,
    open_dataset,
)
from slicefunc.driver.datasets.storage.digests import digest
from slicefunc.driver.datasets.storage.parquet import read_rows, schema_of, table_bytes
from slicefunc.driver.datasets.storage.store import Store, StoreError
from slicefunc.driver.record.environment_files import EnvironmentRecordError, identity_of
from slicefunc.slicer.errors import SliceFuncError


def test_any_reader_of_parquet_opens_it(built: StoredDataset) -> None:
    table = pq.read_table(Path(built.location) / "data")
    assert "larger" in table.column("qualname").to_pylist()
    assert table.schema.names == schema_of(EnvironmentRow).names


def test_an_environment_comes_back_whole(built: StoredDataset) -> None:
    for row in built.rows():
        environment = built.environment(row.id)
        assert identity_of(environment) == row.id == environment.record["id"]
        assert json.loads(row.record) == environment.record
        assert environment.is_accepted


def test_the_manifest_counts_what_the_tables_hold(built: StoredDataset) -> None:
    counts = built.manifest["counts"]
    rows = list(built.rows())
    assert counts["environments"] == len(rows) == built.table("environments").num_rows
    assert counts["functions"] == len(list(built.functions()))
    assert counts["repositories"] == len(list(built.repositories()))
    assert counts["licences"] == {"MIT": len(rows)}
    assert counts["created"] == ["2024-01-02", "2024-01-02"]
    assert counts["duplicates"] == 1


def test_the_card_begins_with_what_hubs_read(built: StoredDataset) -> None:
    card = (Path(built.location) / "README.md").read_text()
    assert card.startswith("---\n")
    assert "- {split: train, path: data/train-*.parquet}" in card
    assert "| functions tried | 4 |" in card
    assert "\nlicense: mit\n" in card


@pytest.mark.parametrize(
    ("licences", "said"),
    [
        (["Apache-2.0"], "apache-2.0"),
        (["MIT", "Apache-2.0"], "other"),
        (["MIT OR Apache-2.0"], "other"),
        (["unknown"], "other"),
        ([], "other"),
    ],
)
def test_the_licence_of_a_card_is_that_of_all_rows(licences: list[str], said: str) -> None:
    assert hub_licence(licences) == said


@pytest.mark.parametrize("kind", [EnvironmentRow, FunctionRow, RepositoryRow])
def test_rows_go_through_json(
    built: StoredDataset, kind: type[EnvironmentRow | FunctionRow | RepositoryRow]
) -> None:
    rows = {EnvironmentRow: built.rows, FunctionRow: built.functions}
    for row in rows.get(kind, built.repositories)():
        assert from_json(kind, json.loads(json.dumps(to_json(row)))) == row


def test_texts_that_utf8_cannot_hold_are_escaped() -> None:
    row = RepositoryRow(
        "a/b", "x\udce9", None, None, None, None, "train", 1, 0, None, "é\ud800", "{}"
    )
    file = io.BytesIO(table_bytes(RepositoryRow, [row]))
    (found,) = read_rows(RepositoryRow, file)
    assert (found.source, found.reason) == ("x\\udce9", "é\\ud800")


@given(st.lists(st.binary(max_size=40)))
def test_each_blob_is_stored_once_and_read_by_its_hash(contents: list[bytes]) -> None:
    store = Store.at("memory://blobs")
    store.remove("")
    writer = PackWriter(store)
    for content in contents:
        writer.add(digest(content), lambda _name, content=content: content)
    packs = writer.finish()
    assert sum(pack["blobs"] for pack in packs) == len(set(contents))
    blobs = Blobs(store, tuple(pack["file"] for pack in packs))
    assert [blobs.read(digest(content)) for content in contents] == contents


def test_a_missing_blob_is_named(built: StoredDataset) -> None:
    with pytest.raises(StoreError, match="blob 00 is missing"):
        built.blobs.read("00")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("manifest.json", "{", "Expecting"),
        ("manifest.json", '{"schema": 99}', "schema 99, this version reads 1"),
        ("manifest.json", '{"schema": 1}', "it is no manifest of a dataset"),
        ("manifest.json", "[1]", "it is no manifest of a dataset"),
        ("manifest.json", "[" * 100_000, "recursion"),
    ],
)
def test_a_damaged_manifest_is_refused(
    tmp_path: Path, built: StoredDataset, name: str, text: str, problem: str
) -> None:
    copy = shutil.copytree(built.location, tmp_path / "copy")
    (copy / name).write_text(text)
    with pytest.raises(DatasetError, match=problem):
        open_dataset(copy)


def test_a_folder_without_environments_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="it has neither"):
        open_dataset(tmp_path)


def test_a_folder_of_environments_is_not_built(tmp_path: Path, built: StoredDataset) -> None:
    from slicefunc.driver.record.environment_files import write_environment

    row = next(iter(built.rows()))
    write_environment(tmp_path / "one", built.environment(row.id))
    found = open_dataset(tmp_path)
    assert [each.id for each in found.rows()] == [row.id]
    assert found.environment(row.id) == built.environment(row.id)
    with pytest.raises(DatasetError, match="no dataset yet"):
        open_built(tmp_path)


def _rewritten(built: StoredDataset, folder: Path, **columns: object) -> StoredDataset:
    """Return a copy of a dataset in which somebody has changed columns of all environments."""
    copy = shutil.copytree(built.location, folder / "copy")
    for file in (copy / "data").iterdir():
        table = pq.read_table(file)
        rows = [{**row, **columns} for row in table.to_pylist()]
        pq.write_table(table.from_pylist(rows, schema=table.schema), file)
    return open_built(copy)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("id", "../../../evil"),
        ("split", "../evil"),
        ("python", "3.11\nRUN evil"),
        ("prompt", "something else"),
        ("record", "[]"),
        ("record", "[" * 100_000),
        ("record", '{"schema": 99}'),
        ("files", []),
        ("files", [{"name": "../../evil", "blob": "00"}]),
    ],
)
def test_a_row_that_somebody_has_changed_gives_no_environment(
    tmp_path: Path, built: StoredDataset, column: str, value: object
) -> None:
    found = _rewritten(built, tmp_path, **{column: value})
    with pytest.raises(SliceFuncError, match=str(tmp_path)):
        list(map(found.environment_of, found.rows()))


def test_an_environment_that_somebody_has_changed_is_refused(
    tmp_path: Path, built: StoredDataset
) -> None:
    record = {**json.loads(next(iter(built.rows())).record), "accepted": False}
    found = _rewritten(built, tmp_path, record=json.dumps(record))
    with pytest.raises(EnvironmentRecordError, match="changed since it was written"):
        found.environment_of(next(iter(found.rows())))


@pytest.mark.parametrize("folder", ["data", "functions", "blobs"])
@pytest.mark.parametrize("content", [b"", b"no table" * 99, None])
def test_a_damaged_file_is_named(
    tmp_path: Path, built: StoredDataset, folder: str, content: bytes | None
) -> None:
    copy = Path(shutil.copytree(built.location, tmp_path / "copy"))
    (file,) = (copy / folder).iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if content is None else content)
    found = open_built(copy)
    with pytest.raises(StoreError, match=f"{file.name}: it is missing or damaged"):
        list(map(found.environment_of, found.rows())), list(found.functions())


@pytest.mark.parametrize("name", ["/etc/passwd", "../other/data.parquet", "data/../../x"])
def test_a_manifest_names_no_file_elsewhere(
    tmp_path: Path, built: StoredDataset, name: str
) -> None:
    copy = Path(shutil.copytree(built.location, tmp_path / "copy"))
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["tables"]["environments"][0]["file"] = name
    (copy / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(StoreError, match="names a file elsewhere"):
        list(open_built(copy).rows())


def test_a_pipe_is_no_file_of_a_dataset(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "manifest.json")
    with pytest.raises(StoreError, match="no plain file"):
        open_dataset(tmp_path)


def test_words_of_repositories_are_no_markup_in_the_card() -> None:
    assert cell("MIT |\n# [x](y) <b>`&") == r"MIT \| # \[x\](y) \<b\>\`\&"
