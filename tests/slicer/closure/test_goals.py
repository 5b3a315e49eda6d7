"""Finding targets, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import OptionError, Repository, TargetError, slice_function
from slicefunc.slicer.closure.start.target_definitions import find_goal

FILES = {
    "base.py": "class Base:\n    def run(self): return 1\n    size = property(lambda self: 2)\n",
    "child.py": "from base import Base\nclass Child(Base):\n    class Inner(Base): pass\n"
    "    def other(self): return 3\nclass Plain(dict): pass\n",
}
SAID = {
    "Child.run": "child.py: Child does not define run; name base.py::Base.run, which it inherits",
    "Child.size": "child.py: Child does not define size; "
    "name base.py::Base.size, which it inherits",
    "Child.Inner.run": "child.py: Child.Inner does not define run; "
    "name base.py::Base.run, which it inherits",
    "Child.othre": "child.py: no function or class Child.othre; did you mean Child.other",
    "Plain.keys": "child.py: no function or class Plain.keys; did you mean Plain",
}


@pytest.mark.parametrize("qualname", SAID)
def test_a_member_that_is_not_there_is_looked_for(qualname: str, tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    with pytest.raises(TargetError) as told:
        find_goal(Repository(tmp_path), f"child.py::{qualname}")
    assert str(told.value).startswith(SAID[qualname])


def test_what_is_only_imported_is_named_where_it_is_defined(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(FILES["base.py"] + "def run(): pass\n")
    (tmp_path / "use.py").write_text("from base import Base as B, run\nfrom json import loads\n")
    said: list[str] = []
    for name in ("B", "B.run", "run", "loads"):
        with pytest.raises(TargetError) as told:
            find_goal(Repository(tmp_path), f"use.py::{name}")
        said.append(str(told.value))
    assert said == [
        "use.py:1: B is imported here; name base.py::Base, where it is defined",
        "use.py:1: B is imported here; name base.py::Base.run, where it is defined",
        "use.py:1: run is imported here; name base.py::run, where it is defined",
        "use.py:2: loads is not a function or class; "
        "name another file: this one defines no function and no class",
    ]


def test_no_target_and_no_such_layout_are_said(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(FILES["base.py"])
    repository = Repository(tmp_path)
    with pytest.raises(TargetError, match="no target is given"):
        slice_function(repository, [])
    with pytest.raises(OptionError, match="one of script, flat, modules, package"):
        slice_function(repository, "base.py::Base", emit="bogus")  # pyright: ignore[reportArgumentType]


def test_the_object_of_a_variable_has_what_is_public(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "class Base:\n    def close(self): return 1\n"
        "class Store(Base):\n    def load(self): return self._read()\n"
        "    def _read(self): return 2\n    def _unused(self): return 3\n"
        "store = Store()\n"
    )
    made = slice_function(Repository(tmp_path), "m.py::store")
    kept = {each.qualname for each in made.manifest.definitions}
    assert {"Base.close", "Store.load", "Store._read"} <= kept
    assert "Store._unused" not in kept


def test_a_folder_is_told_with_files_in_it(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    for name in ("__init__.py", "core.py", "data.txt"):
        (tmp_path / "pkg" / name).write_text("")
    with pytest.raises(TargetError, match=r"pkg: a folder; name a file in it, as core\.py"):
        slice_function(Repository(tmp_path), "pkg::f")
