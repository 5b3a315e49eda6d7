"""A dataset of one environment whose every text tries to be HTML."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest
from slicefunc.driver.datasets.storage.columns import FunctionRow, RepositoryRow
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built
from slicefunc.driver.datasets.storage.digests import digest
from slicefunc.driver.datasets.storage.environment_rows import Source, environment_row
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.datasets.storage.write_dataset import Content, write_dataset
from slicefunc.driver.record.environment_files import read_environment

from tests.driver.conftest import run

EVIL = '</script><!--<script><img src=x onerror="alert(1)">@@DATA@@'
SHOUT = f'''\
MARK = {EVIL!r}


def shout(word):
    """Shout. {EVIL}"""
    return word + MARK if word else word
'''


@dataclass
class Page(HTMLParser):
    """What a browser's parser finds: scripts by id, and every other element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: dict[str, str] = {}
        self.elements: list[tuple[str, Mapping[str, str | None]]] = []
        self.styles: list[str] = []
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        self._inside = tag
        if tag == "script":
            self.scripts[found.get("id") or "code"] = ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            name = next(reversed(self.scripts))
            self.scripts[name] += data
        elif self._inside == "style":
            self.styles.append(data)


def _function(number: int, **columns: object) -> FunctionRow:
    values: dict[str, object] = {
        "repo": EVIL, "commit": None, "path": "loud.py", "qualname": f"f{number}",
        "split": "train", "sliced": True, "layout": "flat", "lines": 5, "definitions": 1,
        "gaps": 0, "runs": True, "called": True, "stable": True, "compared": 2, "same": 2,
        "branches": 1.0, "killed": 1.0, "unseen_killed": None, "cases": 2, "environment": None,
        "reasons": (), "detail": "", "duplicate_of": None, "similarity": None,
    }  # fmt: skip
    return FunctionRow(**{**values, **columns})  # pyright: ignore[reportArgumentType]


@pytest.fixture(scope="session")
def environment_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of a hostile repository."""
    place = tmp_path_factory.mktemp("hostile")
    repo = place / "repo"
    repo.mkdir()
    (repo / "loud.py").write_text(SHOUT)
    cases = place / "cases.py"
    cases.write_text("from loud import shout\n\n\ndef case_1():\n    return shout('</script>')\n")
    done = run(
        repo, "loud.py::shout", "--cases", cases, "--verify", "--env", place / "env",
        "--no-install", "--min-branches", "0", "--min-killed", "0", "--min-unseen", "0",
    )  # fmt: skip
    assert done.status == 0, done.err
    return place / "env"


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory, environment_folder: Path) -> StoredDataset:
    """A dataset: one environment, a duplicate of it, and four functions that became none."""
    environment = read_environment(environment_folder)
    row = environment_row(environment, Source(EVIL, licence=EVIL))
    functions = [
        _function(0, qualname="shout", environment=row.id),
        _function(1, duplicate_of=row.id, similarity=0.9, reasons=("duplicate",)),
        _function(2, sliced=False, reasons=("too_deep",), detail=EVIL),
        _function(3, runs=False, reasons=("does_not_run", "gap")),
        _function(4, branches=0.5, reasons=("few_branches",)),
        _function(5, killed=0.2, reasons=("few_mutants",), lines=300),
    ]
    repositories = [
        RepositoryRow(EVIL, EVIL, None, EVIL, None, None, "train", 6, 1, None, "", "{}"),
        RepositoryRow("no/where", "x", None, None, None, None, "train", 0, 0, "size", EVIL, "{}"),
    ]
    contents = {digest(each.encode()): each.encode() for each in environment.files.values()}
    folder = tmp_path_factory.mktemp("datasets") / "set"
    store = Store.at(str(folder))
    write_dataset(store, Content([row], functions, repositories, contents.__getitem__, {}))
    costs = '{"repo": "a", "path": "b", "qualname": "c", "seconds": 3.5}\n'
    store.write("costs.jsonl.gz", gzip.compress(costs.encode(), mtime=0))
    return open_built(folder)
