"""What holds for every format: a new one is a row of `FORMATS`, and these tests take it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest
from slicefunc.driver.datasets.exports import FORMATS, exporter_named
from slicefunc.driver.datasets.exports.exporter import Pair
from slicefunc.driver.datasets.storage.dataset import Dataset

from tests.driver.conftest import run
from tests.driver.record.test_environment import needs_sandbox

pytestmark = [needs_sandbox, pytest.mark.parametrize("name", FORMATS)]

_PARSERS: dict[str, Callable[[str], object]] = {
    ".py": ast.parse,
    ".json": json.loads,
    ".toml": tomllib.loads,
    ".jsonl": lambda text: [json.loads(line) for line in text.splitlines()],
}
_ORIGINAL = b"RATE // 100"
"""What only the original of one target has."""


@pytest.fixture(scope="session")
def pairs(dataset: Dataset) -> list[Pair]:
    """The rows with their environments."""
    return [(row, dataset.environment(row.id)) for row in dataset.rows()]


def _content(name: str, pairs: list[Pair]) -> dict[str, bytes]:
    files = [(each.path, each.content) for each in exporter_named(name).files(iter(pairs))]
    assert len(dict(files)) == len(files), "a path is written twice"
    return dict(files)


def test_paths_stay_inside(name: str, pairs: list[Pair]) -> None:
    for each in map(PurePosixPath, _content(name, pairs)):
        assert not each.is_absolute()
        assert ".." not in each.parts


def test_files_parse(name: str, pairs: list[Pair]) -> None:
    for path, content in _content(name, pairs).items():
        parse = _PARSERS.get(PurePosixPath(path).suffix)
        if parse is not None:
            parse(content.decode())


def test_only_hidden_files_hold_an_original(name: str, pairs: list[Pair]) -> None:
    tax = [pair for pair in pairs if pair[0].qualname == "add_tax"]
    assert _ORIGINAL in tax[0][0].code.encode()
    hidden = exporter_named(name).hidden
    shown = [
        path
        for path, content in _content(name, tax).items()
        if _ORIGINAL in content and not any(fnmatch(path, each) for each in hidden)
    ]
    assert shown == []


def test_every_environment_is_named(name: str, pairs: list[Pair]) -> None:
    content = _content(name, pairs)
    whole = b"\0".join([*content.values(), *(path.encode() for path in content)])
    assert [row.id for row, _ in pairs if row.id[:10].encode() not in whole] == []


def test_it_says_what_it_is_for(name: str, pairs: list[Pair]) -> None:
    del pairs
    assert exporter_named(name).gives.strip(" .")


def test_the_same_bytes_under_another_hash_seed(name: str, built: Path, tmp_path: Path) -> None:
    texts: list[dict[str, bytes]] = []
    for seed in ("0", "1"):
        folder = tmp_path / seed
        words = ("export", built, "--to", name, "-o", folder)
        subprocess.run(
            [sys.executable, "-m", "slicefunc.driver.cli.command", *words],
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"},
            check=True,
            capture_output=True,
        )
        files = sorted(each for each in folder.rglob("*") if each.is_file())
        texts.append({str(each.relative_to(folder)): each.read_bytes() for each in files})
    assert texts[0] == texts[1]
    assert texts[0]


def test_a_folder_that_is_not_empty_is_refused(name: str, built: Path, tmp_path: Path) -> None:
    (tmp_path / "old").touch()
    done = run("export", built, "--to", name, "-o", tmp_path)
    assert done.status == 2
    assert "is not empty" in done.error
