"""The benchmark's identity check must see every kind of difference that it is there to find."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from slicefunc.slicer.model import Definition, Edit, LineMap, Manifest, Target

from benchmarks.slices.kept_text import Identity, Known, check_identity

ORIGINAL = '''\
LIMIT = 3


def first():
    return "a\\n"


@staticmethod
class Box(object):
    """A box."""

    size = 1

    def open(self):
        return LIMIT

    def shut(self):
        return None
'''

VISIBLE = f"import os\n{ORIGINAL}"
CARRIED = f"""\
_slice_func(
{{"m": ("m.py", False, (
(1, '''LIMIT = 3
'''),
(4, r'''{chr(10).join(ORIGINAL.splitlines()[3:])}
'''),
))}})
"""


@dataclass(frozen=True)
class Case:
    """A repository of one file `m.py`, and a script that holds it from a line on."""

    folder: Path
    manifest: Manifest

    def check(self, script: str) -> Identity:
        return check_identity(self.folder, script, self.manifest)


def definition(qualname: str, kind: str, first: int, last: int) -> Definition:
    return Definition("m.py", qualname, kind, first, last, "")  # type: ignore[arg-type]


DEFINITIONS = (
    definition("LIMIT", "variable", 1, 1),
    definition("first", "function", 4, 5),
    definition("Box", "class", 8, 18),
    definition("Box.open", "method", 14, 15),
)


def case(folder: Path, lines: tuple[LineMap, ...], original: str = ORIGINAL) -> Case:
    (folder / "m.py").write_text(original, encoding="utf-8")
    manifest = Manifest(
        targets=(Target("m.py", "first"),),
        layout="flat",
        layout_reason="",
        definitions=DEFINITIONS,
        edits=(),
        externals=(),
        inputs=(),
        lines=lines,
        gaps=(),
        suggested_types=(),
        warnings=(),
        files_read=("m.py",),
        data_files=(),
        seconds=0.0,
    )
    return Case(folder, manifest)


@pytest.fixture
def visible(tmp_path: Path) -> Case:
    return case(tmp_path, (LineMap(2, "m.py", 1, 18),))


def test_the_same_text_is_identical(visible: Case) -> None:
    assert visible.check(VISIBLE) == Identity(
        target=True, kept=4, identical=4, edited=0, different=()
    )


def test_a_changed_byte_in_the_target_is_seen(visible: Case) -> None:
    found = visible.check(VISIBLE.replace('"a\\n"', '"b\\n"'))
    assert not found.target
    assert found.different == ("m.py::first: text differs",)


def test_a_changed_byte_in_a_method_counts_for_the_method(visible: Case) -> None:
    found = visible.check(VISIBLE.replace("return LIMIT", "return LIMIT  "))
    assert found.target
    assert found.different == ("m.py::Box.open: text differs",)


def test_a_target_that_the_script_does_not_hold_is_not_identical(tmp_path: Path) -> None:
    gone = case(tmp_path, (LineMap(2, "m.py", 1, 3), LineMap(9, "m.py", 8, 11)))
    assert not gone.check(VISIBLE).target


def test_a_listed_edit_is_counted_apart(visible: Case) -> None:
    edits = (Edit("m.py", 5, "return", "for the test"),)
    edited = replace(visible, manifest=replace(visible.manifest, edits=edits))
    found = edited.check(VISIBLE.replace('"a\\n"', '"b\\n"'))
    assert (found.identical, found.edited, found.different) == (3, 1, ())


def test_lines_without_a_place_in_the_script_are_seen(tmp_path: Path) -> None:
    cut = case(tmp_path, (LineMap(2, "m.py", 1, 4), LineMap(7, "m.py", 6, 8)))
    assert cut.check(VISIBLE).different == (
        "m.py::first: not held as one block",
        "m.py::Box.open: the line map does not hold it",
    )


def test_a_pruned_class_is_held_by_its_head_and_its_kept_members(tmp_path: Path) -> None:
    lines = VISIBLE.split("\n")
    pruned = "\n".join([*lines[:11], *lines[14:16]])
    place = case(tmp_path, (LineMap(2, "m.py", 1, 10), LineMap(12, "m.py", 14, 2)))
    assert place.check(pruned).identical == 4
    assert place.check(pruned.replace("class Box(object)", "class Box(dict)  ")).different == (
        "m.py::Box: text of the head differs",
    )


def test_the_same_text_inside_of_another_statement_is_another_tree(tmp_path: Path) -> None:
    original = "if True:\n    def first():\n        return 1\n"
    (tmp_path / "m.py").write_text(original, encoding="utf-8")
    kept = (definition("first", "function", 2, 3),)
    base = case(tmp_path, (LineMap(2, "m.py", 2, 2),), original)
    nested = replace(base, manifest=replace(base.manifest, definitions=kept))
    assert nested.check(f"if False:\n{original[9:]}").identical == 1
    assert nested.check(f"x = '''\n{original[9:]}'''\n").identical == 0


@pytest.fixture
def carried(tmp_path: Path) -> Case:
    flat = case(tmp_path, (LineMap(3, "m.py", 1, 1), LineMap(4, "m.py", 4, 15)))
    return replace(flat, manifest=replace(flat.manifest, layout="modules"))


def test_a_module_carried_in_pieces_is_identical(carried: Case) -> None:
    assert carried.check(CARRIED).identical == 4


def test_of_a_carried_module_the_value_counts_and_not_the_spelling(carried: Case) -> None:
    # Without the r, the same spelling is a string literal that ends in the middle of a line.
    found = carried.check(CARRIED.replace("r'''", "'''").replace(r"a\n", r"a\t"))
    assert found.different == ("m.py::first: text differs",)


def test_a_piece_on_another_line_is_seen(carried: Case) -> None:
    assert "m.py::first: text differs" in carried.check(CARRIED.replace("(4,", "(5,")).different


def test_verdicts_on_files_carried_alike_hide_no_difference(carried: Case) -> None:
    changed = CARRIED.replace("return LIMIT", "return LIMIT  ")
    listed = replace(carried.manifest, edits=(Edit("m.py", 15, "return", "for the test"),))
    known = Known()
    for script, manifest in (
        (CARRIED, carried.manifest), (changed, carried.manifest), (changed, listed),
        (CARRIED, carried.manifest), (changed, listed), (changed, carried.manifest),
    ):  # fmt: skip
        alone = check_identity(carried.folder, script, manifest)
        assert check_identity(carried.folder, script, manifest, known=known) == alone
    assert len(known) == 3
