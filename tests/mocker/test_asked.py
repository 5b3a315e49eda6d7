"""What is answered to prompts: as the code compares it, and as people may write the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.mocker.asked import asked_places
from slicefunc.mocker.kept_code import kept_code
from slicefunc.mocker.model import Border
from slicefunc.mocker.settings import Settings
from slicefunc.slicer import Repository, slice_function

SPELLED = {
    "in the call": (
        "def run():\n"
        "    while (choice := input('> ').strip().lower()) != 'q':\n"
        "        print('added' if choice == 'add' else 'what?')\n",
        (" Q ", " ADD ", " TEXT "),
    ),
    "on the variable": (
        "def run():\n    again = input('again? ')\n    return again.upper() == 'Y'\n",
        ("y", "text"),
    ),
    "not at all": (
        "def run():\n    return input('name: ') == 'Ann'\n",
        ("text", "Ann"),
    ),
    "on another variable": (
        "def run(name):\n    answer = input('> ')\n    return name.strip() + answer\n",
        ("text",),
    ),
}


@pytest.mark.parametrize(("source", "spelled"), SPELLED.values(), ids=SPELLED.keys())
def test_answers_are_spelled_as_the_code_takes_them(
    tmp_path: Path, source: str, spelled: tuple[str, ...]
) -> None:
    (tmp_path / "a.py").write_text(source)
    repository = Repository(tmp_path)
    border = Border(repository, slice_function(repository, "a.py::run"), (), Settings())
    (place,) = asked_places(kept_code(border))
    assert set(place.spelled) == set(spelled)
    assert len(place.spelled) == len(place.answers)
