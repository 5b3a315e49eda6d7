"""Run in a process of its own: what mocking makes of every fixture and half of all examples.

python -m tests.mocker.all_mocked EACH   → JSON: name → digest of the mocked script and its
    manifest; where EACH is 2, of every second fixture and family, and so on
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.mocker.families import FAMILIES
from slicefunc.slicer import Repository
from slicefunc.slicer.model import Slice

from tests.fixture_format import all_fixtures
from tests.mocker.families.family_examples import examples_of


def digests(each: int) -> dict[str, str]:
    """A digest for each."""
    with tempfile.TemporaryDirectory() as folder:
        return {name: _digest(sliced) for name, sliced in _slices(Path(folder), each)}


def _slices(folder: Path, each: int) -> Iterator[tuple[str, Slice]]:
    for fixture in list(all_fixtures())[::each]:
        if not fixture.runs_here:
            continue
        scratch = folder / fixture.name
        scratch.mkdir()
        repository = Repository(fixture.repository(scratch), roots=fixture.roots)
        for number, target in enumerate(fixture.targets):
            if not target.error:
                options = Options(mock="auto", keep=target.keep)
                made = compile_slice(repository, target.target, options)
                yield f"{fixture.name} {number}", made
    for listed in FAMILIES[::each]:
        for number, example in enumerate(examples_of(listed)[::2]):
            place = folder / f"{listed.module} {number}"
            example.write(place)
            target = f"example.py::{example.target}"
            yield place.name, compile_slice(Repository(place), [target], Options(mock="auto"))


def _digest(sliced: Slice) -> str:
    manifest = json.dumps({**asdict(sliced.manifest), "seconds": 0}, default=repr)
    return hashlib.sha256(f"{sliced.source}\0{manifest}".encode()).hexdigest()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(digests(int(sys.argv[1]))))
