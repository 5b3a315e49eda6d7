"""Files that are laid out can be read by the library whose format they are in."""

from __future__ import annotations

import csv
import gettext
import gzip
import json
import pickle
import wave
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from slicefunc.verifier.inputs.argument_pools import Inputs
from slicefunc.verifier.search.drafts.drafts import Draft, case_of
from slicefunc.verifier.search.drafts.fixture_files import file_statements

NAMES = ("Thing", "no name: this is a sentence", "unit price")


def _json(path: str) -> object:
    return list(json.loads(Path(path).read_text()))


def _csv(path: str) -> object:
    with Path(path).open() as file:
        return next(csv.reader(file))


def _pickle(path: str) -> object:
    return list(pickle.loads(Path(path).read_bytes()))


def _gzip(path: str) -> object:
    return gzip.decompress(Path(path).read_bytes())


def _wave(path: str) -> object:
    with wave.open(path) as sound:
        return sound.getnframes()


def _zip(path: str) -> object:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def _workbook(path: str) -> object:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(path)
    return [cell.value for cell in book["Thing"][1]]


def _array(path: str) -> object:
    return list(pytest.importorskip("numpy").load(path))


_NEEDED = {"xlsx": ("openpyxl",), "npy": ("numpy",), "npz": ("numpy",)}
_NAMED = ("json", "csv", "pkl", "xlsx", "npz")
"""In these stands what the code asks for."""
READERS: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("json", _json), ("csv", _csv), ("pkl", _pickle), ("gz", _gzip), ("wav", _wave),
    ("zip", _zip), ("xlsx", _workbook), ("npy", _array), ("npz", _array),
)  # fmt: skip


@pytest.mark.parametrize(("ending", "read"), READERS, ids=[ending for ending, _ in READERS])
def test_a_file_is_in_the_format_of_its_ending(
    ending: str, read: Callable[[str], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in _NEEDED.get(ending, ()):
        pytest.importorskip(module)
    found: list[object] = []
    for number, statement in enumerate(file_statements(f"file-1.{ending}", NAMES)):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        case = case_of(Inputs("f", "function"), Draft(before=(statement,)), "case_a")
        exec(case.code + "case_a()", {"f": lambda: None})
        with suppress(ValueError, LookupError, OSError):  # broken, another sheet, a folder
            found.append(read(f"file-1.{ending}"))
    assert found
    if ending in _NAMED:
        assert any([*NAMES[::2]] == each for each in found)


def test_a_file_of_an_unknown_ending_holds_text_or_is_a_folder() -> None:
    made = file_statements("file-1.what")
    assert any(".write_text(" in each.text for each in made)
    assert any(".mkdir(" in each.text for each in made)


def test_translations_are_read_by_gettext(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    eval(file_statements("words.mo", ["size"])[0].text)
    with Path("words.mo").open("rb") as file:
        found = gettext.GNUTranslations(file)
    assert [found.gettext(each) for each in ("size", "other")] == ["size-1", "other"]
