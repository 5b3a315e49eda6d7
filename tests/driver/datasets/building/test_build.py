"""Builds of a small repository, as a user runs them."""

from __future__ import annotations

import gzip
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built
from slicefunc.driver.datasets.storage.journal import HEADER

from tests.driver.conftest import run
from tests.driver.datasets.conftest import Clone, build, write_plan


def test_each_function_is_an_environment_or_has_a_reason(built: StoredDataset) -> None:
    rows = {row.qualname: row for row in built.functions()}
    assert sorted(rows) == ["larger", "nothing", "plus_tax", "with_tax"]
    assert all(bool(row.environment) != bool(row.reasons) for row in rows.values())
    assert rows["larger"].environment
    assert rows["nothing"].reasons


def test_of_two_functions_that_do_the_same_one_falls(built: StoredDataset) -> None:
    rows = {row.qualname: row for row in built.functions()}
    kept, fallen = sorted(
        (rows["plus_tax"], rows["with_tax"]), key=lambda row: bool(row.duplicate_of)
    )
    assert (fallen.duplicate_of, fallen.similarity) == (kept.environment, 1.0)
    assert (fallen.reasons, fallen.environment) == (("duplicate",), None)


def test_rows_say_where_functions_come_from(built: StoredDataset, clone: Clone) -> None:
    row = next(row for row in built.rows() if row.qualname == "larger")
    assert (row.repo, row.commit, row.licence) == ("shop/prices", clone.commit, "MIT")
    assert (row.created, row.split, row.path) == ("2024-01-02", "train", "prices.py")
    assert row.code.startswith("def larger(left: int, right: int) -> int:\n")


def test_a_repository_that_is_not_there_is_a_row(built: StoredDataset) -> None:
    rows = {row.repo: row for row in built.repositories()}
    assert (rows["no/where"].rule, rows["no/where"].functions) == ("checkout", 0)
    assert "no such folder" in rows["no/where"].reason
    assert (rows["shop/prices"].rule, rows["shop/prices"].functions) == (None, 4)
    assert json.loads(rows["shop/prices"].metadata) == {"stars": 7}


def test_what_is_finished_is_not_done_again_and_the_bytes_are_the_same(
    tmp_path: Path, plan: Path, built: StoredDataset
) -> None:
    output = tmp_path / "dataset"
    words = ["build", plan, "-o", output, "--jobs", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "slicefunc.driver.cli.command", *map(str, words)],
        stderr=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + 120
        while not (output / HEADER).exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.0)
        process.send_signal(signal.SIGKILL)
    build(plan, output, "--resume")
    assert content(output) == content(Path(built.location))


def test_what_is_finished_stays_as_it_is(tmp_path: Path, plan: Path, built: StoredDataset) -> None:
    copy = shutil.copytree(built.location, tmp_path / "copy")
    before = content(copy)
    build(plan, copy, "--resume", "--limit", "1")
    assert content(copy) == before


def content(folder: Path) -> dict[str, bytes]:
    """All files but the one that says how long each function took."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in files
        if file.name != "costs.jsonl.gz"
    }


def test_seconds_are_beside_the_tables(built: StoredDataset) -> None:
    text = gzip.decompress((Path(built.location) / "costs.jsonl.gz").read_bytes()).decode()
    costs = [json.loads(line) for line in text.splitlines()]
    assert [each["qualname"] for each in costs] == ["larger", "nothing", "plus_tax", "with_tax"]
    assert all(each["seconds"] > 0 for each in costs)


def test_a_place_that_is_not_empty_is_refused(tmp_path: Path, plan: Path) -> None:
    (tmp_path / "else").write_text("")
    done = run("build", plan, "-o", tmp_path)
    assert done.status == 2
    assert f"{tmp_path} is not empty" in done.err
    assert "of 0 repositories" not in done.err
    assert "--resume" in done.err


def test_a_build_does_not_go_on_with_other_options(tmp_path: Path, plan: Path) -> None:
    (tmp_path / ".build").mkdir()
    (tmp_path / HEADER).write_text('{"tool_version": "0"}')
    done = run("build", plan, "-o", tmp_path, "--resume")
    assert done.status == 2
    assert "was begun with other" in done.err


def test_only_the_named_functions_are_tried(tmp_path: Path, clone: Clone) -> None:
    named = [{"path": "prices.py", "qualname": "nothing"}]
    line = {"repo": "shop/prices", "source": str(clone.folder), "functions": named, "split": "eval"}
    said = build(write_plan(tmp_path / "repos.jsonl", line), tmp_path / "dataset")
    assert "1 of 1 functions, 0 environments" in said[-4]
    code = next(open_built(tmp_path / "dataset").functions()).reasons[0]
    assert said[-2].startswith(f"slice-func: reasons of those that became none: {code} 1")
    assert said[-1].startswith("slice-func: look with slice-func dataset show ")
    rows = list(open_built(tmp_path / "dataset").functions())
    assert [(row.qualname, row.split) for row in rows] == [("nothing", "eval")]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--shard", "0/2"], "'0/2' is not I/N"),
        (["--shard", "3/2"], "'3/2' is not I/N"),
        (["--jobs", "0"], "not a whole number above 0"),
        (["--eval-since", "soon"], "'soon' is no date"),
    ],
)
def test_wrong_options_are_one_line(
    tmp_path: Path, plan: Path, words: list[str], problem: str
) -> None:
    done = run("build", plan, "-o", tmp_path / "dataset", *words)
    assert done.status == 2
    assert problem in done.err
    assert not (tmp_path / "dataset").exists()


@pytest.mark.skipif(not shutil.which("git"), reason="it needs git")
def test_hooks_and_filters_of_a_repository_do_not_run(tmp_path: Path, clone: Clone) -> None:
    copy = tmp_path / "hostile"
    shutil.copytree(clone.folder, copy)
    ran = tmp_path / "ran"
    with (copy / ".git/config").open("a") as config:
        config.write(
            f'[core]\n\tfsmonitor = "touch {ran}"\n[filter "x"]\n\tsmudge = "touch {ran}"\n'
        )
        config.write("\tclean = cat\n[uploadpack]\n\tpackObjectsHook = false\n")
    hook = copy / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    named = [{"path": "prices.py", "qualname": "nothing"}]
    line = {"repo": "shop/prices", "source": str(copy), "functions": named}
    build(write_plan(tmp_path / "repos.jsonl", line), tmp_path / "dataset")
    assert not ran.exists()


def test_an_update_without_news_changes_nothing(
    tmp_path: Path, plan: Path, built: StoredDataset
) -> None:
    copy = shutil.copytree(built.location, tmp_path / "copy")
    build(plan, copy, "--since", "2024-03-01")
    assert content(copy) == content(Path(built.location))


def test_an_update_makes_what_a_newer_commit_has_changed(
    tmp_path: Path, newer_plan: Path, built: StoredDataset, newer: StoredDataset
) -> None:
    copy = shutil.copytree(built.location, tmp_path / "copy")
    build(newer_plan, copy, "--since", "2024-03-01")
    updated = open_built(copy)
    assert list(updated.rows()) == list(newer.rows())
    assert list(updated.functions()) == list(newer.functions())
    assert [row.repo for row in updated.repositories()] == ["no/where", "shop/prices"]
    for row in updated.rows():
        assert updated.environment(row.id) == newer.environment(row.id)
    tables = ("data/", "blobs/", "functions/", "repositories/")
    there = {name for name in updated.store.names() if name.startswith(tables)}
    assert {each["file"] for each in updated.files()} == there


def test_an_update_with_other_thresholds_is_refused(
    tmp_path: Path, plan: Path, built: StoredDataset
) -> None:
    copy = shutil.copytree(built.location, tmp_path / "copy")
    done = run("build", plan, "-o", copy, "--since", "2024-03-01", "--min-killed", "50")
    assert (done.status, "was built with another" in done.err) == (2, True)
    assert content(copy) == content(Path(built.location))
