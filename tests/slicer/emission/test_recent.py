"""What slices of one repository share in writing: the bytes are those of a fresh repository."""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, Slice, slice_function
from slicefunc.slicer.repo.recent_answers import RecentAnswers

FILES = {
    "pkg/__init__.py": '"""Docs."""\n\nfrom .base import Base\nfrom .made import made\n',
    "pkg/base.py": (
        '"""The base."""\n\nfrom .table import TABLE, add\n\n\nclass Base:\n'
        "    def one(self):\n        return TABLE\n\n"
        "    def two(self):\n        return later()\n\n\n"
        "add(Base)\n\n\ndef later():\n    from .made import made\n\n    return made\n"
    ),
    "pkg/table.py": "TABLE = []\n\n\ndef add(item):\n    TABLE.append(item)\n",
    "pkg/made.py": "from .base import Base\n\nmade = Base()\n\n\ndef docs():\n    return __doc__\n",
}
TARGETS = ("pkg/base.py::Base.one", "pkg/base.py::Base.two", "pkg/base.py::later",
           "pkg/made.py::docs", "pkg/table.py::add")  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package whose modules import one another in a circle."""
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def _sliced(repository: Repository, target: str) -> Slice:
    made = slice_function(repository, target)
    return dataclasses.replace(made, manifest=dataclasses.replace(made.manifest, seconds=0.0))


def test_what_was_sliced_before_changes_nothing(folder: Path) -> None:
    alone = {target: _sliced(Repository(folder), target) for target in TARGETS}
    for order in itertools.permutations(TARGETS):
        repository = Repository(folder)
        assert {target: _sliced(repository, target) for target in order} == alone


def test_only_the_answers_asked_for_last_are_held() -> None:
    held = RecentAnswers()
    asked: list[int] = []

    def answer(number: int) -> int:
        asked.append(number)
        return number

    for number in (1, 2, 1, 3, 1, 2):
        assert held.get("numbers", number, lambda number=number: answer(number), 2) == number
    assert asked == [1, 2, 3, 2]
