"""The proof that two states of the code make the same: it sees each thing that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.identity import Digests, Subject, differences, digests_of, subjects

TEXT = "import time\n\n\ndef f(a):\n    return a + 1 if a else time.time()\n"


def _digests(folder: Path, text: str, target: str = "a.py::f") -> Digests:
    folder.mkdir()
    (folder / "a.py").write_text(text)
    return digests_of(Subject("one", folder, (target,)))


def test_the_same_function_has_the_same_digests_wherever_it_lies(tmp_path: Path) -> None:
    assert _digests(tmp_path / "one", TEXT) == _digests(tmp_path / "other", TEXT)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (TEXT.replace("a + 1", "a + 2"), {"plain manifest", "mocked manifest"}),
        (TEXT.replace("time.time()", "0"), set[str]()),
    ],
)
def test_another_function_has_others(tmp_path: Path, text: str, same: set[str]) -> None:
    one, other = _digests(tmp_path / "one", TEXT), _digests(tmp_path / "other", text)
    assert one.keys() == other.keys()
    assert {key for key in one if one[key] == other[key]} <= same


def test_what_is_refused_is_told_without_its_place(tmp_path: Path) -> None:
    one = _digests(tmp_path / "one", TEXT, "a.py::g")
    assert one == _digests(tmp_path / "other", TEXT, "a.py::g")
    assert list(one) == ["refused"]


def test_each_difference_is_a_line() -> None:
    before = [{"subject": "a", "x": "1", "y": "1"}, {"subject": "b"}, {"subject": "c", "x": "1"}]
    after = [{"subject": "a", "x": "1", "y": "2", "z": "3"}, {"subject": "c", "x": "1"}]
    assert list(differences(before, after)) == ["a: y, z", "b: only before"]


def test_each_kind_has_its_functions(tmp_path: Path) -> None:
    kinds = {each.name.partition(" ")[0] for each in subjects(tmp_path)}
    assert kinds == {"fixture", "example", "program"}
