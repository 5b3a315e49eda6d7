"""Datasets that are shown, verified, merged, split and compared."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from slicefunc.driver.datasets.maintenance.parts import by_fraction
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.datasets.storage.write_dataset import (
    Content,
    environment_order,
    write_dataset,
)

from tests.driver.conftest import run


def _run(*words: object) -> tuple[int, str, str]:
    """Run `slice-func dataset …`: status, standard output, standard error."""
    done = run("dataset", *words)
    return done.status, done.out.decode(), done.err


def test_show_counts_and_lists(built: StoredDataset) -> None:
    _, out, _ = _run("show", built.location)
    assert "4 functions" in out
    assert "prices.py::larger" in out
    assert json.loads(_run("show", built.location, "--json")[1]) == built.manifest


def test_show_says_why_functions_became_none(built: StoredDataset) -> None:
    status, out, _ = _run("show", built.location, "--rejected")
    lines = {line.split("  ")[1]: line.split("  ") for line in out.splitlines()}
    assert (status, len(lines)) == (0, 2)
    row = next(row for row in built.functions() if row.qualname == "nothing")
    assert lines["prices.py::nothing"] == [
        "shop/prices", "prices.py::nothing", ",".join(row.reasons), " ".join(row.detail.split()),
    ]  # fmt: skip
    assert row.detail
    assert _run("show", built.location, "--rejected", "--json")[0] == 2


def test_show_prints_one_environment(built: StoredDataset) -> None:
    row = next(row for row in built.rows() if row.qualname == "larger")
    _, out, _ = _run("show", built.location, row.id[:12])
    assert "shop/prices prices.py::larger" in out
    assert "def larger(left: int, right: int) -> int:" in out
    assert "return left if left > right" not in out
    status, _, err = _run("show", built.location, "zz")
    assert status == 2
    assert "no environments have an id that begins with zz" in err


def test_verify_finds_a_whole_dataset_as_it_says(built: StoredDataset) -> None:
    assert _run("verify", built.location)[:2] == (0, "2 environments are as they say\n")


@pytest.mark.parametrize("folder", ["data", "blobs"])
def test_verify_finds_a_changed_or_missing_file(
    tmp_path: Path, built: StoredDataset, folder: str
) -> None:
    copy = shutil.copytree(built.location, tmp_path / "copy")
    (file,) = (copy / folder).iterdir()
    name = f"{folder}/{file.name}"
    (copy / name).write_bytes((copy / name).read_bytes() + b" ")
    assert _run("verify", copy)[:2] == (1, f"{name}: its content has changed\n")
    (copy / name).unlink()
    assert _run("verify", copy)[:2] == (1, f"{name}: it is missing\n")


@pytest.fixture
def whole(tmp_path: Path, built: StoredDataset) -> StoredDataset:
    """The dataset as if its environments came from two repositories; a third one failed."""

    def renamed(row: Any) -> Any:
        is_other = getattr(row, "qualname", "") in {"larger", "nothing"}
        return replace(row, repo="shop/sizes") if is_other else row

    (first, failed) = sorted(built.repositories(), key=lambda row: row.environments, reverse=True)
    repositories = [
        replace(first, functions=2, environments=1),
        replace(first, repo="shop/sizes", functions=2, environments=1, licence="BSD-3-Clause"),
        failed,
    ]
    content = Content(
        sorted(map(renamed, built.rows()), key=environment_order),
        list(map(renamed, built.functions())),
        repositories,
        built.blobs.read,
        {name: built.manifest[name] for name in ("tool_version", "thresholds", "build")},
    )
    write_dataset(Store.at(str(tmp_path / "whole")), content)
    return open_built(tmp_path / "whole")


def _parts(whole: StoredDataset, *words: str) -> dict[str, StoredDataset]:
    folder = Path(whole.location).with_name("parts")
    status, _, err = _run("split", whole.location, *words, "-o", folder)
    assert status == 0, err
    return {part.name: open_built(part) for part in sorted(folder.iterdir())}


def _merged(parts: Iterable[StoredDataset], folder: Path) -> StoredDataset:
    status, _, err = _run("merge", *(part.location for part in parts), "-o", folder)
    assert status == 0, err
    return open_built(folder)


def _splits(dataset: StoredDataset) -> set[str]:
    tables = (dataset.rows(), dataset.functions(), dataset.repositories())
    return {row.split for table in tables for row in table}


@pytest.mark.parametrize("column", ["licence", "repo"])
def test_parts_that_are_merged_are_the_whole_again(
    tmp_path: Path, whole: StoredDataset, column: str
) -> None:
    merged = _merged(_parts(whole, "--by", column).values(), tmp_path / "merged")
    assert list(merged.rows()) == list(whole.rows())
    assert list(merged.functions()) == list(whole.functions())
    assert list(merged.repositories()) == list(whole.repositories())
    assert _run("diff", whole.location, merged.location)[:2] == (0, "no differences\n")


@pytest.mark.parametrize("fraction", ["1", "10", "0.1", "99"])
def test_a_fraction_gives_two_parts_whose_rows_say_which(
    whole: StoredDataset, fraction: str
) -> None:
    parts = _parts(whole, "--fraction", fraction)
    assert {name: _splits(part) for name, part in parts.items()} == {
        "eval": {"eval"}, "train": {"train"},
    }  # fmt: skip
    card = (Path(parts["eval"].location) / "README.md").read_text()
    assert "{split: eval, path: data/eval-*.parquet}" in card
    assert "1 in eval" in _run("show", parts["eval"].location)[1]


def test_parts_of_a_fraction_keep_all_but_the_split(tmp_path: Path, whole: StoredDataset) -> None:
    merged = _merged(_parts(whole, "--fraction", "50").values(), tmp_path / "merged")
    for table in ("functions", "repositories"):
        rows = [replace(row, split="train") for row in getattr(merged, table)()]
        assert rows == list(getattr(whole, table)())
    status, out, _ = _run("diff", whole.location, merged.location)
    assert status == 1
    (line,) = out.splitlines()
    assert line.startswith("changed")
    assert line.endswith(": split")


def test_one_repository_is_not_split_by_a_fraction(tmp_path: Path, built: StoredDataset) -> None:
    status, _, err = _run("split", built.location, "--fraction", "10", "-o", tmp_path / "parts")
    assert status == 2
    assert "fewer than two repositories have environments" in err


@pytest.mark.parametrize("fraction", ["0", "100", "-1", "nan", "some"])
def test_a_fraction_is_a_share_or_per_cent(built: StoredDataset, fraction: str) -> None:
    status, _, err = _run("split", built.location, f"--fraction={fraction}", "-o", "parts")
    assert status == 2
    assert f"'{fraction}' is neither a share below 1, such as 0.1, nor per cent from 1 to 99" in err


def test_a_repository_stays_in_its_part_when_others_join() -> None:
    def part_of(number: int) -> dict[str, str]:
        rows = [SimpleNamespace(repo=f"owner/{each}") for each in range(number)]
        dataset = SimpleNamespace(rows=lambda: rows)
        split = by_fraction(cast("Any", dataset), 0.2, 0)
        return {row.repo: split(cast("Any", row)) for row in rows}

    few, many = part_of(50), part_of(100)
    assert few.items() <= many.items()
    assert set(few.values()) == {"eval", "train"}


def test_diff_names_functions_and_repositories_that_are_lost(whole: StoredDataset) -> None:
    parts = _parts(whole, "--by", "repo")
    status, out, _ = _run("diff", whole.location, parts["shop-sizes"].location)
    assert status == 1
    lines = out.splitlines()
    assert "gone     no/where: repository" in lines
    assert "gone     shop/prices prices.py::with_tax: function without environment" in lines
    assert not any("nothing" in line for line in lines)


def test_split_by_a_column_makes_a_dataset_for_each_value(
    tmp_path: Path, built: StoredDataset
) -> None:
    status, _, err = _run("split", built.location, "--by", "licence", "-o", tmp_path / "parts")
    assert status == 0, err
    names = sorted(part.name for part in (tmp_path / "parts").iterdir())
    assert names == ["MIT", "no-environments"]  # the repository that is not there has no licence
    part = open_built(tmp_path / "parts/MIT")
    assert list(part.rows()) == list(built.rows())
    assert _run("verify", part.location, "--sample", "1")[0] == 0


def test_datasets_of_other_options_are_not_merged(tmp_path: Path, built: StoredDataset) -> None:
    copy = shutil.copytree(built.location, tmp_path / "copy")
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["thresholds"]["min_killed"] = 10
    (copy / "manifest.json").write_text(json.dumps(manifest))
    status, _, err = _run("merge", built.location, copy, "-o", tmp_path / "merged")
    assert status == 2
    assert "have another thresholds" in err


def test_diff_says_what_a_newer_commit_has_changed(
    built: StoredDataset, newer: StoredDataset
) -> None:
    status, out, _ = _run("diff", built.location, newer.location)
    assert status == 1
    lines = {line.split()[2]: line for line in out.splitlines()}
    assert lines["prices.py::half"].startswith("new")
    assert lines["prices.py::larger:"].startswith("changed")
    assert "code" in lines["prices.py::larger:"]


def test_a_dataset_does_not_differ_from_itself(built: StoredDataset) -> None:
    assert _run("diff", built.location, built.location)[:2] == (0, "no differences\n")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["merge", "A", "-o", "B"], "one dataset is merged with nothing"),
        (["split", "A", "-o", "B"], "--by COLUMN or --fraction N says how to split"),
        (["show", "A"], "A"),
    ],
)
def test_wrong_words_are_one_line(words: list[str], problem: str) -> None:
    status, _, err = _run(*words)
    assert status == 2
    assert problem in err
    assert "Traceback" not in err
