"""Datasets that are shown, verified, merged, split and compared."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built

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


def test_parts_that_are_merged_are_the_whole_again(tmp_path: Path, built: StoredDataset) -> None:
    status, _, err = _run("split", built.location, "--fraction", "50", "-o", tmp_path / "parts")
    assert status == 0, err
    (part,) = (tmp_path / "parts").iterdir()
    empty = tmp_path / "again"
    status, _, err = _run("merge", part, built.location, "-o", empty)
    assert status == 0, err
    assert list(open_built(empty).rows()) == list(built.rows())
    assert list(open_built(empty).functions()) == list(built.functions())


def test_split_by_a_column_makes_a_dataset_for_each_value(
    tmp_path: Path, built: StoredDataset
) -> None:
    status, _, err = _run("split", built.location, "--by", "licence", "-o", tmp_path / "parts")
    assert status == 0, err
    assert [part.name for part in (tmp_path / "parts").iterdir()] == ["MIT"]
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
    assert _run("diff", built.location, built.location)[:2] == (0, "")


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
