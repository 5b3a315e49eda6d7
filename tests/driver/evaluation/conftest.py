"""A small dataset, simulated models that know it, and runs that are made once for all tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from slicefunc.driver.datasets.storage.dataset import StoredDataset, open_built
from slicefunc.driver.evaluation.runs import read_run
from slicefunc.driver.evaluation.sample_rows import SampleRow

from tests.driver.conftest import run
from tests.driver.datasets.conftest import Shared, build, git, write_plan

RATES = '''\
"""Rates of tax."""

RATE = 20


def with_tax(net: int) -> int:
    """The net amount with the tax on it, in whole cents."""
    return net + net * RATE // 100
'''
TOTAL = '''\
def total(prices: list[int], discount: int) -> int:
    """The sum of the prices with tax, less a discount if there is more than it."""
    whole = sum(with_tax(each) for each in prices)
    if whole > discount:
        return whole - discount
    return whole
'''
RENAMED = """\
def sum_of(amounts: list[int], rebate: int) -> int:
    gross = sum(with_tax(amount) for amount in amounts)
    if gross > rebate:
        return gross - rebate
    return gross
"""
COMMENTED = "".join(f"# {line}\n" for line in TOTAL.splitlines())
ORDERS = f'''\
"""Orders."""

from ledger.rates import with_tax


{TOTAL}

{TOTAL.replace("def total", "def same_total")}'''
ARCHIVE = f'''\
"""What orders came to in earlier years."""

from ledger.rates import with_tax


{TOTAL.replace("def total", "def old_total")}

def year_of(day: str) -> int:
    """The year in which a day is."""
    return int(day[:4])


{RENAMED}

FIRST_YEAR = 1999
{COMMENTED}
LAST_YEAR = 2009
'''
FUNCTIONS = (("ledger/orders.py", "total"), ("ledger/rates.py", "with_tax"))
KEY = {"OPENAI_API_KEY": "sk-loopback"}


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    own = tmp_path_factory.getbasetemp()
    return Shared(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="session")
def ledger(shared: Shared) -> StoredDataset:
    """Two environments of a repository: one needs the other's file, and has a copy in a third."""

    def fill(folder: Path) -> None:
        package = folder / "sources/ledger"
        package.mkdir(parents=True)
        files = {"__init__": "", "rates": RATES, "orders": ORDERS, "archive": ARCHIVE}
        for name, text in files.items():
            (package / f"{name}.py").write_text(text)
        git(package.parent, "init", "--quiet")
        git(package.parent, "add", ".")
        git(package.parent, "commit", "--quiet", "-m", "one")
        functions = [{"path": path, "qualname": name} for path, name in FUNCTIONS]
        line = {"repo": "shop/ledger", "source": str(package.parent), "functions": functions}
        build(write_plan(folder / "repos.jsonl", line), folder / "dataset")

    folder = shared.folder("ledger", fill) / "dataset"
    found = open_built(folder)
    assert [row.qualname for row in found.rows()] == ["total", "with_tax"]
    return found


@dataclass(frozen=True, slots=True)
class Simulation:
    """Simulated models that are served."""

    url: str

    def counts(self) -> dict[str, int]:
        """How many requests came, and how many different ones."""
        with urlopen(f"{self.url}/counts", timeout=60) as answer:
            return json.load(answer)


@pytest.fixture(scope="session")
def simulation(ledger: StoredDataset) -> Iterator[Simulation]:
    process = subprocess.Popen(
        [
            sys.executable, "-m", "slicefunc.driver.cli.command",
            "eval", "simulate", ledger.location, "--port", "0",
        ],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stderr
        line = process.stderr.readline()
        found = re.search(r"(http://\S+)/v1", line)
        assert found, line
        yield Simulation(found[1])
    finally:
        process.kill()
        process.wait()
        if process.stderr:
            process.stderr.close()


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A run, and what the command said of it."""

    place: Path
    status: int
    out: str
    err: str
    asked: int
    """Requests that the service got."""

    @property
    def folder(self) -> Path:
        return self.place / "run"

    @property
    def cache(self) -> Path:
        """Where its answers are stored."""
        return self.place / "answers"

    @property
    def rows(self) -> tuple[SampleRow, ...]:
        return read_run(str(self.folder)).samples

    @property
    def verdicts(self) -> dict[str, list[str]]:
        """The verdicts on the samples of each function."""
        found: dict[str, list[str]] = {}
        for row in self.rows:
            found.setdefault(row.qualname, []).append(row.verdict)
        return found

    @property
    def messages(self) -> list[dict[str, Any]]:
        """All messages of all conversations."""
        return [
            message
            for row in self.rows
            for conversation in json.loads(row.messages)
            for message in conversation
        ]

    @property
    def files(self) -> Mapping[str, bytes]:
        """What lies in its folder."""
        every = (file for file in self.folder.rglob("*") if file.is_file())
        return {str(file.relative_to(self.folder)): file.read_bytes() for file in every}


Evaluate = Callable[..., Evaluated]


@pytest.fixture(scope="session")
def evaluate(ledger: StoredDataset, simulation: Simulation) -> Evaluate:
    """Evaluate a simulated model in a place of its own."""

    def made(place: Path, *words: object) -> Evaluated:
        before = simulation.counts()["requests"]
        done = run(
            "eval", ledger.location, "--base-url", f"{simulation.url}/v1", "-o", place / "run",
            "--llm-cache", place / "answers", *map(str, words), env={**os.environ, **KEY},
        )  # fmt: skip
        asked = simulation.counts()["requests"] - before
        return Evaluated(place, done.status, done.out.decode(), done.err, asked)

    return made


@pytest.fixture(scope="session")
def evaluated(shared: Shared, evaluate: Evaluate) -> Evaluate:
    """The same, but once for the same words, whatever test asks for it."""

    def made(*words: str) -> Evaluated:
        def fill(folder: Path) -> None:
            done = evaluate(folder, *words)
            said = [done.status, done.out, done.err, done.asked]
            (folder / "said.json").write_text(json.dumps(said))

        place = shared.folder("-".join(["run", *words]).replace("--", ""), fill)
        return Evaluated(place, *json.loads((place / "said.json").read_bytes()))

    return made
