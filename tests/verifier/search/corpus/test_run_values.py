"""Branches that need a value which only the run knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.case_synthesis import search_cases
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.slicer import Repository
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import Executor, Profile
from slicefunc.verifier.search.corpus.search_result import Synthesis

from tests.nightly import one_in

PROGRAMS = {
    "a tuple of two parameters as key": """
        def f(place: str, way: str) -> int:
            ways = [tuple(way.split("/")) for way in "north/ship south/road".split()]
            price = dict(zip(ways, [7, 9])).get((place, way))
            if price is None:
                return 0
            return price * 2
        """,
    "a computed key": """
        TABLE = {bytes.fromhex("55532d4341").decode(): 4, bytes.fromhex("44452d4245").decode(): 5}

        def f(land: str, part: str) -> int:
            key = land + "-" + part
            if key not in TABLE:
                raise ValueError("unknown")
            return TABLE[key] + 1
        """,
    "a digest": """
        import hashlib

        def f(text: str, digest: str) -> str:
            if hashlib.md5(text.encode()).hexdigest() == digest.lower():
                return "the same"
            return "another"
        """,
    "a number that is computed with": """
        def f(number: int) -> str:
            if number + 0x51F3 == 0x7A11 * 31:
                return "found"
            return "not found"
        """,
    "a pattern that is put together": """
        import re

        def f(text: str, tag: str) -> str:
            found = re.search(rf"<{tag}>(.*?)</{tag}>", text)
            if found:
                return found[1].strip()
            return "nothing"
        """,
    "the length of what is nested": """
        def f(rows: list[dict]) -> list[str]:
            found = []
            for row in rows:
                code = row["code"].strip().lower()
                if len(code) >= 21:
                    found.append(code[:2])
            return found
        """,
}


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    made = EmbeddedExecutor()
    try:
        made.start(Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    yield made
    made.close()


def _searched(executor: Executor, folder: Path, text: str) -> Synthesis:
    (folder / "code.py").write_text("\n".join(line[8:] for line in text.split("\n")[1:]))
    repository = Repository(folder)
    return search_cases(repository, compile_slice(repository, ("code.py::f",)), executor.run)


@pytest.mark.parametrize("name", one_in(2, PROGRAMS))
def test_every_branch_is_taken(name: str, executor: Executor, tmp_path: Path) -> None:
    found = _searched(executor, tmp_path, PROGRAMS[name])
    assert found.coverage is not None, found.failure
    assert found.coverage.share == 1.0, found.coverage.missing


def test_the_same_cases_each_time(executor: Executor, tmp_path: Path) -> None:
    text = PROGRAMS["a pattern that is put together"]
    first, second = (_searched(executor, tmp_path, text) for _ in range(2))
    assert [case.code for case in first.cases] == [case.code for case in second.cases]
    assert first.tried == second.tried
