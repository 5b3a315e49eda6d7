"""The `package` layout: what a pruned tree says about itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function

from tests.fixture_format import ExpectedTarget, Fixture, all_fixtures


def _cases() -> Iterator[object]:
    for fixture in all_fixtures():
        for target in fixture.targets if fixture.runs_here else ():
            if not target.error:
                yield pytest.param(fixture, target, id=f"{fixture.name}-{target.file_name}")


@pytest.mark.parametrize(("fixture", "expected"), list(_cases()))
def test_slicing_the_tree_gives_the_tree(
    fixture: Fixture, expected: ExpectedTarget, tmp_path: Path
) -> None:
    """Nothing that the pruned tree lost decides what its names mean."""
    original = Repository(fixture.repository(tmp_path), roots=fixture.roots)
    made = slice_function(original, expected.target, emit="package", keep=expected.keep)
    tree = tmp_path / "tree"
    for folder in fixture.roots:
        (tree / folder).mkdir(parents=True, exist_ok=True)
    for file in made.files:
        (tree / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tree / file.path).write_bytes(file.content)
    again = slice_function(
        Repository(tree, roots=fixture.roots), expected.target, emit="package", keep=expected.keep
    )
    assert {f.path: f.content for f in again.files} == {f.path: f.content for f in made.files}
