"""A small repository with a history, and the dataset that a build makes of it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
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
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """A folder of this run of all tests, whatever process they are in."""
    own = tmp_path_factory.getbasetemp()
    return Shared(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@dataclass(frozen=True, slots=True)
class Shared:
    """Folders that the first process which needs them fills for all."""

    place: Path

    def folder(self, name: str, fill: Callable[[Path], object]) -> Path:
        """Return a folder, after `fill` has made and filled it once."""
        folder = self.place / f"shared-{name}"
        with folder.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                folder.mkdir()
                try:
                    fill(folder)
                except BaseException:
                    shutil.rmtree(folder)
                    raise
        return folder


@pytest.fixture(scope="session")
def clone(shared: Shared) -> Clone:
    def fill(folder: Path) -> None:
        (folder / "prices").mkdir()
        (folder / "prices" / "prices.py").write_text(SOURCE)
        git(folder / "prices", "init", "--quiet")
        git(folder / "prices", "add", ".")
        git(folder / "prices", "commit", "--quiet", "-m", "one")

    folder = shared.folder("sources", fill) / "prices"
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
def plan(shared: Shared, clone: Clone) -> Path:
    """Two repositories, of which one is not there."""
    there = {
        "repo": "shop/prices", "source": str(clone.folder), "commit": clone.commit,
        "licence": "MIT", "created": "2024-01-02", "stars": 7,
    }  # fmt: skip
    absent = {"repo": "no/where", "source": "absent"}
    folder = shared.folder("plan", lambda each: write_plan(each / "repos.jsonl", there, absent))
    return folder / "repos.jsonl"


@pytest.fixture(scope="session")
def built(shared: Shared, plan: Path) -> StoredDataset:
    """The dataset of the list."""
    folder = shared.folder("built", lambda folder: build(plan, folder / "dataset"))
    return open_built(folder / "dataset")


HALF = """

def half(n: int) -> int:
    return n // 2 if n > 3 else -n
"""


@pytest.fixture(scope="session")
def newer_plan(shared: Shared, clone: Clone) -> Path:
    """The same repository after a commit that changes one function and adds one."""

    def fill(folder: Path) -> None:
        copy = shutil.copytree(clone.folder, folder / "prices")
        text = (copy / "prices.py").read_text()
        text = text.replace("return left if left > right else right", "return max(left, right)")
        (copy / "prices.py").write_text(text + HALF)
        git(copy, "commit", "--quiet", "-am", "two")
        line = {"repo": "shop/prices", "source": str(copy), "licence": "MIT"}
        write_plan(folder / "repos.jsonl", {**line, "created": "2024-01-02"})

    return shared.folder("newer", fill) / "repos.jsonl"


@pytest.fixture(scope="session")
def newer(shared: Shared, newer_plan: Path) -> StoredDataset:
    """The dataset of the newer commit."""
    folder = shared.folder("newer-built", lambda folder: build(newer_plan, folder / "dataset"))
    return open_built(folder / "dataset")
