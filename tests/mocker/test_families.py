"""Families are imported where they may have something to do, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.mocker.contacts import Border, Contact, is_below
from slicefunc.mocker.core.border import find_border
from slicefunc.mocker.families import FAMILIES, Listed
from slicefunc.mocker.settings import Settings
from slicefunc.slicer import Repository, slice_function

AREA = "import math\n\n\ndef area(radius):\n    return math.pi * radius**2\n"
SHOW = "def show(plot):\n    plot.show()\n    return plot\n"
LOADED = """
import sys
from slicefunc.driver.cli.command import main
main([sys.argv[1], "a.py::area", "--mock", sys.argv[2]])
print(*(name for name in sys.modules if name.startswith("slicefunc.")), file=sys.stderr)
"""


def asked(listed: Listed, folder: Path) -> set[str]:
    """The names that a family asks a border for which has none of them."""
    names: set[str] = set()

    class Recording(Border):
        __slots__ = ()

        def named(self, *tops: str) -> tuple[Contact, ...]:
            names.update(tops)
            return ()

        def modules(self, *tops: str) -> tuple[str, ...]:
            names.update(tops)
            return ()

    (folder / "a.py").write_text(SHOW)
    repository = Repository(folder)
    sliced = slice_function(repository, "a.py::show")
    assert listed.family().applies(Recording(repository, sliced, (), Settings())) == ()
    return names


@pytest.mark.parametrize("listed", FAMILIES, ids=lambda each: each.module)
def test_a_family_is_listed_with_all_that_it_asks_for(listed: Listed, tmp_path: Path):
    names = asked(listed, tmp_path)
    assert [n for n in sorted(names) if not any(is_below(n, top) for top in listed.names)] == []


@pytest.mark.parametrize("listed", FAMILIES, ids=lambda each: each.module)
def test_a_family_is_heard_in_its_examples(listed: Listed, tmp_path: Path):
    for number, example in enumerate(listed.family().examples):
        place = tmp_path / str(number)
        for path, text in (("example.py", example.source), *example.files):
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text)
        repository = Repository(place)
        sliced = slice_function(repository, f"example.py::{example.target}")
        border = find_border(repository, sliced, Settings())
        assert listed.hears(border) or not listed.family().applies(border), example.title


def test_every_file_of_the_folder_is_listed():
    from slicefunc.mocker import families

    files = {file.stem for file in Path(families.__file__).parent.glob("*.py")} - {"__init__"}
    assert sorted(files) == sorted(listed.module for listed in FAMILIES)


def test_a_slice_without_outside_contact_loads_no_family(tmp_path: Path):
    (tmp_path / "a.py").write_text(AREA)
    loaded: dict[str, set[str]] = {}
    for mock in ("auto", "none"):
        done = subprocess.run(
            [sys.executable, "-c", LOADED, str(tmp_path), mock],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        loaded[mock] = {word for word in done.stderr.split() if word.startswith("slicefunc.")}
    assert "slicefunc.mocker.families" in loaded["auto"]
    assert loaded["auto"] == loaded["none"]
