"""Folders that are laid out hold what the code looks for, and something that it does not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.verifier.search.strategies.laid_out_files import folder_statement

from tests.nightly import one_in
from tests.verifier.search.test_synthesise import searched

PATTERNS = ["*.png", "**/*.json", "*/*", "data_*.csv", "run-?.log", "[ab]*.txt", "*.tar.gz"]
PROGRAMS = {
    "texts": (
        "import os\n\n"
        "def texts(path):\n"
        "    return [name for name in os.listdir(path) if name.endswith('.txt')]\n"
    ),
    "latest": (
        "import json\nfrom pathlib import Path\n\n"
        "def latest(folder: Path):\n"
        "    files = list(folder.rglob('*.json'))\n"
        "    if not files:\n"
        "        raise FileNotFoundError(f'no json in {folder}')\n"
        "    return json.loads(files[0].read_text())['name']\n"
    ),
    "sources": (
        "import os\n\n"
        "def sources(root):\n"
        "    found = []\n"
        "    for base, _, files in os.walk(root):\n"
        "        for name in files:\n"
        "            if name.endswith(('.py', '.pyi')):\n"
        "                found.append(os.path.join(base, name))\n"
        "    return found\n"
    ),
    "tables": (
        "import glob\nimport os\n\n"
        "def tables(folder):\n"
        "    return sorted(glob.glob(os.path.join(folder, '*.csv')))\n"
    ),
    "Report.folders": (
        "from pathlib import Path\n\n"
        "class Report:\n"
        "    def __init__(self, place):\n"
        "        self.place = Path(place)\n\n"
        "    def folders(self):\n"
        "        return [found for found in self.place.glob('*/*') if found.is_dir()]\n"
    ),
    "ignored": (
        "import os\n\n"
        "def ignored(path):\n"
        "    place = os.path.join(path, '.settings-ignore')\n"
        "    if os.path.isfile(place):\n"
        "        with open(place) as lines:\n"
        "            return lines.read()\n"
        "    return []\n"
    ),
    "by_kind": (
        "def by_kind(folder, kind: str):\n"
        "    found = {}\n"
        "    for path in folder.iterdir():\n"
        "        if kind.lower() in path.name:\n"
        "            found[path.stem] = path.suffix\n"
        "    return found\n"
    ),
}


def laid_out(place: Path, words: list[str]) -> Path:
    exec(folder_statement(str(place), words).text, {})
    return place


@pytest.mark.parametrize("pattern", PATTERNS)
def test_some_files_fit_a_pattern_and_some_do_not(tmp_path: Path, pattern: str) -> None:
    place = laid_out(tmp_path / "folder", [pattern])
    every = {path for path in place.rglob("*") if path.is_file()}
    found = {path for path in place.glob(pattern) if path.is_file()}
    assert found
    assert found < every


@given(st.lists(st.text(st.characters(codec="ascii"), max_size=12), max_size=6))
def test_whatever_the_words_files_stay_in_the_folder(words: list[str]) -> None:
    made: dict[str, str] = eval(
        folder_statement("folder", words).text.partition(" in ")[2].split(".items():\n")[0]
    )
    assert 2 <= len(made) <= 10
    for name in made:
        assert os.path.normpath(f"folder/{name}").startswith("folder/")


def test_files_have_the_names_that_the_code_has(tmp_path: Path) -> None:
    place = laid_out(
        tmp_path / "folder", ["average.png", ".yaml", "a sentence. With words", "/etc/x"]
    )
    names = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    assert names == {
        "average.png",
        "item-1.yaml",
        "item-2.yaml",
        "file-1.txt",
        "folder-1/file-2.txt",
    }


def test_a_folder_can_be_laid_out_twice(tmp_path: Path) -> None:
    laid_out(laid_out(tmp_path / "folder", ["*"]), ["*"])
    assert (tmp_path / "folder" / "file-1.txt").read_text()


@pytest.mark.parametrize("name", one_in(2, PROGRAMS))
def test_who_lists_a_folder_is_told_from_who_does_not(name: str, tmp_path: Path) -> None:
    found = searched(tmp_path, PROGRAMS[name], name)
    assert found.coverage is not None, found.failure
    assert not found.coverage.missing
    # no file has its ending elsewhere in its name, and no two have the same stem
    others = {"anywhere for beginning", "first entry wins"}
    left = [str(each) for each in found.survived if each.operator not in others]
    assert not left, left
