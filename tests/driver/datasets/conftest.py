"""A small repository with a history, and the dataset that a build makes of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built

from tests.driver.conftest import run

SOURCE = '''\
"""Sums of prices."""


def with_tax(net: int) -> int:
    """The price with a fifth more."""
    return net + net // 5


def plus_tax(amount: int) -> int:
    """The same under another name."""
    return amount + amount // 5


def larger(left: int, right: int) -> int:
    """The larger of two."""
    return left if left > right else right


def nothing() -> None:
    """Show nothing at all."""
'''


@dataclass(frozen=True, slots=True)
class Clone:
    """A repository with one commit."""

    folder: Path
    commit: str


def git(folder: Path, *words: str) -> str:
    """Run git as somebody, at a fixed time."""
    who = {"NAME": "somebody", "EMAIL": "somebody@example.org", "DATE": "2024-02-03T04:05:06Z"}
    roles = ("AUTHOR", "COMMITTER")
    settings = {f"GIT_{role}_{name}": text for role in roles for name, text in who.items()}
    done = subprocess.run(
        ["git", "-C", folder, *words],
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **settings},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    folder = tmp_path_factory.mktemp("sources") / "prices"
    folder.mkdir()
    (folder / "prices.py").write_text(SOURCE)
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "one")
    return Clone(folder, git(folder, "rev-parse", "HEAD"))


def write_plan(file: Path, *lines: dict[str, object]) -> Path:
    """Write a list of repositories."""
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def build(plan: Path, output: Path, *options: object) -> Sequence[str]:
    """Run `slice-func build`; return what it says."""
    done = run("build", plan, "-o", output, "--jobs", "1", *options)
    assert done.status == 0, done.err
    return done.err.splitlines()


@pytest.fixture(scope="session")
def plan(tmp_path_factory: pytest.TempPathFactory, clone: Clone) -> Path:
    """Two repositories, of which one is not there."""
    return write_plan(
        tmp_path_factory.mktemp("plan") / "repos.jsonl",
        {"repo": "shop/prices", "source": str(clone.folder), "commit": clone.commit,
         "licence": "MIT", "created": "2024-01-02", "stars": 7},
        {"repo": "no/where", "source": "absent"},
    )  # fmt: skip


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, plan: Path) -> StoredDataset:
    """The dataset of the list."""
    output = tmp_path_factory.mktemp("built") / "dataset"
    build(plan, output)
    return open_built(output)


HALF = """

def half(n: int) -> int:
    return n // 2 if n > 3 else -n
"""


@pytest.fixture(scope="session")
def newer_plan(tmp_path_factory: pytest.TempPathFactory, clone: Clone) -> Path:
    """The same repository after a commit that changes one function and adds one."""
    folder = tmp_path_factory.mktemp("newer")
    copy = shutil.copytree(clone.folder, folder / "prices")
    text = (copy / "prices.py").read_text()
    text = text.replace("return left if left > right else right", "return max(left, right)")
    (copy / "prices.py").write_text(text + HALF)
    git(copy, "commit", "--quiet", "-am", "two")
    line = {"repo": "shop/prices", "source": str(copy), "licence": "MIT", "created": "2024-01-02"}
    return write_plan(folder / "repos.jsonl", line)


@pytest.fixture(scope="session")
def newer(tmp_path_factory: pytest.TempPathFactory, newer_plan: Path) -> StoredDataset:
    """The dataset of the newer commit."""
    output = tmp_path_factory.mktemp("newer-built") / "dataset"
    build(newer_plan, output)
    return open_built(output)
