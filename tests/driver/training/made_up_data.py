"""A dataset and runs that tests make up; nothing in them is run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from slicefunc.driver.datasets.storage.columns import EnvironmentRow, FunctionRow, RepositoryRow
from slicefunc.driver.datasets.storage.store import Store
from slicefunc.driver.evaluation.runs import SCHEMA, RunTable, open_run, write_run
from slicefunc.driver.evaluation.sample_rows import SampleRow
from slicefunc.driver.record.environment_files import Environment

from tests.driver.evaluation.made_up_rows import row_of
from tests.driver.evaluation.sample_rows import sample, tried


def function_row(
    name: str, repo: str = "shop/one", *, code: str = "", split: str = "train", prompt: str = ""
) -> EnvironmentRow:
    """An environment whose id is its name, of a function that adds a number of its own."""
    own = int.from_bytes(name.encode())
    prompt = prompt or f"def {name}(value):\n    ...\n"
    record = {"prompt": {"available": [], "context": prompt, "file_with_hole": prompt}, "cases": []}
    plain = row_of(None, prompt, signature=f"def {name}(value):", qualname=name)
    code = code or f"def {name}(value):\n    return value + {own}\n"
    return replace(plain, id=name, repo=repo, code=code, split=split, record=json.dumps(record))


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A dataset of rows alone."""

    given: Sequence[EnvironmentRow]
    location: str = "made-up"
    manifest: dict[str, Any] = field(default_factory=dict)

    def rows(self) -> Iterator[EnvironmentRow]:
        return iter(self.given)

    def ids(self) -> frozenset[str]:
        return frozenset(row.id for row in self.given)

    def environment(self, identity: str) -> Environment:
        raise AssertionError(f"{identity}: rows are enough here")

    def functions(self) -> Iterator[FunctionRow]:
        return iter(())

    def repositories(self) -> Iterator[RepositoryRow]:
        return iter(())


def answer(environment: str, code: str, verdict: str = "passed", **fields: object) -> SampleRow:
    """A sample with this code."""
    return sample(environment, verdict, code=code, **fields)


def repaired(environment: str, code: str) -> SampleRow:
    """A sample whose first try has failed."""
    rounds = (tried("failed"), tried("passed", 5, 5, is_final=True))
    return sample(environment, code=code, rounds=rounds)


def written_run(folder: Path, samples: Sequence[SampleRow], model: str = "teacher") -> RunTable:
    """A run on disk."""
    store = Store.at(str(folder))
    write_run(store, {"schema": SCHEMA, "model": model, "samples": 1}, samples)
    return open_run(str(folder))
