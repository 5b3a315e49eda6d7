"""Slicing a slice gives the slice: it lost nothing that decides what its names mean."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, Slice, slice_function

from tests.fixture_format import ExpectedTarget, Fixture, all_fixtures
from tests.nightly import one_in

_BY_TEXTS = {"names_in_the_module_of_an_object"}
"""Here texts of a module say which of its names may be meant, and a slice has fewer texts."""

BUILD_FILES = ("pyproject.toml", "setup.cfg", "setup.py")
"""They say what the own distribution is, and are no part of a package."""


def _cases() -> Iterator[object]:
    for fixture in all_fixtures():
        for target in fixture.targets if fixture.runs_here else ():
            if not target.error and fixture.name not in _BY_TEXTS:
                yield pytest.param(fixture, target, id=f"{fixture.name}-{target.file_name}")


every_case = pytest.mark.parametrize(("fixture", "expected"), one_in(2, _cases()))


@every_case
def test_slicing_the_tree_gives_the_tree(
    fixture: Fixture, expected: ExpectedTarget, tmp_path: Path
) -> None:
    """Nothing that the pruned tree lost decides what its names mean."""
    repository = fixture.repository(tmp_path)
    original = Repository(repository, roots=fixture.roots)
    made = slice_function(original, expected.target, emit="package", keep=expected.keep)
    tree = tmp_path / "tree"
    for folder in fixture.roots:
        (tree / folder).mkdir(parents=True, exist_ok=True)
    for file in made.files:
        (tree / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tree / file.path).write_bytes(file.content)
    for name in BUILD_FILES if "own-metadata" in expected.gaps else ():
        if (repository / name).is_file():
            (tree / name).write_bytes((repository / name).read_bytes())
    again = slice_function(
        Repository(tree, roots=fixture.roots), expected.target, emit="package", keep=expected.keep
    )
    assert {f.path: f.content for f in again.files} == {f.path: f.content for f in made.files}


@every_case
def test_slicing_a_script_of_modules_gives_the_script(
    fixture: Fixture, expected: ExpectedTarget, tmp_path: Path
) -> None:
    """What only the carried modules need of the visible body stays in it."""
    original = Repository(fixture.repository(tmp_path), roots=fixture.roots)
    made = slice_function(original, expected.target, emit="modules", keep=expected.keep)
    path = _place(expected, made)
    script = tmp_path / "script" / path
    script.parent.mkdir(parents=True)
    script.write_bytes(made.source.encode())
    targets = [f"{path}::{target.partition('::')[2]}" for target in expected.target]
    keep = [name for name in expected.keep if name.partition("::")[0] == path]
    again = slice_function(Repository(tmp_path / "script"), targets, emit="modules", keep=keep)
    assert again.source == made.source


def _place(expected: ExpectedTarget, made: Slice) -> str:
    """Where the script stands: one that carries no other module keeps the place of its own."""
    path = expected.target[0].partition("::")[0]
    return path if {d.path for d in made.manifest.definitions} <= {path} else "script.py"
