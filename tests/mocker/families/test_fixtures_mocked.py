"""Mocks on slices of every fixture: they load, behave as without where no mock applies, and are
the same in every process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from slicefunc.mocker import mock_slice, read_settings
from slicefunc.slicer import Repository, slice_function

from tests.fixture_format import ExpectedTarget, Fixture, all_fixtures
from tests.nightly import all_but, one_in
from tests.observing import observed

ROOT = Path(__file__).parents[3]
ANSWERED = frozenset({"own_distribution_metadata"})
"""Fixtures that ask for what nothing but a mock has: they tell more under it."""


def _cases() -> Iterator[object]:
    for fixture in all_fixtures():
        here = pytest.mark.skipif(not fixture.runs_here, reason="for another Python")
        for number, target in enumerate(fixture.targets):
            if not target.error and fixture.name not in ANSWERED:
                yield pytest.param(fixture, target, id=f"{fixture.name}-{number}", marks=here)


def outcomes(fixture: Fixture, target: ExpectedTarget, source: str, folder: Path) -> list[object]:
    """What the fixture's calls do in a script."""
    folder.mkdir()
    script = folder / "script.py"
    script.write_bytes(source.encode())
    pairs = [wanted.split("::") for wanted in (*target.target, *target.keep)]
    request = {
        "names": {name.split(".")[0]: fixture.module_of(file) for file, name in pairs},
        "load": "runpy",
        "path": [str(script)],
        "calls": [*target.calls, *target.raises],
    }
    found = observed(request, folder)
    assert isinstance(found, list), f"it does not load: {found}"
    return found


@pytest.mark.parametrize(("fixture", "target"), one_in(4, _cases()))
def test_a_mocked_fixture_does_what_it_did(
    fixture: Fixture, target: ExpectedTarget, tmp_path: Path
):
    repository = Repository(fixture.repository(tmp_path), roots=fixture.roots)
    plain = slice_function(repository, target.target, keep=target.keep)
    mocked = mock_slice(repository, plain, read_settings(repository, mock="auto"))
    assert mocked.manifest.definitions == plain.manifest.definitions
    if not mocked.manifest.mocks:
        assert mocked.source == plain.source
        return
    without = outcomes(fixture, target, plain.source, tmp_path / "plain")
    under = outcomes(fixture, target, mocked.source, tmp_path / "mocked")
    assert under == without


@pytest.mark.parametrize("each", all_but({"1"}, [8, 1]))
def test_mocks_are_the_same_in_every_process(each: int):
    def digests(seed: str) -> dict[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "tests.mocker.all_mocked", str(each)], cwd=ROOT, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True,
        )  # fmt: skip
        return json.loads(done.stdout)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(digests, ("1", "2"))
    assert {name for name, digest in first.items() if second[name] != digest} == set()
    assert len(first) == len(second) > 240 // each
