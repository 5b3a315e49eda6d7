"""Families are imported where they may have something to do, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.mocker.contacts import Border, Contact, is_below
from slicefunc.mocker.core.border import find_border
from slicefunc.mocker.families import FAMILIES, FamilyEntry
from slicefunc.mocker.settings import Settings
from slicefunc.slicer import Repository, slice_function

from tests.mocker.families.family_examples import FAMILIES_FOLDER, examples_of, read_examples

AREA = "import math\n\n\ndef area(radius):\n    return math.pi * radius**2\n"
SHOW = "def show(plot):\n    plot.show()\n    return plot\n"
LOADED = """
import sys
from slicefunc.driver.cli.command import main
main([sys.argv[1], "a.py::area", "--mock", sys.argv[2]])
print(*(name for name in sys.modules if name.startswith("slicefunc.")), file=sys.stderr)
"""


def asked(listed: FamilyEntry, folder: Path) -> set[str]:
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
    assert listed.contacts(Recording(repository, sliced, (), Settings())) == ()
    return names


@pytest.mark.parametrize("listed", FAMILIES, ids=lambda each: each.module)
def test_a_family_is_listed_with_all_that_it_asks_for(listed: FamilyEntry, tmp_path: Path):
    names = asked(listed, tmp_path)
    assert [n for n in sorted(names) if not any(is_below(n, top) for top in listed.names)] == []


@pytest.mark.parametrize("listed", FAMILIES, ids=lambda each: each.module)
def test_a_family_is_heard_in_its_examples(listed: FamilyEntry, tmp_path: Path):
    for number, example in enumerate(examples_of(listed)):
        place = tmp_path / str(number)
        example.write(place)
        repository = Repository(place)
        sliced = slice_function(repository, f"example.py::{example.target}")
        border = find_border(repository, sliced, Settings())
        assert listed.listens_to(border) or not listed.contacts(border), example.title


def test_every_folder_with_a_family_is_listed():
    folders = [file.parent for file in FAMILIES_FOLDER.rglob("family.py")]
    modules = [".".join(folder.relative_to(FAMILIES_FOLDER).parts) for folder in folders]
    assert sorted(modules) == sorted(listed.module for listed in FAMILIES)


def table(**changed: object) -> str:
    """An example's table, as TOML has it."""
    keys = dict.fromkeys(("title", "target", "call", "gives", "source"), "")
    return "\n".join(["[[example]]", *(f"{k} = {v!r}" for k, v in {**keys, **changed}.items())])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[[example]]\ntitle = 'a", "line 2|end of document"),
        ("[[examples]]", "only tables \\[\\[example\\]\\] may stand here"),
        ("[example]", "only tables \\[\\[example\\]\\] may stand here"),
        ("[[example]]\ntitle = 'a'\ncall = ''", "example 'a' lacks gives, source, target"),
        (table(title="a", effect=[]), "example 'a' has unknown keys: effect"),
        (table(needs="numpy"), "needs must be a list of strings"),
        (table(effects=[1]), "effects must be a list of strings"),
        (table(files=["a.txt"]), "files must be a table of paths and texts"),
        (table(call=1), "call must be a string"),
    ],
)
def test_what_is_wrong_with_a_file_of_examples_is_told_with_its_place(
    text: str, error: str, tmp_path: Path
):
    file = tmp_path / "examples.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=f"examples.toml: .*({error})"):
        read_examples(file)


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
